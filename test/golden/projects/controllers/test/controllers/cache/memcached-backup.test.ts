// Unit tests on an API server in memory; they need no cluster and no binaries.
import { createTestApi } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { expect, it } from 'vitest';
import { Memcached } from '../../../src/api/cache/v1/memcached.ts';
import {
  memcachedBackupController,
  observedStatus,
} from '../../../src/controllers/cache/memcached-backup.ts';

expect.extend(kubernetesMatchers);

const memcached: Memcached = {
  apiVersion: 'cache.example.com/v1',
  kind: 'Memcached',
  metadata: { name: 'memcached-sample', namespace: 'default' },
  spec: {},
};

it('reports that the object is ready, and for which generation', async () => {
  await using api = await createTestApi({ kinds: [Memcached], objects: [memcached] });
  api.add(memcachedBackupController);
  await api.settle();
  const observed = await api.client.get(Memcached, memcached.metadata);
  expect(observed).toHaveCondition('MemcachedBackupReady', 'True', { reason: 'Reconciled' });
  expect(observed.status?.conditions).toMatchObject([{ observedGeneration: 1 }]);
});

it('keeps the time of the last transition as long as nothing changes', () => {
  const first = observedStatus(memcached);
  const second = observedStatus({ ...memcached, status: first });
  expect(second).toEqual(first);
});
