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
      // @ts-expect-error only false
      apiVersion: true,
      // @ts-expect-error unknown
      kind: { descripton: 'x' },
      // @ts-expect-error no description
      metadata: { description: 'x' },
    },
  },
});
