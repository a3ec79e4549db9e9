import { defineResource, type Condition, type CustomResource, type ListMap } from 'opsdk';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/** BackupSpec defines the desired state of Backup. */
export interface BackupSpec {
  /** Foo is an example field of Backup. Replace it by fields of yours. */
  foo?: string;
}

/** BackupStatus defines the observed state of Backup. */
export interface BackupStatus {
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
}

/** Backup is the Schema for the backups API. */
export interface Backup extends CustomResource<'backup.example.com/v1', 'Backup'> {
  spec: BackupSpec;
  status?: BackupStatus;
}

export const Backup = defineResource<Backup>({
  group: 'backup.example.com',
  version: 'v1',
  kind: 'Backup',
  scope: 'Namespaced',
  storage: true,
});
