import { describe, expect, test } from 'vitest';
import { detectAnomalies, noHistory, type AnomalyHistory, type Look } from '../../src/cluster/anomalies.ts';
import type { Member } from '../../src/cluster/observed.ts';
import type { ShardLoad } from '../../src/cluster/shard-load.ts';
import type { NodeLoad } from '../../src/redis/node-info.ts';
import { idleLoad } from '../fixtures/node-load.ts';

const minute = 60_000;
const wanted = ['c-0', 'c-1', 'c-2'];

/** Returns the master of a shard. */
function master(shard: string, load: Partial<NodeLoad> = {}): Member {
  const name = `${shard}-0`;
  const self = {
    ...{ id: name, ip: name, flags: [], master: undefined, isLinked: true, moving: [] },
    slots: [wanted.indexOf(shard)],
  };
  return {
    ...{ name, shard, ip: name, nodeName: 'node', isReady: true, isOutdated: false, self, known: [self] },
    ...{ isServing: true, replication: { isInSync: true, offset: 0 }, load: { ...idleLoad, ...load } },
  };
}

interface Sight extends Partial<Omit<Look, 'observed' | 'loads'>> {
  /** Loads of the masters, as INFO says them. */
  readonly nodes?: readonly Partial<NodeLoad>[];
  /** Shards whose master does not answer. */
  readonly absent?: readonly string[];
  /** Loads of the shards. */
  readonly shards?: readonly Partial<ShardLoad>[];
}

/** Looks at a cluster again and again. @returns the reasons that were found, look by look */
function watch(...sights: readonly Sight[]): readonly string[] {
  let history: AnomalyHistory = noHistory;
  return sights.map(({ nodes = [], shards = [], absent = [], ...look }, index) => {
    const members = wanted.map((shard, at) => master(shard, nodes[at]));
    const known = members.map(({ self }) => self);
    const found = detectAnomalies(history, {
      observed: {
        wanted,
        members: members
          .filter(({ shard }) => !absent.includes(shard))
          .map((member) => ({ ...member, known })),
      },
      loads: wanted.map((shard, at) => ({
        ...{ shard, pod: `${shard}-0`, memory: 10, memoryLimit: 100, operationsPerSecond: 10 },
        ...shards[at],
      })),
      ...{ isSettled: true, hasRoomToGrow: true, now: index * 15_000, ...look },
    });
    ({ history } = found);
    return found.anomalies.map(({ reason }) => reason).join();
  });
}

describe('counters', () => {
  test('are about what comes after the first look, and are reported for five minutes', () => {
    const nodes = [{ rejectedConnections: 7 }];
    const more = [{ rejectedConnections: 8 }];
    expect(
      watch(
        { nodes, now: 0 },
        { nodes, now: 1 },
        { nodes: more, now: 2 },
        { nodes: more, now: 5 * minute },
        { nodes: more, now: 6 * minute },
      ),
    ).toEqual(['', '', 'ConnectionsRejected', 'ConnectionsRejected', '']);
  });

  test('begin again with a node that has started again', () => {
    const at = (evictedKeys: number): Sight => ({ nodes: [{ evictedKeys }] });
    expect(watch(at(9), at(0))).toEqual(['', '']);
    expect(watch(at(9), at(2))).toEqual(['', 'KeysEvicted']);
  });

  test('go on from the last answer of a node', () => {
    const at = (rejectedConnections: number): Sight => ({ nodes: [{ rejectedConnections }] });
    expect(watch(at(9), { absent: ['c-0'] }, at(10))).toEqual(['', '', 'ConnectionsRejected']);
    // Nobody knows it any more.
    expect(watch(at(9), { absent: wanted }, at(10))).toEqual(['', '', '']);
  });

  test('of evicted keys are no anomaly of a cache that does not grow', () => {
    const at = (evictedKeys: number): Sight => ({ nodes: [{ evictedKeys }], hasRoomToGrow: false });
    expect(watch(at(1), at(2))).toEqual(['', '']);
  });
});

describe('a replica lags', () => {
  const lag = (lagSeconds: number, lagBytes: number, backlogSize?: number): Sight => ({
    nodes: [
      {
        followers: [{ ip: 'c-1-0', lagSeconds, lagBytes }],
        ...(backlogSize !== undefined && { backlogSize }),
      },
    ],
  });
  test.each([
    { of: lag(1, 1000), found: '' },
    { of: lag(10, 0), found: 'ReplicationLag' },
    // It would have to copy everything after a short interruption.
    { of: lag(0, 1_048_577), found: 'ReplicationLag' },
    { of: lag(0, 1_048_577, 2_000_000), found: '' },
  ])('by seconds, or by more than the backlog: $of.nodes', ({ of, found }) => {
    expect(watch(of)).toEqual([found]);
  });

  test('and is named by its Pod', () => {
    const [behind, ...others] = wanted.map((shard) => master(shard));
    const followers = [
      { ip: 'c-1-0', lagSeconds: 11, lagBytes: 0 },
      { ip: '10.0.0.9', lagSeconds: 11, lagBytes: 0 },
    ];
    if (behind === undefined) throw new Error('no master');
    const members = [{ ...behind, load: { ...idleLoad, followers } }, ...others];
    const look = { observed: { wanted, members }, loads: [], isSettled: true, hasRoomToGrow: true, now: 0 };
    expect(detectAnomalies(noHistory, look).anomalies).toEqual([
      {
        reason: 'ReplicationLag',
        message: 'c-1-0, 10.0.0.9: the replica is behind its master: a failover would lose writes',
      },
    ]);
  });
});

describe('a shard is out of proportion', () => {
  const hot = [{ operationsPerSecond: 3000 }];
  const looks = (sight: Sight): readonly Sight[] => Array.from({ length: 6 }, () => sight);

  test('after a minute', () => {
    expect(watch(...looks({ shards: hot }))).toEqual(['', '', '', '', 'HotShard', 'HotShard']);
    const full = [{ memory: 85 }];
    expect(watch(...looks({ shards: full }))).toEqual(['', '', '', '', 'MemorySkew', 'MemorySkew']);
  });

  test.each([
    { title: 'others do as much', shards: wanted.map(() => ({ operationsPerSecond: 3000 })) },
    { title: 'there is little to do', shards: [{ operationsPerSecond: 900 }] },
    { title: 'it is not full', shards: [{ memory: 70 }] },
    {
      title: 'figures are missing',
      shards: [{ operationsPerSecond: 3000 }, { operationsPerSecond: undefined }],
    },
    { title: 'the memory has no limit', shards: [{ memory: 85 }, { memoryLimit: Infinity }] },
    { title: 'slots are moved', shards: hot, isSettled: false },
  ])('not if $title', ({ title: _, ...sight }) => {
    expect(new Set(watch(...looks(sight)))).toEqual(new Set(['']));
  });

  test('not if it was in proportion meanwhile', () => {
    const even = { shards: [] };
    expect(
      watch({ shards: hot }, { shards: hot }, { shards: hot }, even, { shards: hot }, { shards: hot }).join(
        '',
      ),
    ).toBe('');
  });
});

test('the worst anomaly comes first', () => {
  const nodes = [
    { rejectedConnections: 1, evictedKeys: 1, followers: [{ ip: '', lagSeconds: 60, lagBytes: 0 }] },
  ];
  expect(watch({}, { nodes })[1]).toBe('ConnectionsRejected,KeysEvicted,ReplicationLag');
});
