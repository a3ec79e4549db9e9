import { defineResource, type Condition, type CustomResource, type ListMap } from 'opsdk';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/** RedisSpec defines the desired state of Redis. */
export interface RedisSpec {
  /** Foo is an example field of Redis. Replace it by fields of yours. */
  foo?: string;
}

/** RedisStatus defines the observed state of Redis. */
export interface RedisStatus {
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
}

/** Redis is the Schema for the redises API. */
export interface Redis extends CustomResource<'cache.example.com/v1', 'Redis'> {
  spec: RedisSpec;
  status?: RedisStatus;
}

export const Redis = defineResource<Redis>({
  group: 'cache.example.com',
  version: 'v1',
  kind: 'Redis',
  scope: 'Namespaced',
  storage: true,
});
