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

import { defineResource, type Condition, type CustomResource, type ListMap } from 'opsdk';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/** MemcachedSpec defines the desired state of Memcached. */
export interface MemcachedSpec {
  /** Foo is an example field of Memcached. Replace it by fields of yours. */
  foo?: string;
}

/** MemcachedStatus defines the observed state of Memcached. */
export interface MemcachedStatus {
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
}

/** Memcached is the Schema for the memcacheds API. */
export interface Memcached extends CustomResource<'cache.example.com/v1alpha1', 'Memcached'> {
  spec: MemcachedSpec;
  status?: MemcachedStatus;
}

export const Memcached = defineResource<Memcached>({
  group: 'cache.example.com',
  version: 'v1alpha1',
  kind: 'Memcached',
  scope: 'Namespaced',
  storage: true,
});
