import { defineResource, type CustomResource, type Int32, type IntOrString } from 'opsdk';

export interface Sample extends CustomResource {
  /** What should be. */
  spec: {
    /** How many. */
    size?: Int32;
    mode?: 'a' | 'b';
    port?: IntOrString;
    labels?: Record<string, string>;
    parts?: { name: string; weight?: Int32 }[];
  };
  /** What is. */
  status?: {
    replicas?: Int32;
    selector?: string;
  };
}

export const Sample = defineResource<Sample>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  selectableFields: [
    // @ts-expect-error no such field
    '.spec.sice',
    // @ts-expect-error an object
    '.spec.labels',
    // @ts-expect-error a list
    '.spec.parts',
    // @ts-expect-error an item of a list
    '.spec.parts[0].name',
    // @ts-expect-error a union
    '.spec.port',
    '.metadata.name',
    // @ts-expect-error no dot
    'spec.size',
    '.spec.mode',
    '.spec.mode',
    // @ts-expect-error below a text
    '.spec.mode.x',
    // @ts-expect-error empty
    '',
  ],
});
