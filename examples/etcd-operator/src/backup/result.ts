import type { FailureReason } from './backup-error.ts';

/** Snapshot that was fetched and checked. */
export interface FetchedBackup {
  readonly path: string;
  readonly sizeBytes: number;
  /** SHA-256 in hexadecimal. */
  readonly sha256: string;
}

/** Backup that was put into a store. */
export interface SavedBackup extends FetchedBackup {
  /** Revision of etcd before the snapshot began: it has all changes up to this one. */
  readonly revision: number;
  readonly etcdVersion?: string | undefined;
  /** Time of the schedule before which backups were deleted, but for those with a higher revision. */
  readonly oldest?: string | undefined;
  /** Number of older backups that were deleted. */
  readonly deleted?: number | undefined;
}

/** Outcome of the program: the termination message of its container. */
export type Result =
  | { readonly saved: SavedBackup }
  | { readonly fetched: FetchedBackup }
  /** Folder with the data of a member that starts from a backup. */
  | { readonly prepared: { readonly dataDir: string } }
  | { readonly failed: { readonly reason: FailureReason; readonly message: string } };

/** Bytes of a termination message that the kubelet keeps. */
const longestMessage = 4096;

/** Returns the termination message of an outcome. The message of a failure is cut so that all of it is valid JSON. */
export function resultText(result: Result): string {
  let text = JSON.stringify(result);
  if (!('failed' in result)) return text;
  let { message } = result.failed;
  while (Buffer.byteLength(text) > longestMessage && message !== '') {
    message = message.slice(0, Math.floor(message.length * 0.75));
    text = JSON.stringify({ failed: { ...result.failed, message: `${message}…` } });
  }
  return text;
}

/**
 * Reads a termination message. A message of another program, as a Pod may have that was changed by hand, gives undefined: what is read here
 * comes from another process.
 */
export function readResult(text: string | undefined): Result | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
  const { saved, fetched, failed, prepared } = fieldsOf(value);
  if (prepared !== undefined) {
    const { dataDir } = fieldsOf(prepared);
    return typeof dataDir === 'string' ? { prepared: { dataDir } } : undefined;
  }
  if (failed !== undefined) {
    const { reason, message } = fieldsOf(failed);
    if (typeof reason !== 'string' || !/^[A-Z][A-Za-z]{0,99}$/.test(reason) || typeof message !== 'string')
      return undefined;
    return { failed: { reason: reason as FailureReason, message } };
  }
  const backup = fieldsOf(saved ?? fetched);
  const { path, sizeBytes, sha256, revision, etcdVersion, oldest, deleted } = backup;
  if (
    typeof path !== 'string' ||
    !isCount(sizeBytes) ||
    typeof sha256 !== 'string' ||
    !/^[0-9a-f]{64}$/.test(sha256)
  )
    return undefined;
  const found = { path, sizeBytes, sha256 };
  if (saved === undefined) return { fetched: found };
  if (!isCount(revision)) return undefined;
  return {
    saved: {
      ...found,
      revision,
      ...(typeof etcdVersion === 'string' ? { etcdVersion } : {}),
      ...(typeof oldest === 'string' ? { oldest } : {}),
      ...(isCount(deleted) ? { deleted } : {}),
    },
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
