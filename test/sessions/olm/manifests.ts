// The manifests of real releases, where they are there.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../../../shared/data/olm');

/** Files of a release; undefined where they are not there. */
export function releaseFiles(...names: readonly string[]): readonly string[] | undefined {
  const files = names.map((name) => join(folder, name));
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length === 0) return files;
  console.warn(`skipped: the manifests of OLM are not there (${missing.join(', ')})`);
  return undefined;
}
