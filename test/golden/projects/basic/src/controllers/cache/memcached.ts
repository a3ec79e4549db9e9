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

import { conditionsOf, defineController } from 'opsdk';
import { Memcached, type MemcachedStatus } from '../../api/cache/v1alpha1/memcached.ts';

/** The status of a Memcached. Replace it by what your operator observes. */
export function observedStatus(memcached: Memcached): MemcachedStatus {
  const conditions = conditionsOf(memcached, ['Ready']);
  conditions.true('Ready', 'Reconciled', 'The operator has seen the object');
  return { conditions: conditions.toJSON() };
}

export const memcachedController = defineController({
  for: Memcached,
  // Called when a Memcached was created or changed, with the object as it is now.
  async reconcile(memcached, { client, key }) {
    // Create what memcached.spec asks for, then report what you observe.
    await client.applyStatus(Memcached, key, observedStatus(memcached));
  },
  // Called when reconcile has failed. It is retried, and the status says why.
  async onError(memcached, { message }, { client, key }) {
    const conditions = conditionsOf(memcached, ['Ready']);
    conditions.false('Ready', 'ReconcileFailed', message);
    await client.applyStatus(Memcached, key, { conditions: conditions.toJSON() });
  },
});
