import { beforeEach, describe, expect, test } from 'vitest';
import { backUp } from '../../src/backup/back-up.ts';
import type { BackupManifest } from '../../src/backup/manifest.ts';
import type { ObjectStore } from '../../src/backup/object-store.ts';
import { prune } from '../../src/backup/prune.ts';
import { restoreBackup, type RestoreTarget } from '../../src/backup/restore-backup.ts';
import { slotCount, type ClusterNode } from '../../src/redis/cluster-node.ts';
import { slotOf } from '../../src/redis/key-slot.ts';
import { RespError } from '../../src/redis/resp-client.ts';
import type { RespWord } from '../../src/redis/resp.ts';
import { Crc64 } from '../../src/rdb/crc64.ts';

const day = 24 * 60 * 60 * 1000;

class MemoryStore implements ObjectStore {
  readonly files = new Map<string, { content: Buffer; modifiedAt: number }>();
  now = Date.parse('2026-01-01T00:00:00Z');

  put(key: string, content: Buffer): Promise<void> {
    this.files.set(key, { content, modifiedAt: this.now });
    return Promise.resolve();
  }
  get(key: string): Promise<Buffer | undefined> {
    return Promise.resolve(this.files.get(key)?.content);
  }
  list(prefix: string) {
    const found = [...this.files].filter(([key]) => key.startsWith(prefix));
    return Promise.resolve(found.map(([key, { modifiedAt }]) => ({ key, modifiedAt })).sort());
  }
  delete(key: string): Promise<void> {
    this.files.delete(key);
    return Promise.resolve();
  }
}

/** Returns an RDB file with texts, some of which expire. */
function rdbOf(keys: Readonly<Record<string, number | undefined>>): Buffer {
  const text = (value: string): Buffer => Buffer.from([value.length, ...Buffer.from(value)]);
  const entries = Object.entries(keys).map(([key, expiresAt]) => {
    const expiry = Buffer.alloc(9, 0xfc);
    expiry.writeBigInt64LE(BigInt(expiresAt ?? 0), 1);
    const value = [Buffer.from([0]), text(key), text(`value of ${key}`)];
    return Buffer.concat(expiresAt === undefined ? value : [expiry, ...value]);
  });
  const file = Buffer.concat([
    Buffer.from('REDIS0010'),
    Buffer.from([0xfe, 0]),
    ...entries,
    Buffer.from([0xff]),
  ]);
  return Buffer.concat([file, new Crc64().update(file).digest()]);
}

function nodesOf(masters: number): readonly ClusterNode[] {
  const size = Math.ceil(slotCount / masters);
  return Array.from({ length: masters }, (_, index) => {
    const first = index * size;
    const length = Math.min(size, slotCount - first);
    return {
      ...{ id: `m-${index}`, ip: `10.0.0.${index}`, flags: ['master'], master: undefined, isLinked: true },
      slots: Array.from({ length }, (_each, slot) => first + slot),
      moving: [],
    };
  });
}

/** Masters that store what they are sent, and refuse keys of other slots. */
class FakeMasters implements RestoreTarget {
  readonly written = new Map<string, { ip: string; ttl: unknown }>();
  /** Nodes of the first answer, before slots have moved. */
  outdated: readonly ClusterNode[] | undefined;
  readonly #nodes: readonly ClusterNode[];

  constructor(masters: number) {
    this.#nodes = nodesOf(masters);
  }

  nodes(): Promise<readonly ClusterNode[]> {
    const nodes = this.outdated ?? this.#nodes;
    this.outdated = undefined;
    return Promise.resolve(nodes);
  }

  async call(ip: string, ...[command, key, ttl]: readonly RespWord[]): Promise<unknown> {
    expect(command).toBe('RESTORE');
    const slot = slotOf(key as Buffer);
    const owner = this.#nodes.find(({ slots }) => slots.includes(slot));
    if (owner?.ip !== ip) throw new RespError(`MOVED ${slot} ${owner?.ip}:6379`);
    if (this.written.has(String(key))) throw new RespError('BUSYKEY Target key name already exists.');
    this.written.set(String(key), { ip, ttl });
    return 'OK';
  }
}

describe('backups', () => {
  let store: MemoryStore;
  beforeEach(() => {
    store = new MemoryStore();
  });
  const names = Array.from({ length: 60 }, (_, index) => `key-${index}`);
  const later = Date.parse('2027-01-01T00:00:00Z');
  const sourceOf = (nodes: readonly ClusterNode[], keys: Readonly<Record<string, number | undefined>>) => ({
    nodes: () => Promise.resolve(nodes),
    async *readRdb(node: ClusterNode) {
      const own = nodes.find(({ id }) => id === (node.master ?? node.id))?.slots ?? [];
      const held = Object.entries(keys).filter(([key]) => own.includes(slotOf(Buffer.from(key))));
      const file = rdbOf(Object.fromEntries(held));
      for (let start = 0; start < file.length; start += 100)
        yield await Promise.resolve(file.subarray(start, start + 100));
    },
  });
  const take = (path = 'default/nightly/1', keys: Readonly<Record<string, number | undefined>> = allKeys) =>
    backUp({ cluster: sourceOf(nodesOf(3), keys), store, path, now: () => new Date(store.now) });
  const allKeys = Object.fromEntries(names.map((name) => [name, undefined]));
  const restore = (target: RestoreTarget) =>
    restoreBackup({ target, store, path: 'default/nightly/1', now: () => store.now });

  test('hold a file of each shard, and a manifest with its slots and checksums', async () => {
    const manifest = await take();
    expect([...store.files.keys()]).toEqual([
      'default/nightly/1/shard-0.rdb.00000',
      'default/nightly/1/shard-1.rdb.00000',
      'default/nightly/1/shard-2.rdb.00000',
      'default/nightly/1/manifest.json',
    ]);
    expect(manifest.shards.map(({ slots }) => slots)).toEqual(['0-5461', '5462-10923', '10924-16383']);
    expect(manifest.shards.reduce((sum, { keys }) => sum + keys, 0)).toBe(60);
    const stored = store.files.get('default/nightly/1/manifest.json')?.content.toString() ?? '';
    expect(JSON.parse(stored)).toEqual(manifest);
  });

  test('are read from the master where the replica does not have all data yet', async () => {
    const masters = nodesOf(3);
    const [first] = masters;
    const replica = { ...masters[0], ...{ id: 'r-0', flags: ['slave'], master: first?.id, slots: [] } };
    const source = sourceOf([...masters, replica as ClusterNode], allKeys);
    const cluster = {
      ...source,
      readRdb: (node: ClusterNode) => {
        if (node.id !== replica.id) return source.readRdb(node);
        throw new RespError("NOMASTERLINK Can't SYNC while not connected with my master");
      },
    };
    const { shards } = await backUp({ cluster, store, path: 'default/nightly/1', now: () => new Date() });
    expect(shards.map(({ node }) => node)).toEqual(masters.map(({ id }) => id));
    expect(shards.reduce((sum, { keys }) => sum + keys, 0)).toBe(60);
  });

  test('are read from replicas where there are some', async () => {
    const masters = nodesOf(3);
    const replica = (master: string, change: Partial<ClusterNode> = {}): ClusterNode => ({
      ...{ id: `r-${master}`, ip: '', flags: ['slave'], master, isLinked: true, slots: [], moving: [] },
      ...change,
    });
    const nodes = [...masters, replica('m-0'), replica('m-1', { flags: ['slave', 'fail'] })];
    const cluster = sourceOf(nodes, allKeys);
    const manifest = await backUp({ cluster, store, path: 'a', now: () => new Date() });
    expect(manifest.shards.map(({ node }) => node)).toEqual(['r-m-0', 'm-1', 'm-2']);
  });

  test.each([
    { state: 'slots without a master', nodes: nodesOf(3).slice(1), message: 'expected 16384 slots' },
    {
      state: 'slots on their way',
      nodes: nodesOf(3).map((node) => ({
        ...node,
        moving: [{ slot: 1, direction: 'migrating' as const, peer: 'x' }],
      })),
      message: 'slots are being moved',
    },
  ])('are refused with $state', async ({ nodes, message }) => {
    const cluster = sourceOf(nodes, allKeys);
    await expect(backUp({ cluster, store, path: 'a', now: () => new Date() })).rejects.toThrow(message);
    expect(store.files.has('a/manifest.json')).toBe(false);
  });

  test('are refused if slots were moved meanwhile', async () => {
    const cluster = sourceOf(nodesOf(3), allKeys);
    const answers = [nodesOf(3), nodesOf(4)];
    const moving = { ...cluster, nodes: () => Promise.resolve(answers.shift() ?? []) };
    const taken = backUp({ cluster: moving, store, path: 'a', now: () => new Date() });
    await expect(taken).rejects.toThrow('slots were moved during the backup');
    expect(store.files.has('a/manifest.json')).toBe(false);
  });

  test.each([1, 3, 5])('are restored into %i masters, each key where its slot is', async (masters) => {
    await take('default/nightly/1', { ...allKeys, expires: later, expired: store.now - 1 });
    const target = new FakeMasters(masters);
    expect(await restore(target)).toEqual({ restored: 61, present: 0, expired: 1 });
    expect([...target.written.keys()].sort()).toEqual([...names, 'expires'].sort());
    expect(target.written.get('expires')).toMatchObject({ ttl: later });
  });

  test('are restored though slots move meanwhile', async () => {
    await take();
    const target = new FakeMasters(4);
    target.outdated = nodesOf(3);
    expect(await restore(target)).toMatchObject({ restored: 60 });
  });

  test('are restored again after an interruption, without a key being overwritten', async () => {
    await take();
    const target = new FakeMasters(3);
    target.written.set('key-1', { ip: 'a client', ttl: 0 });
    expect(await restore(target)).toEqual({ restored: 59, present: 1, expired: 0 });
    expect(target.written.get('key-1')).toMatchObject({ ip: 'a client' });
    expect(await restore(target)).toEqual({ restored: 0, present: 60, expired: 0 });
  });

  test('are not restored if a part was changed or is missing', async () => {
    await take();
    const part = 'default/nightly/1/shard-1.rdb.00000';
    await store.put(part, Buffer.from('other'));
    await expect(restore(new FakeMasters(3))).rejects.toThrow(`${part}: expected SHA-256`);
    await store.delete(part);
    await expect(restore(new FakeMasters(3))).rejects.toThrow('which does not exist');
  });

  test('are not restored without a manifest, or from one of another version', async () => {
    await expect(restore(new FakeMasters(3))).rejects.toThrow('expected the manifest of a backup');
    await store.put('default/nightly/1/manifest.json', Buffer.from('{"version":2}'));
    await expect(restore(new FakeMasters(3))).rejects.toThrow('expected version 1 of a backup, got 2');
  });

  test('are deleted when they are too many, and so is what an interrupted one has left', async () => {
    for (const name of ['1', '2', '3']) {
      await take(`default/nightly/${name}`);
      store.now += day;
    }
    await take('default/other/1');
    await store.put('default/nightly/interrupted/shard-0.rdb.00000', Buffer.from(''));
    const folders = () => new Set([...store.files.keys()].map((key) => key.slice(0, key.lastIndexOf('/'))));
    const options = { store, folder: 'default/nightly', keep: 2, made: 'default/nightly/3' };
    expect((await prune({ ...options, now: store.now })).deleted).toEqual(['default/nightly/1']);
    // It may be under way.
    expect(folders()).toContain('default/nightly/interrupted');
    await prune({ ...options, now: store.now + 2 * day });
    expect([...folders()].sort()).toEqual(['default/nightly/2', 'default/nightly/3', 'default/other/1']);
  });

  test('stay when they are new, whatever the clock of the others was', async () => {
    store.now += 2 * day;
    for (const name of ['1', '2']) await take(`default/nightly/${name}`);
    store.now -= 2 * day;
    await take('default/nightly/3');
    const options = { store, folder: 'default/nightly', keep: 2, made: 'default/nightly/3', now: store.now };
    expect((await prune(options)).deleted).toEqual([]);
  });

  test('are not taken for what is left of one by a file beside them', async () => {
    await take('default/nightly/1');
    await store.put('default/nightly/notes.txt', Buffer.from(''));
    await store.put('default/nightly/1/old/notes.txt', Buffer.from(''));
    const before = store.files.size;
    const options = { store, folder: 'default/nightly', keep: 1, made: 'default/nightly/1' };
    // The clock of the program is ahead of that of the store.
    expect((await prune({ ...options, now: store.now + 2 * day })).deleted).toEqual([]);
    expect(store.files.size).toBe(before);
  });

  test.each(['{"version":2}', 'damaged'])('are kept if nobody can read their manifest: %s', async (text) => {
    await store.put('default/nightly/0/manifest.json', Buffer.from(text));
    for (const name of ['1', '2']) {
      await take(`default/nightly/${name}`);
      store.now += day;
    }
    const options = { store, folder: 'default/nightly', keep: 1, made: 'default/nightly/2' };
    expect(await prune({ ...options, now: store.now })).toEqual({
      ...{ deleted: ['default/nightly/1'], unreadable: ['default/nightly/0'] },
    });
    expect(store.files.has('default/nightly/0/manifest.json')).toBe(true);
  });

  test('say what they are in a manifest that other programs can read', async () => {
    const manifest: BackupManifest = await take();
    expect(manifest.completedAt).toBe('2026-01-01T00:00:00.000Z');
    expect(manifest.shards[0]?.parts[0]?.sha256).toMatch(/^[0-9a-f]{64}$/);
  });
});
