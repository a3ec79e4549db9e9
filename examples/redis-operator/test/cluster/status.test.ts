import { describe, expect, test } from 'vitest';
import type { DistributedRedisCluster } from '../../src/api/redis/v1alpha1/distributed-redis-cluster.ts';
import type { Member, Observed } from '../../src/cluster/observed.ts';
import { observedStatus } from '../../src/cluster/status.ts';
import { idleLoad } from '../fixtures/node-load.ts';

const cluster: DistributedRedisCluster = {
  apiVersion: 'redis.kun/v1alpha1',
  kind: 'DistributedRedisCluster',
  metadata: { name: 'c', generation: 1 },
  spec: {},
};

/** Returns the first node of a shard. @param slots number of its slots */
function member(shard: string, slots: number, isServing: boolean): Member {
  const name = `${shard}-0`;
  const self = {
    ...{ id: name, ip: name, flags: [], master: undefined, isLinked: true, moving: [] },
    slots: Array.from({ length: slots }, (_, slot) => slot),
  };
  const replication = { isInSync: true, offset: 0 };
  const pod = { name, shard, ip: name, nodeName: 'node', isReady: true, isOutdated: false };
  return { ...pod, self, known: [self], isServing, replication, load: idleLoad };
}

/** Returns the status of the condition Available. */
function availability(...members: readonly Member[]): string | undefined {
  const observed: Observed = {
    ...{ wanted: [], shards: [], pods: [], unreachable: [], hasClaims: false },
    members,
  };
  const step = { type: 'WaitForGossip', message: '' } as const;
  const { conditions } = observedStatus(cluster, {
    ...{ observed, step, restoration: undefined, scaling: undefined, anomalies: [] },
  });
  return conditions?.find(({ type }) => type === 'Available')?.status;
}

describe('a cluster is available', () => {
  test('while all masters see all slots served, whatever a node sees that has just come', () => {
    expect(availability(member('c-0', 8192, true), member('c-1', 8192, true))).toBe('True');
    expect(availability(member('c-0', 8192, true), member('c-1', 8192, true), member('c-2', 0, false))).toBe(
      'True',
    );
    expect(availability(member('c-0', 8192, true), member('c-1', 8192, false))).toBe('False');
  });

  test('not before a master has slots', () => {
    expect(availability()).toBe('False');
    expect(availability(member('c-0', 0, true))).toBe('False');
  });
});
