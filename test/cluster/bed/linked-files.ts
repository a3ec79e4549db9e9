import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ImageFile } from './layer-image.ts';

/** Paths of the libraries that programs are linked to, the loader included. A static program has none. */
export function linkedLibraries(programs: readonly string[]): readonly string[] {
  const paths = programs.flatMap((program) => {
    try {
      const output = execFileSync('ldd', [program], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
      return [...output.matchAll(/(?:=> |^\t)(\/\S+)/gm)].map(([, path]) => path ?? '');
    } catch {
      // It is "not a dynamic executable".
      return [];
    }
  });
  return [...new Set(paths)];
}

/** Files of this machine at their own paths. */
export function copiesOf(paths: readonly string[]): readonly ImageFile[] {
  return paths.map((path) => ({ path: path.slice(1), content: readFileSync(path), mode: 0o755 }));
}

/** The user `nonroot` (65532) and what the C library needs to look up users and hosts. */
export const accountFiles: readonly ImageFile[] = [
  { path: 'etc/passwd', content: Buffer.from('nonroot:x:65532:65532:nonroot:/tmp:/sbin/nologin\n') },
  { path: 'etc/nsswitch.conf', content: Buffer.from('hosts: files dns\n') },
];
