import { chmod, copyFile, mkdir, open, rename, rm, rmdir, writeFile } from 'node:fs/promises';

/** All that a plan's executor does to the disk, one change each: tests stop it after any of them. */
export interface FileOps {
  /** Creates a file with its whole content; it must not exist. */
  create(path: string, content: string | Uint8Array, mode: number): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Deletes a file; a missing file is not an error. */
  remove(path: string): Promise<void>;
  mkdir(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
  /** Makes sure that what was written to a file or folder outlives a loss of power. */
  flush(path: string): Promise<void>;
}

export const fileOps: FileOps = {
  create: (path, content, mode) => writeFile(path, content, { flag: 'wx', mode }),
  copy: (from, to) => copyFile(from, to),
  chmod: (path, mode) => chmod(path, mode),
  rename: (from, to) => rename(from, to),
  remove: (path) => rm(path, { force: true }),
  mkdir: async (path) => {
    await mkdir(path);
  },
  rmdir: (path) => rmdir(path),
  async flush(path) {
    try {
      const handle = await open(path, 'r');
      await handle.sync().finally(() => handle.close());
    } catch {
      // Not all systems can flush folders, or files that are open for reading; then it is up to them.
    }
  },
};
