import { PermanentError } from './failure.ts';

/** Part of an RDB file, as an object of its own in the store. */
export interface BackupPart {
  readonly key: string;
  readonly bytes: number;
  /** SHA-256 of the content, in hexadecimal. */
  readonly sha256: string;
}

/** RDB file of a shard. */
export interface BackupShard {
  /** ID of the node that was read. */
  readonly node: string;
  /** Slots of the shard as ranges, such as `0-5460`. */
  readonly slots: string;
  /** Number of keys in the file. */
  readonly keys: number;
  /** Parts of the file, in their order. */
  readonly parts: readonly BackupPart[];
}

/** Contents of a backup. It is stored last: a folder without it is an interrupted backup. */
export interface BackupManifest {
  readonly version: 1;
  /** Time in the form of RFC 3339. */
  readonly completedAt: string;
  readonly shards: readonly BackupShard[];
}

/** Seconds that a backup may take. A folder that is older and has no manifest is what is left of an interrupted one. */
export const longestBackup = 86_400;

export const manifestKey = (path: string): string => `${path}/manifest.json`;

export const partKey = (path: string, shard: number, part: number): string =>
  `${path}/shard-${shard}.rdb.${String(part).padStart(5, '0')}`;

/** @throws PermanentError `BackupDamaged` if the text is not a manifest of a backup */
export function parseManifest(text: string, key: string): BackupManifest {
  const refuse = (expected: string): PermanentError =>
    new PermanentError('BackupDamaged', `${key}: expected ${expected}`);
  let manifest: Partial<BackupManifest> | null;
  try {
    manifest = JSON.parse(text) as Partial<BackupManifest> | null;
  } catch {
    throw refuse('the manifest of a backup, got text that is not JSON');
  }
  if (manifest?.version !== 1)
    throw refuse(`version 1 of a backup, got ${JSON.stringify(manifest?.version)}`);
  const isWhole = manifest.shards?.every(({ parts }) =>
    parts.every(({ key: part, sha256 }) => typeof part === 'string' && typeof sha256 === 'string'),
  );
  if (isWhole !== true || typeof manifest.completedAt !== 'string')
    throw refuse('completedAt, and shards with parts');
  return manifest as BackupManifest;
}
