import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

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

/** An empty or relative `HOME` would make a cache of every folder that op-sdk is called in. */
function homeFolder(): string {
  const home = homedir();
  return isAbsolute(home) ? home : userInfo().homedir;
}
