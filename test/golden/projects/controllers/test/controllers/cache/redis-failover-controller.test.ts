// Unit tests on an API server in memory; they need no cluster and no binaries.
import { createTestApi } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { expect, it } from 'vitest';
import { Redis } from '../../../src/api/cache/v1/redis.ts';
import {
  redisFailoverController,
  observedStatus,
} from '../../../src/controllers/cache/redis-failover-controller.ts';

expect.extend(kubernetesMatchers);

const redis: Redis = {
  apiVersion: 'cache.example.com/v1',
  kind: 'Redis',
  metadata: { name: 'redis-sample', namespace: 'default' },
  spec: {},
};

it('reports that the object is ready, and for which generation', async () => {
  await using api = await createTestApi({ kinds: [Redis], objects: [redis] });
  api.add(redisFailoverController);
  await api.settle();
  const observed = await api.client.get(Redis, redis.metadata);
  expect(observed).toHaveCondition('RedisFailoverReady', 'True', { reason: 'Reconciled' });
  expect(observed.status?.conditions).toMatchObject([{ observedGeneration: 1 }]);
});

it('keeps the time of the last transition as long as nothing changes', () => {
  const first = observedStatus(redis);
  const second = observedStatus({ ...redis, status: first });
  expect(second).toEqual(first);
});
