import { defineResource, type CustomResource, type Double, type Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  /** What should be. */
  spec: {
    /** How many. */
    size?: Double;
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
  // @ts-expect-error no such field
  scale: { spec: '.spec.size', status: '.status.replica', selector: '.spec.labels' },
});
