import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Root folder of the running package, which contains package.json, `templates/` and `bin/`. */
export const packageRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Internal command, not shown in help. It runs the guard process for webhooks that `run` and `dev` start. */
export const guardCommand = 'guard-webhooks';

/** Returns the name and version of the running package. */
export function packageInfo(): { readonly name: string; readonly version: string } {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { name, version } = JSON.parse(text) as { name: string; version: string };
  return { name, version };
}

/**
 * Returns the web address of a document of op-sdk, from `repository` in its package.json.
 * @param path path in the repository, such as `docs/alerts.md`
 * @returns undefined if package.json names no repository
 */
export function documentAddress(path: string): string | undefined {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { repository } = JSON.parse(text) as { repository?: string | { readonly url?: string } };
  const url = typeof repository === 'string' ? repository : repository?.url;
  const page = url?.replace(/^git\+/, '').replace(/\.git$/, '');
  return page?.startsWith('https://') === true ? `${page}/blob/HEAD/${path}` : undefined;
}
