import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupError } from './backup-error.ts';
import { seriesOf, seriesPath, surplusOf } from './backup-name.ts';
import { downloadSnapshot, newestMember } from './etcd-maintenance.ts';
import type { TlsFiles } from './http.ts';
import type { SavedBackup } from './result.ts';
import type { Storage } from './storage.ts';
import type { BackupStore } from './stores/backup-store.ts';

export interface SaveRequest {
  readonly endpoints: readonly string[];
  readonly storage: Storage;
  /** Time of the schedule that the backup is for, as ISO 8601 in seconds. Undefined for a single backup, whose path is that of the storage. */
  readonly scheduledFor?: string | undefined;
  /** Number of backups of the series to keep. Undefined: all. */
  readonly keep?: number | undefined;
  /** Folder for the snapshot on its way. */
  readonly workFolder: string;
}

export interface SaveOptions {
  readonly store: BackupStore;
  readonly tls?: TlsFiles | undefined;
  readonly signal: AbortSignal;
}

/**
 * Takes a snapshot of the member with the newest data, puts it into the store, and deletes the oldest backups of the series.
 *
 * It may be repeated: if the backup of this time of the schedule is there, because the program ended before it could say so, none is made.
 * The oldest backups are deleted last, so that a failure never leaves fewer than were asked for. Those with a higher revision than the new
 * one stay.
 *
 * @throws BackupError, StoreError
 */
export async function saveBackup(
  { endpoints, storage, scheduledFor, keep, workFolder }: SaveRequest,
  { store, tls, signal }: SaveOptions,
): Promise<SavedBackup> {
  const prefix = storage.path;
  if (scheduledFor === undefined) return save(prefix, undefined);
  const before = seriesOf(prefix, await pathsOf());
  const made = before.findLast((each) => each.scheduledFor === scheduledFor);
  const saved =
    made === undefined ? await save(undefined, scheduledFor) : await existing(made.path, made.revision);
  if (keep === undefined) return saved;
  const series = seriesOf(prefix, await pathsOf());
  const surplus = surplusOf(series, keep);
  // A lower revision is that of a cluster that was created again, perhaps by mistake: what it had before is not rotated away. Nor is the new
  // backup, which comes before those of a clock that was ahead.
  const outdated = surplus.filter(({ path, revision }) => revision <= saved.revision && path !== saved.path);
  for (const { path } of outdated) await store.delete(path, signal);
  return { ...saved, oldest: series[surplus.length]?.scheduledFor, deleted: outdated.length };

  async function pathsOf(): Promise<readonly string[]> {
    return (await store.list(`${prefix}_`, signal)).map(({ path }) => path);
  }

  async function save(fixedPath: string | undefined, time: string | undefined): Promise<SavedBackup> {
    const member = await newestMember(endpoints, { tls, signal });
    await mkdir(workFolder, { recursive: true });
    const file = join(workFolder, 'snapshot.db');
    try {
      const { sizeBytes, sha256 } = await downloadSnapshot(member, file, { tls, signal });
      const { revision, version } = member;
      const path = fixedPath ?? seriesPath(prefix, { revision, scheduledFor: time ?? '' });
      await store.put(path, { file, sizeBytes, sha256 }, signal);
      return { path, revision, etcdVersion: version, sizeBytes, sha256 };
    } finally {
      await rm(file, { force: true });
    }
  }

  /** Returns the backup that a run before this one has put. */
  async function existing(path: string, revision: number): Promise<SavedBackup> {
    const found = await store.stat(path, signal);
    if (found?.sha256 === undefined)
      throw new BackupError('SnapshotIncomplete', `${path}: expected a backup with its checksum`);
    return { path, revision, sizeBytes: found.sizeBytes, sha256: found.sha256 };
  }
}
