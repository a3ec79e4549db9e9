import {
  defineResource,
  type Condition,
  type CustomResource,
  type Int32,
  type ListMap,
  type Quantity,
} from 'opsdk';

/**
 * RedisClusterBackupSpec defines a backup.
 *
 * @cel self == oldSelf : "a backup does not change"
 */
export interface RedisClusterBackupSpec {
  /** Cluster is the name of the RedisCluster. */
  cluster: string;
  /**
   * Size is the size of the claim for the backup.
   *
   * @default "1Gi"
   */
  size?: Quantity;
}

/** RedisClusterBackupStatus defines the observed state of RedisClusterBackup. */
export interface RedisClusterBackupStatus {
  phase?: 'Waiting' | 'Running' | 'Succeeded' | 'Failed';
  /** Claim is the name of the claim with a file `SHARD.rdb` for each master, with shards from 0. */
  claim?: string;
  shards?: Int32;
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
}

/** RedisClusterBackup is one backup of a RedisCluster. */
export interface RedisClusterBackup extends CustomResource<
  'redis.example.com/v1alpha1',
  'RedisClusterBackup'
> {
  spec: RedisClusterBackupSpec;
  status?: RedisClusterBackupStatus;
}

export const RedisClusterBackup = defineResource<RedisClusterBackup>({
  group: 'redis.example.com',
  version: 'v1alpha1',
  kind: 'RedisClusterBackup',
  scope: 'Namespaced',
  storage: true,
  printerColumns: [{ name: 'Phase', type: 'string', jsonPath: '.status.phase' }],
});
