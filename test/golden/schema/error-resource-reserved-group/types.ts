import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: { size?: Int32 };
}

export const Sample = defineResource<Sample>({
  group: 'sample.k8s.io',
  kind: 'Sample',
  version: 'v1',
  scope: 'Cluster',
});

export interface Other extends CustomResource {
  spec: { size?: Int32 };
}

export const Other = defineResource<Other>({
  group: 'kubernetes.io',
  version: 'v1',
  kind: 'Other',
  annotations: { 'api-approved.kubernetes.io': 'yes' },
});
