import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { lstat } from 'node:fs/promises';

/**
 * Where op-sdk keeps what it can get again: `$XDG_CACHE_HOME/op-sdk/<part>`, else `~/.cache/op-sdk/<part>`.
 * @param env environment variables
 * @param part what is kept, such as `images`
 * @throws what the system says if the user has no home, as a number without a name in a container has none
 */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>, part: string): string {
  const base = env['XDG_CACHE_HOME'] ?? '';
  // A relative path there is to be ignored. Source: XDG Base Directory Specification, "Environment variables".
  return join(isAbsolute(base) ? base : join(homeFolder(), '.cache'), 'op-sdk', part);
}

/**
 * The folder of a cache that only saves time; undefined if `OPSDK_NO_CACHE` forbids it, or the user has no home.
 * @param part what is kept, such as `manifests`
 */
export function optionalCacheFolder(
  env: Readonly<Record<string, string | undefined>>,
  part: string,
): string | undefined {
  if ((env['OPSDK_NO_CACHE'] ?? '') !== '') return undefined;
  try {
    return cacheFolder(env, part);
  } catch (error) {
    // A container's user may be a number that no one knows. The work can be done without a memory.
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

/** An empty or relative `HOME` would make a cache of every folder that op-sdk is called in. */
function homeFolder(): string {
  const home = homedir();
  return isAbsolute(home) ? home : userInfo().homedir;
}

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
