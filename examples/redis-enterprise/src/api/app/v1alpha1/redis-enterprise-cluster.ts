import {
  defineResource,
  type Condition,
  type CustomResource,
  type Int32,
  type Int64,
  type ListMap,
} from 'opsdk';
import type { PodSecurityContext, ResourceRequirements } from 'opsdk/k8s/core/v1';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/**
 * RedisEnterpriseClusterSpec defines the desired state of RedisEnterpriseCluster.
 *
 * A licence is accepted once, when the cluster is created: a later change may leave it out, as the `kubectl replace` of a partial spec does.
 *
 * @cel {"rule": "oldSelf.hasValue() || (has(self.license) && self.license == 'accept')", "message": "license must be accept: read the licence of the image", "optionalOldSelf": true}
 */
export interface RedisEnterpriseClusterSpec {
  /**
   * Nodes of the cluster. An even number has no majority when half of it is lost.
   *
   * @minimum 1
   * @maximum 35
   * @default 3
   */
  nodes?: Int32;
  /** Resources of each node. */
  resources?: ResourceRequirements;
  /** SecurityContext of each node's Pod. */
  securityContext?: PodSecurityContext;
  /** License must be `accept` in a new cluster. */
  license?: string;
  /**
   * Image of the nodes.
   *
   * @default redislabs/redis:7.22.0-28
   * @minLength 1
   */
  image?: string;
}

/** RedisEnterpriseClusterStatus defines the observed state of RedisEnterpriseCluster. */
export interface RedisEnterpriseClusterStatus {
  /** Phase sums up what is going on: `Restarting` while nodes are added, removed or replaced. */
  phase?: 'Creating' | 'Restarting' | 'Ready';
  /** Message says how far it is. */
  message?: string;
  /** ReadyNodes is the number of nodes that are ready. */
  readyNodes?: Int32;
  /**
   * MemoryUsageMB is the memory that all nodes use, in megabytes; absent in a cluster without metrics-server.
   *
   * @maximum 9007199254740991
   */
  memoryUsageMB?: Int64;
  /** CpuUsagePct is the use of CPU by all nodes, in percent of a core; absent in a cluster without metrics-server. */
  cpuUsagePct?: Int32;
  /** StorageUsageGB is the storage that all nodes use, in gigabytes; absent unless the metrics of Pods have it. metrics-server's do not. */
  storageUsageGB?: Int32;
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
}

/** RedisEnterpriseCluster is a cluster of Redis Enterprise. */
export interface RedisEnterpriseCluster extends CustomResource<
  'app.redislabs.com/v1alpha1',
  'RedisEnterpriseCluster'
> {
  spec: RedisEnterpriseClusterSpec;
  status?: RedisEnterpriseClusterStatus;
}

export const RedisEnterpriseCluster = defineResource<RedisEnterpriseCluster>({
  group: 'app.redislabs.com',
  version: 'v1alpha1',
  kind: 'RedisEnterpriseCluster',
  // The plural of the product's former name, under which its users know it.
  plural: 'redisearchclusters',
  singular: 'redisearchcluster',
  scope: 'Namespaced',
  storage: true,
  printerColumns: [
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'ReadyNodes', type: 'integer', jsonPath: '.status.readyNodes' },
    { name: 'MemoryUsageMB', type: 'integer', jsonPath: '.status.memoryUsageMB' },
    { name: 'CPUUsagePct', type: 'integer', jsonPath: '.status.cpuUsagePct' },
    { name: 'StorageUsageGB', type: 'integer', jsonPath: '.status.storageUsageGB' },
    { name: 'Message', type: 'string', jsonPath: '.status.message', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
});
