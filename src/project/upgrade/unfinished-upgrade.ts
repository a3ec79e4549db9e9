import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonListOf, jsonMapOf } from '../../base/util/json-map.ts';
import { layout } from '../project/index.ts';

/**
 * Upgrade whose files are written, but whose later steps may be missing: installing dependencies, generating manifests, reporting conflicts.
 */
export interface UnfinishedUpgrade {
  /** Version of op-sdk to which the project is upgraded. */
  readonly version: string;
  /** Paths of the files that the upgrade has written with marks of conflicts. */
  readonly conflicts: readonly string[];
}

/**
 * Records that an upgrade begins. Call this before its files are written, by the holder of the project's lock: PROJECT gets the new version
 * together with all other files, so the record counts as soon as these are written, by the upgrade itself or by the recovery from a kill.
 * @param root absolute path of the project
 */
export async function recordUnfinishedUpgrade(root: string, upgrade: UnfinishedUpgrade): Promise<void> {
  const file = recordIn(root);
  const draft = `${file}.new`;
  await writeFile(draft, `${JSON.stringify(upgrade)}\n`);
  await rename(draft, file);
}

/**
 * Returns the upgrade that was interrupted after its files were written; undefined if there is none.
 * @param root absolute path of the project
 * @param version version that PROJECT names: the record of an upgrade whose files were not written is ignored
 */
export async function unfinishedUpgrade(
  root: string,
  version: string | undefined,
): Promise<UnfinishedUpgrade | undefined> {
  const text = await readFile(recordIn(root), 'utf8').catch(() => '{}');
  const record = jsonMapOf(parsed(text));
  if (version === undefined || record['version'] !== version) return undefined;
  const conflicts = jsonListOf(record['conflicts']).filter((each) => typeof each === 'string');
  return { version, conflicts };
}

/** Removes the record of an upgrade. Call this by the holder of the project's lock. */
export async function forgetUnfinishedUpgrade(root: string): Promise<void> {
  const file = recordIn(root);
  for (const each of [`${file}.new`, file]) await rm(each, { force: true });
}

/** Returns the path of the record, in the folder that git ignores: a clone has no unfinished upgrade. */
function recordIn(root: string): string {
  return join(root, layout.state, 'upgrade.json');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The record is renamed into place when it is complete, so other text is not from op-sdk.
    return undefined;
  }
}
