import { copyFile, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OpSdkError } from '../../../../errors/index.ts';
import { errnoOf, errnoText } from '../../../../util/fs.ts';

/** Folders at the top of a project that hold nothing to generate manifests from; below it they may be anybody's. */
const skippedAtTop = new Set(['dist', 'coverage']);
const skippedAnywhere = new Set(['node_modules', '.git']);

/** What TypeScript reads: sources, and JSON for `resolveJsonModule`, package.json and the tsconfig. */
const readable = /\.(?:[cm]?[jt]sx?|json)$/;

/**
 * Copies what the generator reads of a project into the empty folder `stage`. Symbolic links are followed, so that the copy
 * holds files only and writing into it never reaches the project; links to nothing, sockets and the like are left out.
 * @throws OpSdkError `io/cannot-read`
 */
export async function stageSources(root: string, stage: string): Promise<void> {
  await copyFolder(root, stage, []);
}

/** @param above the real paths of the folders that this one is copied from within, to notice links in a circle */
async function copyFolder(from: string, to: string, above: readonly string[]): Promise<void> {
  const real = await realpath(from);
  if (above.includes(real)) return;
  for (const name of await reading(from, readdir(from))) {
    if (skippedAnywhere.has(name) || (above.length === 0 && skippedAtTop.has(name))) continue;
    const [source, target] = [join(from, name), join(to, name)];
    const found = await statIfThere(source);
    if (found?.isDirectory() === true) {
      await mkdir(target, { recursive: true });
      await copyFolder(source, target, [...above, real]);
    } else if (found?.isFile() === true && readable.test(name)) {
      await reading(source, copyFile(source, target));
    }
  }
}

async function statIfThere(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (['ENOENT', 'ELOOP'].includes(errnoOf(error) ?? '')) return undefined;
    throw cannotRead(path, error);
  }
}

async function reading<T>(path: string, action: Promise<T>): Promise<T> {
  try {
    return await action;
  } catch (error) {
    throw cannotRead(path, error);
  }
}

function cannotRead(path: string, cause: unknown): unknown {
  // Copying fails for want of space too, which is no fault of this file.
  if (!['EACCES', 'EPERM', 'EIO'].includes(errnoOf(cause) ?? '')) return cause;
  const message = `${path} cannot be read: ${errnoText(cause)}`;
  return new OpSdkError(
    { code: 'io/cannot-read', message, where: { file: path }, fix: ['check its permissions'] },
    { cause },
  );
}
