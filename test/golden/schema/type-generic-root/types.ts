import { defineResource, type CustomResource, type Int32 } from 'opsdk';

interface Generic<Spec = { name: string }, Size extends number = Int32> extends CustomResource {
  spec: Spec;
  size?: Size;
}

/** The kind itself names the arguments. */
export interface Sample extends Generic<{ image: string }> {
  status?: { ready: boolean };
}

export const Sample = defineResource<Sample>({ group: 'example.com', version: 'v1', kind: 'Sample' });
