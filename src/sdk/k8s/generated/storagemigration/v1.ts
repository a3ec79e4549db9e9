// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type * as meta_v1 from '../meta/v1.ts';
import type { Condition, KubeObject } from '../../../api/meta.ts';
import { externalResource, type Resource } from '../../../api/resource.ts';

/** StorageVersionMigration represents a migration of stored data to the latest storage version. */
export interface StorageVersionMigration extends KubeObject<'storagemigration.k8s.io/v1', 'StorageVersionMigration'> {
  /** Specification of the migration. */
  spec?: StorageVersionMigrationSpec | undefined;
  /** Status of the migration. */
  status?: StorageVersionMigrationStatus | undefined;
}
export const StorageVersionMigration: Resource<StorageVersionMigration> = /* @__PURE__ */ externalResource<StorageVersionMigration>({ group: 'storagemigration.k8s.io', version: 'v1', kind: 'StorageVersionMigration', plural: 'storageversionmigrations', scope: 'Cluster' });

/** Spec of the storage version migration. */
export interface StorageVersionMigrationSpec {
  /** The resource that is being migrated. */
  resource: meta_v1.GroupResource;
}

/** Status of the storage version migration. */
export interface StorageVersionMigrationStatus {
  /** The latest available observations of the migration's current state. */
  conditions?: Condition[] | undefined;
  /** ResourceVersion to compare with the GC cache for performing the migration. */
  resourceVersion?: string | undefined;
}
