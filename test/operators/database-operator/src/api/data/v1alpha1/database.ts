import { defineResource, type CustomResource, type Int32 } from 'opsdk';

/** Database is a server with a password of its own. */
export interface Database extends CustomResource<'data.example.com/v1alpha1', 'Database'> {
  spec: { replicas?: Int32 };
  status?: { ready?: boolean };
}

export const Database = defineResource<Database>({
  group: 'data.example.com',
  version: 'v1alpha1',
  kind: 'Database',
});
