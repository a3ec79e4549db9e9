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
  scale: { spec: '.spec.size', status: '.status.replicas', selector: '.status.selector' },
});
