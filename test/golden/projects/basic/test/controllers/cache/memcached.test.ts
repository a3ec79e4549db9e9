// Licensed under the Apache License, Version 2.0 (the "License");
// you may not use this file except in compliance with the License.
// You may obtain a copy of the License at
//
//     http://www.apache.org/licenses/LICENSE-2.0
//
// Unless required by applicable law or agreed to in writing, software
// distributed under the License is distributed on an "AS IS" BASIS,
// WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
// See the License for the specific language governing permissions and
// limitations under the License.

// Unit tests on an API server in memory; they need no cluster and no binaries.
import { createTestApi } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { expect, it } from 'vitest';
import { Memcached } from '../../../src/api/cache/v1alpha1/memcached.ts';
import { memcachedController, observedStatus } from '../../../src/controllers/cache/memcached.ts';

expect.extend(kubernetesMatchers);

const memcached: Memcached = {
  apiVersion: 'cache.example.com/v1alpha1',
  kind: 'Memcached',
  metadata: { name: 'memcached-sample', namespace: 'default' },
  spec: {},
};

it('reports that the object is ready, and for which generation', async () => {
  await using api = await createTestApi({ kinds: [Memcached], objects: [memcached] });
  api.add(memcachedController);
  await api.settle();
  const observed = await api.client.get(Memcached, memcached.metadata);
  expect(observed).toHaveCondition('Ready', 'True', { reason: 'Reconciled' });
  expect(observed.status?.conditions).toMatchObject([{ observedGeneration: 1 }]);
});

it('keeps the time of the last transition as long as nothing changes', () => {
  const first = observedStatus(memcached);
  const second = observedStatus({ ...memcached, status: first });
  expect(second).toEqual(first);
});
