import type { Readable } from 'node:stream';

/** File on disk that is put into a store. */
export interface FileToPut {
  /** Path of the file on this machine. */
  readonly file: string;
  readonly sizeBytes: number;
  /** SHA-256 of the content, in hexadecimal. */
  readonly sha256: string;
}

/** Backup as a listing shows it. */
export interface ListedBackup {
  /** Path as in the spec: `bucket/key`, or the path in the volume. */
  readonly path: string;
  readonly sizeBytes: number;
}

/** Backup with the checksum that was stored beside it. */
export interface StoredBackup extends ListedBackup {
  /** SHA-256 of the content, in hexadecimal. Undefined if another program has put the file there. */
  readonly sha256: string | undefined;
}

/** Content of a backup. */
export interface OpenedBackup extends StoredBackup {
  /** Bytes of the backup. Destroy it when it is not read to its end. */
  readonly body: Readable;
}

/**
 * Place where backups are kept. A backup appears whole or not at all: a `put` that is interrupted leaves nothing that `list` or `stat` shows.
 * All paths are as in the spec, such as `bucket/key`. Calls are retried a few times where that may help, and reject with a StoreError.
 */
export interface BackupStore {
  /** Puts a file, and replaces one of the same path. */
  put(path: string, file: FileToPut, signal: AbortSignal): Promise<void>;
  /** Opens a backup. @throws StoreError `BackupNotFound` */
  get(path: string, signal: AbortSignal): Promise<OpenedBackup>;
  /** Returns undefined for a path without a backup. */
  stat(path: string, signal: AbortSignal): Promise<StoredBackup | undefined>;
  /** Lists all backups whose path begins with `prefix`, in the order of their paths. */
  list(prefix: string, signal: AbortSignal): Promise<readonly ListedBackup[]>;
  /** Deletes a backup, if it exists. */
  delete(path: string, signal: AbortSignal): Promise<void>;
}
