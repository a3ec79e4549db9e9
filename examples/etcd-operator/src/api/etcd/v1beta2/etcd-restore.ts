import {
  defineResource,
  type Condition,
  type CustomResource,
  type DateTime,
  type Int64,
  type ListMap,
} from 'opsdk';
import type { BackupStorage, StorageType } from './backup-location.ts';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/** EtcdClusterReference names the EtcdCluster to restore. */
export interface EtcdClusterReference {
  /**
   * Name of the EtcdCluster, in the same namespace. Its members and their data are replaced.
   *
   * @minLength 1
   * @maxLength 253
   */
  name: string;
}

/**
 * EtcdRestoreSpec defines a restore of an etcd cluster from a backup.
 *
 * @cel self == oldSelf : "a restore cannot be changed; create another EtcdRestore"
 * @cel has(self.s3) == (self.backupStorageType == 'S3') : "s3 is required with backupStorageType S3, and not allowed with another one"
 * @cel has(self.gcs) == (self.backupStorageType == 'GCS') : "gcs is required with backupStorageType GCS, and not allowed with another one"
 * @cel has(self.pvc) == (self.backupStorageType == 'PVC') : "pvc is required with backupStorageType PVC, and not allowed with another one"
 */
export interface EtcdRestoreSpec extends BackupStorage {
  /** EtcdCluster that starts again from the backup. */
  etcdCluster: EtcdClusterReference;
  /** BackupStorageType says where the backup is: in `s3`, `gcs` or `pvc`. */
  backupStorageType: StorageType;
  /**
   * Sha256 is the checksum that the backup must have, in hexadecimal: an EtcdBackup has it in its status. Default: the one that is stored
   * beside the backup.
   *
   * @pattern ^[0-9a-f]{64}$
   */
  sha256?: string;
}

/** EtcdRestoreStatus defines the observed state of EtcdRestore. */
export interface EtcdRestoreStatus {
  /** Phase sums up what is going on. Until `Restoring` the cluster is left as it is. */
  phase?: 'Waiting' | 'Checking' | 'Restoring' | 'Succeeded' | 'Failed';
  /** Reason of the phase, such as `ChecksumMismatch`. The condition `Succeeded` has the message. */
  reason?: string;
  /** Succeeded is true once the cluster has started from the backup. */
  succeeded?: boolean;
  /** Sha256 is the checksum of the backup that was checked, in hexadecimal. */
  sha256?: string;
  /**
   * SizeBytes is the size of the backup that was checked.
   *
   * @maximum 9007199254740991
   */
  sizeBytes?: Int64;
  /** CompletionTime is the time at which the restore has succeeded or failed. */
  completionTime?: DateTime;
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
}

/** EtcdRestore starts an EtcdCluster again from a backup. */
export interface EtcdRestore extends CustomResource<'etcd.database.coreos.com/v1beta2', 'EtcdRestore'> {
  spec: EtcdRestoreSpec;
  status?: EtcdRestoreStatus;
}

export const EtcdRestore = defineResource<EtcdRestore>({
  group: 'etcd.database.coreos.com',
  version: 'v1beta2',
  kind: 'EtcdRestore',
  scope: 'Namespaced',
  storage: true,
  printerColumns: [
    { name: 'Cluster', type: 'string', jsonPath: '.spec.etcdCluster.name' },
    { name: 'Storage', type: 'string', jsonPath: '.spec.backupStorageType' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Reason', type: 'string', jsonPath: '.status.reason' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
});
