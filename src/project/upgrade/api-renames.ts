import { gt, lte } from 'semver';

/** Export of op-sdk that has another name from a version on. */
export interface ApiRename {
  /** Version that has the new name first. */
  readonly version: string;
  /** Module specifier: `opsdk`, `opsdk/testing`. */
  readonly module: string;
  readonly from: string;
  readonly to: string;
}

/** Renamed exports of all versions, oldest first. A rename of a public export adds its entry here. */
export const apiRenames: readonly ApiRename[] = [];

/** Returns the renames that a project meets between two versions, oldest first. */
export function renamesBetween(
  table: readonly ApiRename[],
  { from, to }: { readonly from: string; readonly to: string },
): readonly ApiRename[] {
  return table.filter(({ version }) => gt(version, from) && lte(version, to));
}
