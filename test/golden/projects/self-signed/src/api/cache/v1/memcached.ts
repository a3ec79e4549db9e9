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
export interface Memcached extends CustomResource<'cache.example.com/v1', 'Memcached'> {
  spec: MemcachedSpec;
  status?: MemcachedStatus;
}

export const Memcached = defineResource<Memcached>({
  group: 'cache.example.com',
  version: 'v1',
  kind: 'Memcached',
  scope: 'Namespaced',
  storage: true,
});
