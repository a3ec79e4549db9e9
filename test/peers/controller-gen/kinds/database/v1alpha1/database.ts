import { defineResource, type CustomResource } from 'opsdk';

/** DatabaseSpec defines the desired state of Database. */
export interface DatabaseSpec {
  /** Engine of the database. */
  engine: string;
}

/** DatabaseStatus defines the observed state of Database. */
export interface DatabaseStatus {
  /** Phase of the database. */
  phase?: 'Pending' | 'Running' | 'Failed';
}

/** Database is the Schema for the databases API. */
export interface Database extends CustomResource {
  /** Spec of the database. */
  spec: DatabaseSpec;

  /** Status of the database. */
  status?: DatabaseStatus;
}

export const Database = defineResource<Database>({
  group: 'data.peers.example.com',
  version: 'v1alpha1',
  kind: 'Database',
  served: false,
  storage: false,
  deprecated: true,
  status: false,
});
