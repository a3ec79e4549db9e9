import { gt, lte } from 'semver';
import { readFileOf } from '../project/index.ts';

/** Export of op-sdk that has another name from a version on. */
export interface ApiRename {
  /** Version that has the new name first. */
  readonly version: string;
  /** Module specifier: `opsdk`, `opsdk/testing`. */
  readonly module: string;
  readonly from: string;
  readonly to: string;
}

/** File of the package with the renamed exports of all versions, oldest first. A rename of a public export adds its entry there. */
const renamesFile = 'templates/api-renames.json';

/**
 * Returns the renames that a project meets between two versions, oldest first, as the newer of them lists them: the running op-sdk may be
 * older.
 *
 * @param target root and version of the package that a project is to have
 */
export async function renamesSince(
  from: string,
  target: { readonly root: string; readonly version: string },
): Promise<readonly ApiRename[]> {
  const text = await readFileOf(target.root, renamesFile);
  const table = JSON.parse(text ?? '[]') as readonly ApiRename[];
  return table.filter(({ version }) => gt(version, from) && lte(version, target.version));
}
