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
    { name: '', type: 'string', jsonPath: '.spec.mode' },
    // @ts-expect-error not a type
    { name: 'A', type: 'text', jsonPath: '.spec.mode' },
    // @ts-expect-error no dot
    { name: 'B', type: 'string', jsonPath: 'spec.mode' },
    { name: 'C', type: 'string', jsonPath: '.spec.mode', format: 'hostname' },
    { name: 'D', type: 'string', jsonPath: '.spec.mode', priority: 0.5 },
    // @ts-expect-error no path
    { name: 'E', type: 'string' },
  ],
});
