import {
  defineResource,
  type Condition,
  type CustomResource,
  type Int32,
  type ListMap,
  type Quantity,
} from 'opsdk';

export interface RedisStorage {
  /** Size of the claim of each Pod. */
  size: Quantity;
  /** True to delete the claims with their shard. */
  deleteClaims?: boolean;
}

/** RedisClusterSpec defines the desired state of RedisCluster. */
export interface RedisClusterSpec {
  /** @default "docker.io/library/redis:7.4-alpine" */
  image?: string;
  /**
   * Masters is the number of shards, each with one master.
   *
   * @minimum 3
   * @maximum 64
   */
  masters: Int32;
  /**
   * Replicas is the number of replicas of each master.
   *
   * @minimum 0
   * @maximum 3
   * @default 1
   */
  replicas?: Int32;
  /** Storage of the Pods. Without it, their data is lost with them. */
  storage?: RedisStorage;
  /** Config has lines of redis.conf. */
  config?: Record<string, string>;
}

/** RedisNode is a node of the cluster, with the Pod that runs it. */
export interface RedisNode {
  id: string;
  pod: string;
  ip: string;
  role: 'Master' | 'Replica';
  /** Slots is the number of slots of a master. */
  slots: Int32;
}

/** RedisClusterStatus defines the observed state of RedisCluster. */
export interface RedisClusterStatus {
  phase?: 'Creating' | 'Scaling' | 'Healthy';
  /** Reason is the step that the operator has taken last. */
  reason?: string;
  masters?: Int32;
  nodes?: ListMap<RedisNode, 'pod'>;
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
}

/** RedisCluster is the Schema for the redisclusters API. */
export interface RedisCluster extends CustomResource<'redis.example.com/v1alpha1', 'RedisCluster'> {
  spec: RedisClusterSpec;
  status?: RedisClusterStatus;
}

export const RedisCluster = defineResource<RedisCluster>({
  group: 'redis.example.com',
  version: 'v1alpha1',
  kind: 'RedisCluster',
  scope: 'Namespaced',
  storage: true,
  printerColumns: [
    { name: 'Masters', type: 'integer', jsonPath: '.status.masters' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
  ],
});
