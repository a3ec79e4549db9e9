import { defineResource, type CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  status?: { ready?: boolean };
}

export const Sample = defineResource<Sample>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  status: false,
  crd: { subresources: {} },
});
