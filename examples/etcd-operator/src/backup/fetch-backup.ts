import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BackupError } from './backup-error.ts';
import type { FetchedBackup } from './result.ts';
import { retry, type Delays } from './retry.ts';
import { hashSnapshot } from './snapshot-hash.ts';
import type { Storage } from './storage.ts';
import type { BackupStore } from './stores/backup-store.ts';
import { StoreError } from './stores/store-error.ts';

export interface FetchRequest {
  readonly storage: Storage;
  /** Checksum that the backup must have. Undefined: the one that is stored beside it, if there is one. */
  readonly sha256?: string | undefined;
  /** File to write the snapshot to. */
  readonly file: string;
  /** Folder of the data of the member that the snapshot is for. If there is data already, nothing is fetched. */
  readonly dataDir?: string | undefined;
}

interface FetchOptions {
  readonly store: BackupStore;
  readonly signal: AbortSignal;
  /** Waits between attempts, each of which has those of the store. Default: 1 and 5 seconds. */
  readonly delays?: Delays | undefined;
}

/**
 * Waits of about ten minutes in all, for the first member of a cluster: the members before it have been deleted, so that an outage of the
 * store should not end the restore.
 */
export const patientDelays: Delays = [5000, 10_000, 20_000, 40_000, ...Array<number>(9).fill(60_000)];

/**
 * Fetches a snapshot from a store, and checks that it is the one that was put there and that nothing is missing. The file appears when all
 * of it has been checked. A download that breaks off is repeated, a snapshot that is not as expected is not.
 *
 * @throws BackupError, StoreError
 */
export function fetchBackup(
  request: FetchRequest,
  { store, signal, delays = [1000, 5000] }: FetchOptions,
): Promise<FetchedBackup> {
  const isRetryable = (error: unknown): boolean =>
    error instanceof BrokenDownload || (error instanceof StoreError && error.retryable);
  return retry(() => fetchOnce(request, store, signal), isRetryable, delays, signal);
}

/** Error of a download that broke off. */
class BrokenDownload extends BackupError {}

async function fetchOnce(
  { storage, sha256, file }: FetchRequest,
  store: BackupStore,
  signal: AbortSignal,
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
      throw new BrokenDownload('SnapshotIncomplete', `get ${path}: ${(error as Error).message}`, {
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
