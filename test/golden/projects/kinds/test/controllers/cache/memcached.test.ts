import { expect, it } from 'vitest';
import type { Memcached } from '../../../src/api/cache/v1alpha1/memcached.ts';
import { observedStatus } from '../../../src/controllers/cache/memcached.ts';

const memcached: Memcached = {
  apiVersion: 'cache.example.com/v1alpha1',
  kind: 'Memcached',
  metadata: { name: 'memcached-sample', generation: 2 },
  spec: {},
};

it('reports that the object is ready, and for which generation', () => {
  expect(observedStatus(memcached).conditions).toMatchObject([
    { type: 'Ready', status: 'True', observedGeneration: 2 },
  ]);
});

it('keeps the time of the last transition as long as nothing changes', () => {
  const first = observedStatus(memcached);
  const second = observedStatus({ ...memcached, status: first });
  expect(second).toEqual(first);
});
