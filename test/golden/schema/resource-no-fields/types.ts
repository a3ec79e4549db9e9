import { defineResource, type CustomResource } from 'opsdk';

export interface Sample extends CustomResource {}

export const Sample = defineResource<Sample>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});
