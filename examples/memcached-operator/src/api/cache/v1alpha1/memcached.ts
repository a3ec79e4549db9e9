import { defineResource, type Condition, type CustomResource, type Int32, type ListMap } from 'opsdk';

export interface MemcachedSpec {
  /**
   * Size is the number of Pods.
   *
   * @minimum 0
   * @maximum 5
   * @default 1
   */
  size?: Int32;
}

export interface MemcachedStatus {
  /** ReadyReplicas is the number of Pods that are ready. */
  readyReplicas?: Int32;
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
  printerColumns: [
    { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
    { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' },
  ],
});
