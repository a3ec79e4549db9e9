import type { ManifestDocument } from '../manifest-document.ts';
import { normalizeRules } from './normalize-rules.ts';
import type { PolicyRule } from './policy-rule.ts';

/** The operator's ClusterRole, `manager-role` as in kubebuilder's projects. */
export function roleDocument(rules: readonly PolicyRule[]): ManifestDocument {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'manager-role' },
    rules: normalizeRules(rules),
  };
}
