import { longestBackup, manifestKey, parseManifest } from './manifest.ts';
import type { ObjectStore } from './object-store.ts';

interface PruneOptions {
  readonly store: ObjectStore;
  /** Folder with a folder for each backup. */
  readonly folder: string;
  /** Number of backups to keep. */
  readonly keep: number;
  /** Folder of the new backup, which stays. By a clock that was ahead, others may seem to be newer. */
  readonly made: string;
  readonly now: number;
}

export interface PruneResult {
  /** Folders that were deleted. */
  readonly deleted: readonly string[];
  /** Folders that are kept, as their manifests cannot be read: damaged ones, or those of a later version. */
  readonly unreadable: readonly string[];
}

/**
 * Deletes the oldest backups of a folder, and what is left of interrupted ones. Manifests go first, so that nothing looks whole that is not.
 */
export async function prune({ store, folder, keep, made, now }: PruneOptions): Promise<PruneResult> {
  const files = await store.list(`${folder}/`);
  const complete: { path: string; completedAt: string }[] = [];
  const interrupted: string[] = [];
  const unreadable: string[] = [];
  for (const path of new Set(files.flatMap(({ key }) => backupOf(folder, key)))) {
    const content = await store.get(manifestKey(path));
    const own = files.filter(({ key }) => key.startsWith(`${path}/`));
    if (content !== undefined) {
      const completedAt = completionOf(content.toString('utf8'));
      if (completedAt === undefined) unreadable.push(path);
      else complete.push({ path, completedAt });
    } else if (own.every(({ modifiedAt }) => modifiedAt < now - longestBackup * 1000)) interrupted.push(path);
  }
  const old = complete
    .sort((a, b) => (a.completedAt < b.completedAt ? 1 : -1))
    .slice(keep)
    .map(({ path }) => path)
    .filter((path) => path !== made);
  for (const path of [...old, ...interrupted]) {
    await store.delete(manifestKey(path));
    for (const { key } of files) if (key.startsWith(`${path}/`)) await store.delete(key);
  }
  return { deleted: [...old, ...interrupted], unreadable };
}

/** Returns undefined for a manifest that cannot be read. */
function completionOf(manifest: string): string | undefined {
  try {
    return parseManifest(manifest, '').completedAt;
  } catch {
    return undefined;
  }
}

/** Returns the folder of the backup that a file belongs to. What others have put beside or below backups belongs to none. */
function backupOf(folder: string, key: string): readonly string[] {
  const [name, ...rest] = key.slice(folder.length + 1).split('/');
  return name !== undefined && rest.length === 1 ? [`${folder}/${name}`] : [];
}
