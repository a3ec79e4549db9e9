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
