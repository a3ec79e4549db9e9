import type { ImportV1beta1Code } from '../../base/errors/index.ts';
import type { Explanation } from './explanation.ts';

export const importV1beta1Explanations = {
  'import/v1beta1': {
    title: 'A v1beta1 CustomResourceDefinition that cannot be converted',
    explain:
      'apiextensions.k8s.io/v1beta1 is no longer served (since Kubernetes 1.22); its definitions are converted to v1 as the API server did. What the v1beta1 API would have refused, such as a schema for all versions together with schemas of single versions, cannot be converted.',
  },
  'import/v1beta1-lost': {
    title: 'A part of a v1beta1 CustomResourceDefinition has no exact counterpart in v1',
    explain:
      'The message says what it meant in v1beta1 and what replaces it in v1. Most frequent is `preserveUnknownFields`, which is true by default in v1beta1 and keeps unknown fields at every depth: v1 says this with `x-kubernetes-preserve-unknown-fields` at each place of the schema.',
  },
} satisfies Readonly<Record<ImportV1beta1Code, Explanation>>;
