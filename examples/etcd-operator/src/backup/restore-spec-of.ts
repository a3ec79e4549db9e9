import type { EtcdBackup } from '../api/etcd/v1beta2/etcd-backup.ts';
import type { EtcdRestoreSpec } from '../api/etcd/v1beta2/etcd-restore.ts';

/** Returns the spec of a restore from the newest backup that an EtcdBackup has kept, but for the cluster. Undefined if it has kept none. */
export function restoreSpecOf({
  spec,
  status,
}: EtcdBackup): Omit<EtcdRestoreSpec, 'etcdCluster'> | undefined {
  const [newest] = status?.backups ?? [];
  if (newest === undefined) return undefined;
  const { path, sha256 } = newest;
  const { storageType: backupStorageType, s3, gcs, pvc } = spec;
  return {
    backupStorageType,
    sha256,
    ...(s3 === undefined ? {} : { s3: { ...s3, path } }),
    ...(gcs === undefined ? {} : { gcs: { ...gcs, path } }),
    ...(pvc === undefined ? {} : { pvc: { ...pvc, path } }),
  };
}
