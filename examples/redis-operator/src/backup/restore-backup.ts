import { createHash } from 'node:crypto';
import type { ClusterNode } from '../redis/cluster-node.ts';
import { slotOf } from '../redis/key-slot.ts';
import type { RespWord } from '../redis/resp.ts';
import { RespError } from '../redis/resp-client.ts';
import { RdbParser, type RdbEntry } from '../rdb/rdb-parser.ts';
import { PermanentError } from './failure.ts';
import { manifestKey, parseManifest, type BackupPart } from './manifest.ts';
import type { ObjectStore } from './object-store.ts';

/** Commands without an answer that a node has at most. */
const window = 256;

/** The part of a cluster that a restore writes to. */
export interface RestoreTarget {
  /** Returns the nodes as one of them sees them. */
  nodes(): Promise<readonly ClusterNode[]>;
  /** Sends a command to a node. @throws RespError if it refuses it */
  call(ip: string, ...words: readonly RespWord[]): Promise<unknown>;
}

interface RestoreOptions {
  readonly target: RestoreTarget;
  readonly store: ObjectStore;
  /** Folder of the backup in the store. */
  readonly path: string;
  readonly now: () => number;
}

export interface RestoreResult {
  /** Number of keys that were written. */
  readonly restored: number;
  /** Number of keys that were there already: those of an interrupted try, or of a client. */
  readonly present: number;
  /** Number of keys that have expired since the backup. */
  readonly expired: number;
}

/**
 * Writes the keys of a backup into a cluster, each to the master that has its slot: the number of shards may be another one. Never overwrites
 * a key, so it can be called again after it was interrupted.
 * @throws PermanentError `BackupNotFound` or `BackupDamaged`; Error if the cluster has changed so often that a key found no master
 */
export async function restoreBackup({ target, store, path, now }: RestoreOptions): Promise<RestoreResult> {
  const key = manifestKey(path);
  const content = await store.get(key);
  if (content === undefined)
    throw new PermanentError(
      'BackupNotFound',
      `${key}: expected the manifest of a backup, which does not exist`,
    );
  const writer = new KeyWriter(target, now);
  await writer.refresh();
  for (const { parts, keys } of parseManifest(content.toString('utf8'), key).shards) {
    const parser = new RdbParser();
    let found = 0;
    for (const part of parts)
      for (const entry of parser.push(await readPart(store, part))) {
        if (entry.type === 'key') found++;
        await writer.write(entry);
      }
    parser.end();
    if (found !== keys) throw damaged(`${key}: expected ${keys} keys of a shard, got ${found}`);
  }
  return writer.end();
}

async function readPart(store: ObjectStore, { key, sha256 }: BackupPart): Promise<Buffer> {
  const content = await store.get(key);
  if (content === undefined) throw damaged(`${key}: expected a part of the backup, which does not exist`);
  const actual = createHash('sha256').update(content).digest('hex');
  if (actual !== sha256) throw damaged(`${key}: expected SHA-256 ${sha256}, got ${actual}`);
  return content;
}

const damaged = (message: string): PermanentError => new PermanentError('BackupDamaged', message);

/** Writes keys to the masters of their slots, several at a time. */
class KeyWriter {
  readonly #target: RestoreTarget;
  readonly #now: () => number;
  readonly #pending = new Set<Promise<void>>();
  #owners: readonly (string | undefined)[] = [];
  #error: Error | undefined;
  #restored = 0;
  #present = 0;
  #expired = 0;

  constructor(target: RestoreTarget, now: () => number) {
    this.#target = target;
    this.#now = now;
  }

  /** Asks which master has which slot. */
  async refresh(): Promise<void> {
    const owners: string[] = [];
    for (const { ip, slots } of await this.#target.nodes()) for (const slot of slots) owners[slot] = ip;
    this.#owners = owners;
  }

  /** Resolves when there is room for the next entry. @throws the first error of an earlier one */
  async write(entry: RdbEntry): Promise<void> {
    while (this.#pending.size >= window) await Promise.race(this.#pending);
    if (this.#error !== undefined) throw this.#error;
    const written = this.#send(entry)
      .catch((error: unknown) => {
        this.#error ??= error instanceof Error ? error : new Error(String(error));
      })
      .finally(() => this.#pending.delete(written));
    this.#pending.add(written);
  }

  /** Waits for all entries. @throws the first error */
  async end(): Promise<RestoreResult> {
    await Promise.all(this.#pending);
    if (this.#error !== undefined) throw this.#error;
    return { restored: this.#restored, present: this.#present, expired: this.#expired };
  }

  async #send(entry: RdbEntry): Promise<void> {
    if (entry.type === 'library') {
      for (const ip of new Set(this.#owners))
        if (ip !== undefined) await this.#target.call(ip, 'FUNCTION', 'LOAD', 'REPLACE', entry.code);
      return;
    }
    const { key, expiresAt } = entry;
    if (expiresAt !== undefined && expiresAt <= this.#now()) {
      this.#expired++;
      return;
    }
    const options = expiresAt === undefined ? [] : ['ABSTTL'];
    const words = ['RESTORE', key, expiresAt ?? 0, entry.dump(), ...options];
    const slot = slotOf(key);
    for (let attempt = 0; ; attempt++) {
      const owner = this.#owners[slot];
      if (owner === undefined) throw new Error(`slot ${slot} has no master`);
      try {
        await this.#target.call(owner, ...words);
        this.#restored++;
        return;
      } catch (error) {
        const message = error instanceof RespError ? error.message : '';
        if (message.startsWith('BUSYKEY')) {
          this.#present++;
          return;
        }
        if (attempt >= 5 || !/^(?:MOVED|ASK|TRYAGAIN|CLUSTERDOWN)\b/.test(message)) throw error;
        await this.refresh();
      }
    }
  }
}
