import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pushLayerImage, type ImageFile } from './layer-image.ts';

/** Pushes a base for operators from what this machine has: Node, the libraries that it is linked to, and the user 65532. */
export async function pushNodeBaseImage(reference: string): Promise<void> {
  const node = realpathSync(process.execPath);
  const libraries = [
    ...execFileSync('ldd', [node], { encoding: 'utf8' }).matchAll(/(?:=> |^\t)(\/\S+)/gm),
  ].map(([, path]) => path ?? '');
  // Looked up by name, not linked to.
  const libc = libraries.find((path) => /\/libc\.so/.test(path)) ?? '';
  const lookups = ['libnss_dns.so.2', 'libnss_files.so.2']
    .map((name) => join(libc, '..', name))
    .filter((path) => existsSync(path));
  const copies = [...new Set([...libraries, ...lookups])].map((path): ImageFile => ({
    path: path.slice(1),
    content: readFileSync(path),
    mode: 0o755,
  }));
  await pushLayerImage({
    reference,
    files: [
      { path: 'usr/local/bin/node', content: readFileSync(node), mode: 0o755 },
      ...copies,
      { path: 'etc/passwd', content: Buffer.from('nonroot:x:65532:65532:nonroot:/tmp:/sbin/nologin\n') },
      { path: 'etc/nsswitch.conf', content: Buffer.from('hosts: files dns\n') },
      { path: 'tmp', mode: 0o1777 },
    ],
    config: { Env: ['PATH=/usr/local/bin'] },
  });
}
