import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';

/**
 * Returns the folder for data that op-sdk can fetch or compute again: `$XDG_CACHE_HOME/op-sdk/<part>`, else `~/.cache/op-sdk/<part>`.
 * @param env environment variables
 * @param part kind of the data, such as `images`
 * @throws the system error if the user has no home, such as a numeric user without a name in a container
 */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>, part: string): string {
  const base = env['XDG_CACHE_HOME'] ?? '';
  // A relative path in `XDG_CACHE_HOME` must be ignored. Source: XDG Base Directory Specification, "Environment variables".
  return join(isAbsolute(base) ? base : join(homeFolder(), '.cache'), 'op-sdk', part);
}

/**
 * Returns the folder of a cache that only saves time; undefined if `OPSDK_NO_CACHE` disables the cache or the user has no home.
 * @param part kind of the data, such as `manifests`
 */
export function optionalCacheFolder(
  env: Readonly<Record<string, string | undefined>>,
  part: string,
): string | undefined {
  if ((env['OPSDK_NO_CACHE'] ?? '') !== '') return undefined;
  try {
    return cacheFolder(env, part);
  } catch (error) {
    // In a container, the user may be a number without an entry in the user database, and so has no home. Continue without the cache.
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

/** Returns the user's home folder. Ignores an empty or relative `HOME`, which would create a cache in every folder in which op-sdk runs. */
function homeFolder(): string {
  const home = homedir();
  return isAbsolute(home) ? home : userInfo().homedir;
}

/** Returns the error code of a failed system call, such as `ENOENT`; undefined for other errors. */
export function errnoOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/**
 * Returns the operating system's description of a failed call, without the syscall and path that Node adds: `EACCES: permission denied`.
 */
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

/** Returns the properties of the file or folder to which a path leads, through links; undefined if there is none, or if it cannot be reached. */
export async function statsAt(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}
