import { existsSync } from 'node:fs';
import { link, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface PlaceRequest {
  /** Snapshot that the data was made from. It is deleted. */
  readonly file: string;
  /** Folder of the member's data. */
  readonly dataDir: string;
}

/** Returns the folder into which etcdutl writes the data: beside that of the member, so that it can be renamed. */
export function restoringDir(dataDir: string): string {
  return `${dataDir}.restoring`;
}

/**
 * Puts the data that etcdutl has made in its place, all at once. If there is data already, as when the containers of a Pod run again after
 * its node was restarted, that data is left as it is: it has what was written since.
 */
export async function placeData({ file, dataDir }: PlaceRequest): Promise<void> {
  const made = restoringDir(dataDir);
  if (existsSync(dataDir)) await rm(made, { recursive: true, force: true });
  else await rename(made, dataDir);
  await rm(file, { force: true });
}

/**
 * Prepares the volume of a member for etcdutl: removes what an interrupted run has left. If there is data already, etcdutl gets its
 * database in place of a snapshot, and what it makes of it is thrown away: nothing is fetched again, as the backup may be long gone.
 *
 * @returns false if there is data already
 */
export async function prepareData({ file, dataDir }: PlaceRequest): Promise<boolean> {
  await rm(restoringDir(dataDir), { recursive: true, force: true });
  await rm(file, { force: true });
  if (!existsSync(dataDir)) return true;
  await mkdir(dirname(file), { recursive: true });
  await link(join(dataDir, 'member', 'snap', 'db'), file);
  return false;
}
