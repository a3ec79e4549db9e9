import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  /** What should be. */
  spec: {
    /** How many. */
    size?: Int32;
    mode?: 'a' | 'b';
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
  printerColumns: [
    // @ts-expect-error no such field
    { name: 'A', type: 'string', jsonPath: '.spec.mod' },
    { name: 'A', type: 'string', jsonPath: '.spec.parts[0].nam' },
    // @ts-expect-error a list
    { name: 'B', type: 'string', jsonPath: '.spec.parts.name' },
    { name: 'C', type: 'integer', jsonPath: '.spec.mode' },
    { name: 'D', type: 'date', jsonPath: '.spec.size' },
    // @ts-expect-error not a path
    { name: 'E', type: 'string', jsonPath: '.spec. mode' },
  ],
});
