import { defineResource, type Condition, type CustomResource, type Int32, type ListMap } from 'opsdk';

/** BackupStorage is a bucket of S3 or of a store that speaks its protocol. */
export interface BackupStorage {
  /**
   * Endpoint of the store, such as `https://s3.eu-central-1.amazonaws.com`. Buckets are named in the path.
   *
   * @maxLength 512
   * @pattern ^https?://[^/?#]+/?$
   */
  endpoint: string;
  /**
   * @minLength 3
   * @maxLength 63
   */
  bucket: string;
  /**
   * @minLength 1
   * @maxLength 63
   * @default "us-east-1"
   */
  region?: string;
  /**
   * Prefix of the keys of all objects, such as `team-a/`. Default: none.
   *
   * @maxLength 256
   * @pattern ^[A-Za-z0-9._/-]*$
   */
  prefix?: string;
}

/**
 * RedisClusterBackupSpec defines the desired state of RedisClusterBackup.
 *
 * @cel self.redisClusterName == oldSelf.redisClusterName && self.s3 == oldSelf.s3 : "redisClusterName and s3 are immutable: create another RedisClusterBackup"
 * @cel has(self.schedule) == has(oldSelf.schedule) : "schedule can neither be added nor removed: create another RedisClusterBackup"
 * @cel !has(self.retention) || has(self.schedule) : "retention needs a schedule"
 */
export interface RedisClusterBackupSpec {
  /**
   * Image with the program that takes the backup: that of this operator. Default: the image of the running operator.
   *
   * @minLength 1
   * @maxLength 512
   */
  image?: string;
  /**
   * RedisClusterName is the name of the DistributedRedisCluster in the same namespace.
   *
   * @minLength 1
   * @maxLength 40
   */
  redisClusterName: string;
  /**
   * StorageSecretName is the name of a Secret with the keys `accessKeyId` and `secretAccessKey`, and `sessionToken` for credentials that end.
   *
   * @minLength 1
   * @maxLength 253
   */
  storageSecretName: string;
  s3: BackupStorage;
  /**
   * Schedule in the form of cron, such as `0 3 * * *`, in UTC: minute, hour, day of the month, month, day of the week. Default: one backup,
   * at once.
   *
   * @pattern ^([0-9A-Za-z*?/,-]+ +){4}[0-9A-Za-z*?/,-]+$
   * @maxLength 128
   */
  schedule?: string;
  /**
   * Retention is the number of backups to keep. Older ones are deleted after each backup. Default: all.
   *
   * @minimum 1
   * @maximum 1000
   */
  retention?: Int32;
}

/** CompletedBackup is a backup in the store. */
export interface CompletedBackup {
  /** Path of its folder in the bucket. */
  path: string;
  /** CompletionTime is when its manifest was stored, after everything else. */
  completionTime?: string;
}

/** RedisClusterBackupStatus defines the observed state of RedisClusterBackup. */
export interface RedisClusterBackupStatus {
  phase?: 'Waiting' | 'Scheduled' | 'Running' | 'Succeeded' | 'Failed';
  /** LastBackup is the newest backup that is complete. */
  lastBackup?: CompletedBackup;
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
}

/**
 * RedisClusterBackup is the Schema for the redisclusterbackups API: one backup of a DistributedRedisCluster, or one at each time of a schedule.
 *
 * @cel self.metadata.name.matches('^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$') : "the name has no dots and at most 40 characters: Jobs are named after it"
 */
export interface RedisClusterBackup extends CustomResource<'redis.kun/v1alpha1', 'RedisClusterBackup'> {
  spec: RedisClusterBackupSpec;
  status?: RedisClusterBackupStatus;
}

export const RedisClusterBackup = defineResource<RedisClusterBackup>({
  group: 'redis.kun',
  version: 'v1alpha1',
  kind: 'RedisClusterBackup',
  scope: 'Namespaced',
  shortNames: ['rcb'],
  storage: true,
  printerColumns: [
    { name: 'Cluster', type: 'string', jsonPath: '.spec.redisClusterName' },
    { name: 'Schedule', type: 'string', jsonPath: '.spec.schedule' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Last', type: 'date', jsonPath: '.status.lastBackup.completionTime' },
  ],
});
