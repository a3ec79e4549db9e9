import {
  defineResource,
  type Condition,
  type CustomResource,
  type Int32,
  type ListMap,
  type Quantity,
} from 'opsdk';
import type { ResourceRequirements } from 'opsdk/k8s/core/v1';
import type { RedisAutoscaling, RedisAutoscalingStatus } from './redis-autoscaling.ts';

/**
 * RedisStorage says where the nodes keep their data.
 *
 * @cel self.type == oldSelf.type : "the type of the storage is immutable"
 * @cel has(self.class) == has(oldSelf.class) && (!has(self.class) || self.class == oldSelf.class) : "the class of the storage is immutable"
 * @cel self.type != 'persistent-claim' || has(self.size) : "a persistent-claim needs a size"
 * @cel self.type != 'ephemeral' || (!has(self.size) && !has(self.class) && !has(self.deleteClaim)) : "size, class and deleteClaim are those of a persistent-claim"
 */
export interface RedisStorage {
  /** Type is `persistent-claim`, or `ephemeral`: then the data of a node is lost with its Pod. */
  type: 'ephemeral' | 'persistent-claim';
  /**
   * Size of the claim of each node. It can grow if the class allows it, and cannot shrink.
   *
   * @cel quantity(string(self)).compareTo(quantity(string(oldSelf))) >= 0 : "claims cannot shrink"
   */
  size?: Quantity;
  /**
   * Class is the name of the StorageClass of the claims. Default: that of the cluster.
   *
   * @minLength 1
   * @maxLength 253
   */
  class?: string;
  /** DeleteClaim deletes the claims, and the data in them, together with their shard or the cluster. Default: they are kept. */
  deleteClaim?: boolean;
}

/** BackupSource names the RedisClusterBackup whose newest backup a new cluster begins with. */
export interface BackupSource {
  /**
   * @minLength 1
   * @maxLength 253
   */
  name: string;
  /**
   * Namespace of the RedisClusterBackup. Default: that of the cluster. The Secret with the credentials is always read in the namespace of
   * the cluster, so that nobody reads backups with the credentials of others.
   *
   * @minLength 1
   * @maxLength 63
   */
  namespace?: string;
}

/** RedisInit says what a new cluster begins with. */
export interface RedisInit {
  backupSource: BackupSource;
}

/** SecretReference names a Secret in the namespace of the object. */
export interface SecretReference {
  /**
   * @minLength 1
   * @maxLength 253
   */
  name: string;
}

/**
 * DistributedRedisClusterSpec defines the desired state of DistributedRedisCluster.
 *
 * @cel has(self.init) == has(oldSelf.init) && (!has(self.init) || self.init == oldSelf.init) : "init is immutable: create another cluster"
 * @cel has(self.passwordSecret) == has(oldSelf.passwordSecret) && (!has(self.passwordSecret) || self.passwordSecret == oldSelf.passwordSecret) : "passwordSecret is immutable"
 */
export interface DistributedRedisClusterSpec {
  /**
   * Image of Redis, 5.0 or newer. A change replaces the Pods one by one, masters last.
   *
   * @minLength 1
   * @maxLength 512
   * @default "docker.io/library/redis:7.4-alpine"
   */
  image?: string;
  /**
   * MasterSize is the number of shards, each with one master. Slots and keys are moved when it changes. With `autoscaling`, a new cluster
   * begins with it, and it has no meaning afterwards.
   *
   * @minimum 3
   * @maximum 64
   * @default 3
   */
  masterSize?: Int32;
  /** Autoscaling lets the operator decide the number of masters by their load. Default: it is `masterSize`. */
  autoscaling?: RedisAutoscaling;
  /**
   * ClusterReplicas is the number of replicas of each master. Without any, a shard is not served while its Pod is away.
   *
   * @minimum 0
   * @maximum 4
   * @default 1
   * @cel self == oldSelf : "clusterReplicas is immutable"
   */
  clusterReplicas?: Int32;
  /** @default {"type": "ephemeral"} */
  storage?: RedisStorage;
  /** Resources of the container of each node. */
  resources?: ResourceRequirements;
  /** Init says what the cluster begins with. Default: nothing. */
  init?: RedisInit;
  /** PasswordSecret names a Secret whose key `password` clients and nodes authenticate with. Default: no password. */
  passwordSecret?: SecretReference;
  /**
   * Config has further lines of redis.conf, by their names, such as `maxmemory: 100mb`.
   *
   * @maxProperties 64
   * @values.maxLength 1024
   * @cel self.all(key, key.matches('^[a-z][a-z0-9-]*$')) : "names of settings are lower case, such as maxmemory-policy"
   * @cel self.all(key, !self[key].contains('\n') && !self[key].contains('\r')) : "a setting is one line"
   * @cel !self.exists(key, key in ['bind', 'port', 'dir', 'appendonly', 'protected-mode', 'requirepass', 'masterauth', 'masteruser', 'user', 'aclfile', 'include', 'loadmodule', 'daemonize', 'tls-port', 'tls-cluster', 'replicaof', 'slaveof', 'rename-command'] || key.startsWith('cluster-')) : "the operator decides about addresses, passwords, files and the cluster"
   */
  config?: Record<string, string>;
  /** Paused keeps the operator from changing anything. The status goes on. */
  paused?: boolean;
}

/** RedisNode is a node of the cluster, with the Pod that runs it. */
export interface RedisNode {
  /** ID of the node in the cluster. */
  id: string;
  pod: string;
  ip: string;
  /** NodeName is the node of Kubernetes. */
  nodeName?: string;
  role: 'Master' | 'Replica';
  /** Slots is the number of slots of a master. */
  slots: Int32;
}

/** DistributedRedisClusterStatus defines the observed state of DistributedRedisCluster. */
export interface DistributedRedisClusterStatus {
  phase?: 'Creating' | 'Restoring' | 'Scaling' | 'Healthy' | 'Paused';
  /** Step is the one that the operator has taken last, or what it waits for. Absent when nothing is left to do. */
  step?: string;
  /** Masters is the number of masters that serve slots. */
  masters?: Int32;
  /** Replicas is the number of nodes that follow a master. */
  replicas?: Int32;
  /** Selector finds one Pod of each shard, for a HorizontalPodAutoscaler of `masterSize`. */
  selector?: string;
  /** Autoscaling is what the operator has decided. Absent without `spec.autoscaling`. */
  autoscaling?: RedisAutoscalingStatus;
  nodes?: ListMap<RedisNode, 'pod'>;
  /** Backup is the path of the backup that the cluster began with. */
  restoredFrom?: string;
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
}

/**
 * DistributedRedisCluster is the Schema for the distributedredisclusters API.
 *
 * @cel self.metadata.name.matches('^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$') : "the name begins with a letter, has no dots, and at most 40 characters: Pods and Services are named after it"
 */
export interface DistributedRedisCluster extends CustomResource<
  'redis.kun/v1alpha1',
  'DistributedRedisCluster'
> {
  spec: DistributedRedisClusterSpec;
  status?: DistributedRedisClusterStatus;
}

export const DistributedRedisCluster = defineResource<DistributedRedisCluster>({
  group: 'redis.kun',
  version: 'v1alpha1',
  kind: 'DistributedRedisCluster',
  scope: 'Namespaced',
  shortNames: ['drc'],
  storage: true,
  scale: { spec: '.spec.masterSize', status: '.status.masters', selector: '.status.selector' },
  printerColumns: [
    { name: 'Masters', type: 'integer', jsonPath: '.status.masters' },
    { name: 'Replicas', type: 'integer', jsonPath: '.status.replicas' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Step', type: 'string', jsonPath: '.status.step' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
});
