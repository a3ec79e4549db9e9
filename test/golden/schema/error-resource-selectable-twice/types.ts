import { defineResource, type CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @selectable */
    mode?: string;
  };
}

export const Sample = defineResource<Sample>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  selectableFields: ['.spec.mode'],
});
