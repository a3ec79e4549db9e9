import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { errnoOf } from './fs.ts';

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
