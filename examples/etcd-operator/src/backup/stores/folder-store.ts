import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BackupStore, FileToPut, ListedBackup, OpenedBackup, StoredBackup } from './backup-store.ts';
import { StoreError, type StoreReason } from './store-error.ts';

/** Ending of the file beside a backup that has its checksum, in the format of `sha256sum`. */
const checksumEnding = '.sha256';

/** Ending of a file that is being written. */
const partEnding = '.part';

/** Keeps backups as files of a folder, such as that of a mounted PersistentVolumeClaim. */
export class FolderStore implements BackupStore {
  readonly #root: string;

  /** @param root folder that all paths are relative to; it must exist */
  constructor(root: string) {
    this.#root = root;
  }

  async put(path: string, { file, sha256 }: FileToPut, signal: AbortSignal): Promise<void> {
    const target = this.#fileOf(path);
    await fileCall(`put ${path}`, signal, async () => {
      await mkdir(dirname(target), { recursive: true });
      const part = `${target}${partEnding}`;
      await pipeline(createReadStream(file), createWriteStream(part), { signal });
      await flush(part);
      // The checksum comes first, so that a backup that is there has one.
      await writeFile(`${target}${checksumEnding}${partEnding}`, `${sha256}  ${posix.basename(path)}\n`);
      await rename(`${target}${checksumEnding}${partEnding}`, `${target}${checksumEnding}`);
      await rename(part, target);
      await flush(dirname(target));
    });
  }

  async get(path: string, signal: AbortSignal): Promise<OpenedBackup> {
    const found = await this.stat(path, signal);
    if (found === undefined)
      throw new StoreError('BackupNotFound', `get ${path}: expected a file in the volume`);
    return { ...found, body: createReadStream(this.#fileOf(path)) };
  }

  async stat(path: string, signal: AbortSignal): Promise<StoredBackup | undefined> {
    const file = this.#fileOf(path);
    return fileCall(`stat ${path}`, signal, async () => {
      const found = await absent(stat(file));
      if (found?.isFile() !== true) return undefined;
      const text = await absent(readFile(`${file}${checksumEnding}`, 'utf8'));
      return { path, sizeBytes: found.size, sha256: /^[0-9a-f]{64}(?=\s)/.exec(text ?? '')?.[0] };
    });
  }

  async list(prefix: string, signal: AbortSignal): Promise<readonly ListedBackup[]> {
    const folder = posix.dirname(this.#checked(prefix));
    return fileCall(`list ${prefix}`, signal, async () => {
      const names = (await absent(readdir(join(this.#root, folder)))) ?? [];
      const found: ListedBackup[] = [];
      for (const name of names.sort()) {
        const path = folder === '.' ? name : `${folder}/${name}`;
        if (!path.startsWith(prefix) || name.endsWith(partEnding) || name.endsWith(checksumEnding)) continue;
        const entry = await absent(stat(join(this.#root, path)));
        if (entry?.isFile() === true) found.push({ path, sizeBytes: entry.size });
      }
      return found;
    });
  }

  async delete(path: string, signal: AbortSignal): Promise<void> {
    const file = this.#fileOf(path);
    await fileCall(`delete ${path}`, signal, async () => {
      await rm(file, { force: true });
      await rm(`${file}${checksumEnding}`, { force: true });
    });
  }

  #fileOf(path: string): string {
    return join(this.#root, this.#checked(path));
  }

  /** @throws StoreError `PathInvalid` for a path that leads out of the folder */
  #checked(path: string): string {
    if (path === '' || path.includes('\0') || path.split('/').some((step) => ['', '.', '..'].includes(step)))
      throw new StoreError(
        'PathInvalid',
        `path: expected a path in the volume, without a slash in front, . and .., got ${JSON.stringify(path)}`,
      );
    return path;
  }
}

/** Writes what the kernel still holds of a file or folder to the disk. */
async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Resolves with undefined for a file that does not exist. */
async function absent<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const reasons: Readonly<Record<string, StoreReason>> = {
  EACCES: 'AccessDenied',
  EPERM: 'AccessDenied',
  EROFS: 'AccessDenied',
  ENOSPC: 'TooLarge',
  EDQUOT: 'TooLarge',
};

async function fileCall<T>(what: string, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  try {
    return await call();
  } catch (error) {
    signal.throwIfAborted();
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new StoreError(reasons[code] ?? 'StoreFailed', `${what}: ${message}`, { cause: error });
  }
}
