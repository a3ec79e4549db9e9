import { defineResource, type CustomResource } from 'opsdk';

import type { PodTemplateSpec } from 'opsdk/k8s/core/v1';

export interface Sample extends CustomResource {
  spec: {
    template0?: PodTemplateSpec;
    template1?: PodTemplateSpec;
    template2?: PodTemplateSpec;
    template3?: PodTemplateSpec;
    template4?: PodTemplateSpec;
    template5?: PodTemplateSpec;
    template6?: PodTemplateSpec;
  };
}

export const Sample = defineResource<Sample>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  served: true,
});
