import { defineResource, type Condition, type CustomResource, type ListMap } from 'opsdk';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/** EtcdBackupSpec defines the desired state of EtcdBackup. */
export interface EtcdBackupSpec {
  /** Foo is an example field of EtcdBackup. Replace it by fields of yours. */
  foo?: string;
}

/** EtcdBackupStatus defines the observed state of EtcdBackup. */
export interface EtcdBackupStatus {
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
}

/** EtcdBackup is the Schema for the etcdbackups API. */
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
});
