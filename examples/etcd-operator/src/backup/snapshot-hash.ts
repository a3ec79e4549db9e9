import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Bytes of the checksum at the end of a snapshot. */
const checksumBytes = 32;

/** Pages of the database, of which a snapshot has a whole number, are a multiple of this. */
const pageBytes = 512;

export interface HashedSnapshot {
  readonly sizeBytes: number;
  /** SHA-256 of the file, in hexadecimal. */
  readonly sha256: string;
  /** True if the SHA-256 at the end of the file is that of the database before it: nothing is missing. */
  readonly isWhole: boolean;
}

/**
 * Computes the checksum of a snapshot, and compares the one that etcd has put at its end. A snapshot is the database followed by its
 * SHA-256; `etcdutl snapshot restore` refuses one that breaks off.
 *
 * Source: `sendSnapshot` of etcd's server/etcdserver/api/v3rpc/maintenance.go.
 */
export class SnapshotHash {
  readonly #all = createHash('sha256');
  readonly #database = createHash('sha256');
  /** The last bytes so far, which may be the checksum. */
  #tail = Buffer.alloc(0);
  #size = 0;

  update(chunk: Buffer): void {
    this.#all.update(chunk);
    this.#size += chunk.length;
    const held = Buffer.concat([this.#tail, chunk]);
    const end = Math.max(0, held.length - checksumBytes);
    this.#database.update(held.subarray(0, end));
    this.#tail = held.subarray(end);
  }

  end(): HashedSnapshot {
    const isWhole =
      this.#size % pageBytes === checksumBytes &&
      this.#size > checksumBytes &&
      this.#database.digest().equals(this.#tail);
    return { sizeBytes: this.#size, sha256: this.#all.digest('hex'), isWhole };
  }
}

/** Computes the checksum of a snapshot in a file. */
export async function hashSnapshot(file: string): Promise<HashedSnapshot> {
  const hash = new SnapshotHash();
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.end();
}
