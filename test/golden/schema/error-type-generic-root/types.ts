import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface Sample<Spec = { name: string }, Size extends number = Int32> extends CustomResource {
  spec: Spec;
  size?: Size;
}

export const Sample = defineResource<Sample>({ group: 'example.com', version: 'v1', kind: 'Sample' });
