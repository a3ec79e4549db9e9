import { defineResource, type CustomResource, type Int32 } from 'opsdk';

const common = { group: 'example.com', kind: 'Sample', shortNames: ['sp'] } as const;
const domain = 'example.com';
const age = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' } as const;

export interface Sample extends CustomResource {
  spec: { size?: Int32 };
}

export const Sample = defineResource<Sample>({
  ...common,
  version: 'v1',
  labels: { owner: `team.${domain}` },
  printerColumns: [age],
});
