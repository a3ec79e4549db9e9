import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BackupError } from './backup-error.ts';
import type { FetchedBackup } from './result.ts';
import { hashSnapshot } from './snapshot-hash.ts';
import type { Storage } from './storage.ts';
import type { BackupStore } from './stores/backup-store.ts';

export interface FetchRequest {
  readonly storage: Storage;
  /** Checksum that the backup must have. Undefined: the one that is stored beside it, if there is one. */
  readonly sha256?: string | undefined;
  /** File to write the snapshot to. */
  readonly file: string;
  /** Folder of the data of the member that the snapshot is for. If there is data already, nothing is fetched. */
  readonly dataDir?: string | undefined;
}

/**
 * Fetches a snapshot from a store, and checks that it is the one that was put there and that nothing is missing. The file appears when all
 * of it has been checked.
 *
 * @throws BackupError, StoreError
 */
export async function fetchBackup(
  { storage, sha256, file }: FetchRequest,
  { store, signal }: { readonly store: BackupStore; readonly signal: AbortSignal },
): Promise<FetchedBackup> {
  const { path } = storage;
  const part = `${file}.part`;
  await mkdir(dirname(part), { recursive: true });
  try {
    const opened = await store.get(path, signal);
    try {
      await pipeline(opened.body, createWriteStream(part), { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw new BackupError('SnapshotIncomplete', `get ${path}: ${(error as Error).message}`, {
        cause: error,
      });
    }
    const found = await hashSnapshot(part);
    const wanted = sha256 ?? opened.sha256;
    if (wanted !== undefined && wanted !== found.sha256)
      throw new BackupError(
        'ChecksumMismatch',
        `${path}: expected the checksum ${wanted}, got ${found.sha256} of ${found.sizeBytes} bytes`,
      );
    if (!found.isWhole)
      throw new BackupError(
        'SnapshotIncomplete',
        `${path}: expected a snapshot of etcd with its checksum at the end, got ${found.sizeBytes} bytes without it`,
      );
    await rename(part, file);
    return { path, sizeBytes: found.sizeBytes, sha256: found.sha256 };
  } finally {
    await rm(part, { force: true });
  }
}
