import { defineResource, type Condition, type CustomResource, type ListMap } from 'opsdk';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/** EtcdRestoreSpec defines the desired state of EtcdRestore. */
export interface EtcdRestoreSpec {
  /** Foo is an example field of EtcdRestore. Replace it by fields of yours. */
  foo?: string;
}

/** EtcdRestoreStatus defines the observed state of EtcdRestore. */
export interface EtcdRestoreStatus {
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
}

/** EtcdRestore is the Schema for the etcdrestores API. */
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
});
