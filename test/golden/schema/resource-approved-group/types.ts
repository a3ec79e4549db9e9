import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: { size?: Int32 };
}

export const Sample = defineResource<Sample>({
  group: 'sample.k8s.io',
  kind: 'Sample',
  version: 'v1',
  annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes/enhancements/pull/1111' },
});

export interface Draft extends CustomResource {
  spec: { size?: Int32 };
}

export const Draft = defineResource<Draft>({
  group: 'draft.kubernetes.io',
  version: 'v1',
  kind: 'Draft',
  annotations: { 'api-approved.kubernetes.io': 'unapproved, an experiment' },
});
