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
    { name: 'Size', type: 'integer', jsonPath: '.spec.size', format: 'int32', priority: 0 },
    { name: 'Mode', type: 'string', jsonPath: '.spec.mode', description: '', priority: 1 },
    { name: 'First', type: 'string', jsonPath: '.spec.parts[0].name', description: 'the first part' },
    { name: 'Heavy', type: 'string', jsonPath: '.spec.parts[?(@.weight>3)].name' },
    { name: 'Zone', type: 'string', jsonPath: '.spec.labels.zone' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
});
