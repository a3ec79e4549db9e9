import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of the running package: its package.json, `templates/` and `bin/` lie here. */
export const packageRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Internal command, not shown in help: the guard of webhooks that `run` and `dev` start. */
export const guardCommand = 'guard-webhooks';

/** Name and version of the running package. */
export function packageInfo(): { readonly name: string; readonly version: string } {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { name, version } = JSON.parse(text) as { name: string; version: string };
  return { name, version };
}
