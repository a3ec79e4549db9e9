import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OpSdkError } from '../base/errors/index.ts';
import { errnoOf, errnoText, pathExists } from '../base/util/fs.ts';
import { newTemporaryId, temporaryPath } from '../base/util/folders.ts';
import type { Descriptor } from './types.ts';

/** Reverts the writing of one file or folder. */
export type Undo = () => Promise<void>;

/** Returns true if a file has exactly the bytes of a descriptor. */
export async function holdsBlob(file: string, { digest, size }: Descriptor): Promise<boolean> {
  try {
    if ((await stat(file)).size !== size) return false;
    return (await digestOfFile(file)) === digest;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return false;
    throw error;
  }
}

/** Returns the digest of a file's bytes: `sha256:` and hexadecimal digits. */
export async function digestOfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Uint8Array);
  return `sha256:${hash.digest('hex')}`;
}

/**
 * Writes a file completely or not at all: writes a temporary file beside it, then renames the temporary file. An existing file remains
 * until the renaming.
 * @param decide called after all bytes are written; returns false to keep the existing file
 * @returns true if the file was put in place
 * @throws errors of reading and of the operating system; the temporary file is removed then
 */
export async function writeWhole(
  file: string,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  {
    signal,
    decide,
    mode = 0o666,
  }: {
    readonly signal?: AbortSignal;
    readonly decide?: (fresh: string) => Promise<boolean>;
    /** The permissions of the file before the umask is applied. */
    readonly mode?: number;
  } = {},
): Promise<boolean> {
  const fresh = temporaryPath(file, newTemporaryId(), 'new');
  try {
    const handle = await open(fresh, 'wx', mode);
    try {
      for await (const chunk of bytes) {
        signal?.throwIfAborted();
        // `write` is not used, because it may write only a part of the chunk, for example when the disk is almost full.
        await handle.writeFile(chunk);
      }
    } finally {
      await handle.close();
    }
    if (decide !== undefined && !(await decide(fresh))) {
      await rm(fresh, { force: true });
      return false;
    }
    await rename(fresh, file);
    return true;
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

/** Creates a folder and its missing parents one by one, so that the creation of each can be undone. */
export async function makeFolders(folder: string, undo: Undo[]): Promise<void> {
  if (await pathExists(folder)) return;
  await makeFolders(dirname(folder), undo);
  try {
    await mkdir(folder);
  } catch (error) {
    // Another process has created the folder first, so the folder is not removed on undo.
    if (errnoOf(error) === 'EEXIST') return;
    throw error;
  }
  undo.push(async () => {
    try {
      await rmdir(folder);
    } catch (error) {
      // These codes mean that another process has put something into the folder, or removed it, in the meantime.
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errnoOf(error) ?? '')) throw error;
    }
  });
}

/**
 * Runs `work`. If `work` fails, undoes the steps that it has recorded in `undo`, in reverse order.
 * @param shown name of the written file or folder, for the message
 * @throws OpSdkError `io/cannot-write` for errors of the operating system; other errors unchanged
 */
export async function undoable<T>(shown: string, work: (undo: Undo[]) => Promise<T>): Promise<T> {
  const undo: Undo[] = [];
  try {
    return await work(undo);
  } catch (error) {
    for (const action of undo.toReversed()) await action();
    throw errnoOf(error) === undefined || (error as Error).name === 'AbortError'
      ? error
      : cannotWrite(shown, error);
  }
}

function cannotWrite(file: string, cause: unknown): OpSdkError {
  return new OpSdkError(
    {
      code: 'io/cannot-write',
      message: `${file} cannot be written: ${errnoText(cause)}; nothing was changed`,
      where: { file },
      fix: ['see that the folder can be written to and the disk has room, and run the command again'],
    },
    { cause },
  );
}
