import { lstat } from 'node:fs/promises';

/** The error code of a failed system call, such as `ENOENT`; undefined for other errors. */
export function errnoOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** The operating system's words for a failed call, without Node's syscall and path: `EACCES: permission denied`. */
export function errnoText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/,\s+\w+(?:\s+'.*)?$/s, '');
}

/** Returns true if anything exists at a path, even a dangling link. */
export async function pathExists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return false;
    throw error;
  }
}
