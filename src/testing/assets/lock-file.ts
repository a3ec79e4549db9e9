import { join } from 'node:path';

/** The lock of one version. */
export function lockFile(cache: string, version: string): string {
  return join(cache, `${version}.lock`);
}
