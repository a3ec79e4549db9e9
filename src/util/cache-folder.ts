import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Where op-sdk keeps what it can get again: `$XDG_CACHE_HOME/op-sdk/<part>`, else `~/.cache/op-sdk/<part>`.
 * @param env environment variables
 * @param part what is kept, such as `images`
 */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>, part: string): string {
  const base = env['XDG_CACHE_HOME'] ?? '';
  // A relative path there is to be ignored. Source: XDG Base Directory Specification, "Environment variables".
  return join(isAbsolute(base) ? base : join(homedir(), '.cache'), 'op-sdk', part);
}
