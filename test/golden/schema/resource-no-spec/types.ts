import { defineResource, type CustomResource } from 'opsdk';

/** A kind without spec and status. */
export interface Sample extends CustomResource {
  data?: Record<string, string>;
  immutable?: boolean;
}

export const Sample = defineResource<Sample>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  scope: 'Cluster',
});
