import { createHash } from 'node:crypto';
import { formatSlots, slotCount, type ClusterNode } from '../redis/cluster-node.ts';
import { RespError } from '../redis/resp-client.ts';
import { RdbParser } from '../rdb/rdb-parser.ts';
import { manifestKey, partKey, type BackupManifest, type BackupPart, type BackupShard } from './manifest.ts';
import type { ObjectStore } from './object-store.ts';

/** Bytes of a part: what is held in memory. */
const partSize = 32 * 1024 * 1024;

/** The part of a cluster that a backup reads. */
export interface BackupSourceCluster {
  /** Returns the nodes as one of them sees them. */
  nodes(): Promise<readonly ClusterNode[]>;
  /** Reads a snapshot of a node as an RDB file. */
  readRdb(node: ClusterNode): AsyncIterable<Buffer>;
}

interface BackUpOptions {
  readonly cluster: BackupSourceCluster;
  readonly store: ObjectStore;
  /** Folder of the backup in the store. Files of an interrupted try there are replaced. */
  readonly path: string;
  readonly now: () => Date;
}

/**
 * Stores a snapshot of each shard. A snapshot is one moment of a shard, not of all of them.
 * @throws Error if slots are not served or moved meanwhile: a key could be in none of the snapshots
 */
export async function backUp({ cluster, store, path, now }: BackUpOptions): Promise<BackupManifest> {
  const before = await cluster.nodes();
  const masters = mastersOf(before);
  const shards: BackupShard[] = [];
  for (const [index, master] of masters.entries()) {
    const keyOf = (part: number): string => partKey(path, index, part);
    const stored = await storeFirst(sourcesOf(master, before), (node) =>
      storeShard(cluster.readRdb(node), store, keyOf),
    );
    shards.push({ slots: formatSlots(master.slots), ...stored });
  }
  const after = mastersOf(await cluster.nodes());
  const slotsOf = (nodes: readonly ClusterNode[]): string =>
    nodes
      .map(({ slots }) => formatSlots(slots))
      .sort()
      .join(';');
  if (slotsOf(after) !== slotsOf(masters)) throw new Error('slots were moved during the backup');
  const manifest: BackupManifest = { version: 1, completedAt: now().toISOString(), shards };
  await store.put(manifestKey(path), Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`));
  return manifest;
}

/** @throws Error unless all slots are served and none is on its way */
function mastersOf(nodes: readonly ClusterNode[]): readonly ClusterNode[] {
  const masters = nodes.filter(({ slots, flags }) => slots.length > 0 && !flags.includes('fail'));
  const served = masters.reduce((sum, { slots }) => sum + slots.length, 0);
  if (served !== slotCount) throw new Error(`expected ${slotCount} slots with a master, got ${served}`);
  if (nodes.some(({ moving }) => moving.length > 0)) throw new Error('slots are being moved');
  return masters;
}

/** Returns the nodes that have the data of a shard: replicas first, which spare the master the work. */
function sourcesOf(master: ClusterNode, nodes: readonly ClusterNode[]): readonly ClusterNode[] {
  const replicas = nodes.filter(
    (node) =>
      node.master === master.id && node.isLinked && !node.flags.some((flag) => flag.startsWith('fail')),
  );
  return [...replicas, master];
}

/** Stores the shard of the first node that gives it. A replica refuses before the first byte if it does not have all data itself. */
async function storeFirst<T>(
  nodes: readonly ClusterNode[],
  storeFrom: (node: ClusterNode) => Promise<T>,
): Promise<T & { readonly node: string }> {
  for (const [index, node] of nodes.entries())
    try {
      return { node: node.id, ...(await storeFrom(node)) };
    } catch (error) {
      if (!(error instanceof RespError) || index === nodes.length - 1) throw error;
    }
  throw new Error('expected a node to read');
}

/** Stores a file in parts, and parses it on the way: a file that could not be restored is not a backup. */
async function storeShard(
  file: AsyncIterable<Buffer>,
  store: ObjectStore,
  keyOf: (part: number) => string,
): Promise<Pick<BackupShard, 'keys' | 'parts'>> {
  const parser = new RdbParser();
  const parts: BackupPart[] = [];
  let keys = 0;
  const storePart = async (content: Buffer): Promise<void> => {
    keys += parser.push(content).filter(({ type }) => type === 'key').length;
    const key = keyOf(parts.length);
    await store.put(key, content);
    parts.push({
      key,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
  };
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of file) {
    chunks.push(chunk);
    size += chunk.length;
    if (size < partSize) continue;
    await storePart(Buffer.concat(chunks));
    chunks = [];
    size = 0;
  }
  if (size > 0) await storePart(Buffer.concat(chunks));
  parser.end();
  return { keys, parts };
}
