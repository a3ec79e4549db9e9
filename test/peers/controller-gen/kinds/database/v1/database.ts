import { defineResource, type CustomResource, type Int32 } from 'opsdk';

/** DatabaseSpec defines the desired state of Database. */
export interface DatabaseSpec {
  /** Engine of the database. */
  engine: 'postgres' | 'mysql' | 'sqlite';

  /**
   * Major version of the engine.
   *
   * @exclusiveMinimum 1
   */
  major?: Int32;
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

/** @allow manifests/no-conversion the comparison is about versions, not about conversion */
export const Database = defineResource<Database>({
  group: 'data.peers.example.com',
  version: 'v1',
  kind: 'Database',
  storage: true,
  selectableFields: ['.spec.engine', '.status.phase'],
  printerColumns: [
    { name: 'Engine', type: 'string', jsonPath: '.spec.engine', description: 'what runs', priority: 1 },
    { name: 'Major', type: 'integer', format: 'int32', jsonPath: '.spec.major' },
  ],
});
