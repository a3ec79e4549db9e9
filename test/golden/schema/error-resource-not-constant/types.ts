import { defineResource, type CustomResource, type Int32 } from 'opsdk';

function groupOf(): string {
  return 'example.com';
}
const labels = { a: 'b' };

export interface Sample extends CustomResource {
  spec: { size?: Int32 };
}

export const Sample = defineResource<Sample>({
  group: groupOf(),
  version: 'v1',
  kind: 'Sample',
  labels,
  conversion: JSON.parse('{}'),
  scale: { spec: '.spec.size', status: `.status.${groupOf()}` as never },
});
