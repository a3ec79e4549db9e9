import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import type { Finding } from '../../base/errors/index.ts';

/**
 * Files of the bundle that use `loadManifest` where no call is looked for: JavaScript and packages. Their manifests would be
 * missing in the image, where the call then fails.
 *
 * @param read the files whose calls were read, absolute, with forward slashes
 * @param ownRoots folders of opsdk, absolute, links followed
 */
export function unreadCalls(
  metafile: Metafile,
  projectDir: string,
  read: ReadonlySet<string>,
  ownRoots: readonly string[],
): readonly Finding[] {
  return Object.keys(metafile.inputs).flatMap((input): readonly Finding[] => {
    const file = path.resolve(projectDir, input);
    const name = file.split(path.sep).join('/');
    const isOwn = ownRoots.some((root) => name.startsWith(`${root}/`));
    // Some inputs are made by the bundler itself and are no files.
    if (isOwn || read.has(name) || !/\.[cm]?[jt]sx?$/.test(input) || !existsSync(file)) return [];
    const text = readFileSync(file, 'utf8');
    if (!/\bloadManifest\b/.test(text) || !/['"]opsdk['"]/.test(text)) return [];
    return [
      {
        code: 'build/invalid-manifest-call',
        message: 'the file uses loadManifest, but op-sdk reads calls only in TypeScript files of the project',
        where: { file: input },
        fix: ['move the call into a .ts file of the project'],
      },
    ];
  });
}
