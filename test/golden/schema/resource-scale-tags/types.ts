import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @scale spec */
    size?: Int32;
  };
  status?: {
    /** @scale status */
    replicas?: Int32;
    /** @scale selector */
    selector?: string;
  };
}

export const Sample = defineResource<Sample>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  served: true,
});
