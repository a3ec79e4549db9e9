import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: { size?: Int32 };
}

export const Sample = defineResource<Sample>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  crd: {
    standardFields: {
      apiVersion: { description: 'The version.', required: true },
      kind: {},
      metadata: { required: true },
    },
  },
});
