import { gt, lte } from 'semver';
import { readFileOf } from '../project/index.ts';

/** Export of op-sdk that a version has renamed. */
export interface ApiRename {
  /** First version with the new name. */
  readonly version: string;
  /** Module specifier: `opsdk`, `opsdk/testing`. */
  readonly module: string;
  readonly from: string;
  readonly to: string;
}

/** File of the package with the renamed exports of all versions, oldest first. Add an entry there when you rename a public export. */
const renamesFile = 'templates/api-renames.json';

/**
 * Returns the renames between two versions, oldest first. Reads them from the newer package, because the running op-sdk may be older.
 *
 * @param target root and version of the package to which the project is upgraded
 */
export async function renamesSince(
  from: string,
  target: { readonly root: string; readonly version: string },
): Promise<readonly ApiRename[]> {
  const text = await readFileOf(target.root, renamesFile);
  const table = JSON.parse(text ?? '[]') as readonly ApiRename[];
  return table.filter(({ version }) => gt(version, from) && lte(version, target.version));
}
