import {
  defineResource,
  type Condition,
  type CustomResource,
  type DateTime,
  type Int32,
  type Int64,
  type ListMap,
} from 'opsdk';
import type { BackupStorage, StorageType } from './backup-location.ts';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/**
 * BackupPolicy says when backups are made, and how many are kept. Without an interval and a schedule there is one backup.
 *
 * @cel !has(self.backupIntervalInSecond) || !has(self.schedule) : "backupIntervalInSecond and schedule exclude each other"
 * @cel !has(self.timeZone) || has(self.schedule) : "timeZone needs a schedule"
 * @cel !has(self.maxBackups) || has(self.backupIntervalInSecond) || has(self.schedule) : "maxBackups needs backupIntervalInSecond or a schedule"
 */
export interface BackupPolicy {
  /**
   * BackupIntervalInSecond is the time between two backups, in seconds.
   *
   * @minimum 60
   * @maximum 31536000
   */
  backupIntervalInSecond?: Int32;
  /**
   * Schedule has the times of backups as those of a CronJob: `0 3 * * *`.
   *
   * @pattern ^\s*(\S+\s+){4}\S+\s*$
   * @maxLength 200
   */
  schedule?: string;
  /**
   * TimeZone of the schedule: `Europe/Berlin`. Default: UTC.
   *
   * @minLength 1
   * @maxLength 64
   */
  timeZone?: string;
  /**
   * MaxBackups is the number of backups to keep; older ones are deleted. Default: all are kept.
   *
   * @minimum 1
   * @maximum 1000
   */
  maxBackups?: Int32;
  /**
   * TimeoutInSecond is the time that one backup may take, in seconds.
   *
   * @minimum 10
   * @maximum 86400
   * @default 600
   */
  timeoutInSecond?: Int32;
}

/**
 * EtcdBackupSpec defines the backups of an etcd cluster.
 *
 * @cel has(self.s3) == (self.storageType == 'S3') : "s3 is required with storageType S3, and not allowed with another one"
 * @cel has(self.gcs) == (self.storageType == 'GCS') : "gcs is required with storageType GCS, and not allowed with another one"
 * @cel has(self.pvc) == (self.storageType == 'PVC') : "pvc is required with storageType PVC, and not allowed with another one"
 * @cel self == oldSelf || (has(oldSelf.backupPolicy) && (has(oldSelf.backupPolicy.backupIntervalInSecond) || has(oldSelf.backupPolicy.schedule))) : "a backup without interval and schedule is made once, and cannot be changed; create another EtcdBackup"
 */
export interface EtcdBackupSpec extends BackupStorage {
  /**
   * EtcdEndpoints are the addresses of the cluster's clients: `http://example-client:2379`. The snapshot is taken from the one with the
   * newest data.
   *
   * @minItems 1
   * @maxItems 16
   * @items.pattern ^https?://[^/@\s]+/?$
   * @items.maxLength 300
   */
  etcdEndpoints: string[];
  /**
   * ClientTLSSecret is the name of a Secret with `etcd-client.crt`, `etcd-client.key` and `etcd-client-ca.crt`, or with `tls.crt`,
   * `tls.key` and `ca.crt`: that of a cluster with `TLS.selfSigned` is NAME-client-tls.
   *
   * @minLength 1
   * @maxLength 253
   */
  clientTLSSecret?: string;
  /** StorageType says where the backups are kept: in `s3`, `gcs` or `pvc`. */
  storageType: StorageType;
  backupPolicy?: BackupPolicy;
  /** Paused backups are not started. One that runs already goes on. */
  paused?: boolean;
}

/** KeptBackup is a backup that exists. */
export interface KeptBackup {
  /** Path of the backup: bucket and key, or the path in the volume. */
  path: string;
  /**
   * Revision of etcd that the backup has at least.
   *
   * @maximum 9007199254740991
   */
  revision: Int64;
  /** Sha256 is the checksum of the file, in hexadecimal. */
  sha256: string;
  /**
   * SizeBytes is the size of the file.
   *
   * @maximum 9007199254740991
   */
  sizeBytes: Int64;
  /** Time at which the backup was complete. */
  time: DateTime;
  /** ScheduledFor is the time of the schedule that the backup is for. */
  scheduledFor?: DateTime;
}

/** BackupRun is a backup that is being made. */
export interface BackupRun {
  /** Job is the name of the Job that makes it. */
  job: string;
  /** ScheduledFor is the time of the schedule that the backup is for. */
  scheduledFor?: DateTime;
}

/** EtcdBackupStatus defines the observed state of EtcdBackup. */
export interface EtcdBackupStatus {
  /** Phase sums up what is going on. */
  phase?: 'Waiting' | 'Running' | 'Scheduled' | 'Succeeded' | 'Failed' | 'Paused';
  /** Reason of the phase, such as `AccessDenied`. The condition `Succeeded` has the message. */
  reason?: string;
  /** Succeeded is true if the last backup has succeeded. */
  succeeded?: boolean;
  /** EtcdVersion is the version of etcd at the last backup. */
  etcdVersion?: string;
  /**
   * EtcdRevision is the revision of etcd that the last backup has at least.
   *
   * @maximum 9007199254740991
   */
  etcdRevision?: Int64;
  /** Run is the backup that is being made. */
  run?: BackupRun;
  /** LastScheduleTime is the time of the schedule for which a backup was started last. */
  lastScheduleTime?: DateTime;
  /** NextScheduleTime is the time at which the next backup is due. */
  nextScheduleTime?: DateTime;
  /** LastSuccessDate is the time at which the last backup was complete. */
  lastSuccessDate?: DateTime;
  /** LastFailureDate is the time at which a backup has failed last. */
  lastFailureDate?: DateTime;
  /** MissedRuns is the number of times of the schedule without a backup, because the operator did not run or another backup did. */
  missedRuns?: Int32;
  /** Backups that are kept, the newest first; at most the newest 100. */
  backups?: KeptBackup[];
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
}

/** EtcdBackup saves snapshots of an etcd cluster, once or by a schedule. */
export interface EtcdBackup extends CustomResource<'etcd.database.coreos.com/v1beta2', 'EtcdBackup'> {
  spec: EtcdBackupSpec;
  status?: EtcdBackupStatus;
}

export const EtcdBackup = defineResource<EtcdBackup>({
  group: 'etcd.database.coreos.com',
  version: 'v1beta2',
  kind: 'EtcdBackup',
  scope: 'Namespaced',
  storage: true,
  printerColumns: [
    { name: 'Storage', type: 'string', jsonPath: '.spec.storageType' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Reason', type: 'string', jsonPath: '.status.reason' },
    { name: 'Revision', type: 'integer', jsonPath: '.status.etcdRevision' },
    { name: 'Last success', type: 'date', jsonPath: '.status.lastSuccessDate' },
    { name: 'Next', type: 'string', jsonPath: '.status.nextScheduleTime', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
});
