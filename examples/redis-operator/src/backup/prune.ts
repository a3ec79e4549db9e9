import { manifestKey, parseManifest } from './manifest.ts';
import type { ObjectStore } from './object-store.ts';

/** Milliseconds after which a folder without a manifest is what is left of an interrupted backup. */
const interruptedAfter = 24 * 60 * 60 * 1000;

interface PruneOptions {
  readonly store: ObjectStore;
  /** Folder with a folder for each backup. */
  readonly folder: string;
  /** Number of backups to keep. */
  readonly keep: number;
  readonly now: number;
}

/**
 * Deletes the oldest backups of a folder, and what is left of interrupted ones. Manifests go first, so that nothing looks whole that is not.
 * @returns the folders that were deleted
 */
export async function prune({ store, folder, keep, now }: PruneOptions): Promise<readonly string[]> {
  const files = await store.list(`${folder}/`);
  const complete: { path: string; completedAt: string }[] = [];
  const interrupted: string[] = [];
  for (const path of new Set(files.map(({ key }) => key.slice(0, key.lastIndexOf('/'))))) {
    const content = await store.get(manifestKey(path));
    const own = files.filter(({ key }) => key.startsWith(`${path}/`));
    if (content !== undefined) {
      const { completedAt } = parseManifest(content.toString('utf8'), manifestKey(path));
      complete.push({ path, completedAt });
    } else if (own.every(({ modifiedAt }) => modifiedAt < now - interruptedAfter)) interrupted.push(path);
  }
  const old = complete
    .sort((a, b) => (a.completedAt < b.completedAt ? 1 : -1))
    .slice(keep)
    .map(({ path }) => path);
  for (const path of [...old, ...interrupted]) {
    await store.delete(manifestKey(path));
    for (const { key } of files) if (key.startsWith(`${path}/`)) await store.delete(key);
  }
  return [...old, ...interrupted];
}
