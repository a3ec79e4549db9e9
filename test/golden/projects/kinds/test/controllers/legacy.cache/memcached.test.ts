import { expect, it } from 'vitest';
import type { Memcached } from '../../../src/api/legacy.cache/v1/memcached.ts';
import { observedStatus } from '../../../src/controllers/legacy.cache/memcached.ts';

const memcached: Memcached = {
  apiVersion: 'legacy.cache.example.com/v1',
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
