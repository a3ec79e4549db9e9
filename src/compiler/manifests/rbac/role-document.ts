import type { ManifestDocument } from '../manifest-document.ts';
import type { RbacRule } from '../../../sdk/api/index.ts';
import { compareCodeUnits } from '../../../base/util/json-map.ts';
import type { NeededRule } from './needed-rule.ts';
import { normalizeRules } from './normalize-rules.ts';

/**
 * The operator's roles, `manager-role` as in kubebuilder's projects: a ClusterRole first, then a Role `manager-role-NAMESPACE` for each namespace that rules name.
 *
 * @param namespaced the operator works in its own namespaces: a Role without a namespace, which kustomize puts into that of the operator, has
 * what is in namespaces, and the ClusterRole, if there is one, the rest
 */
export function roleDocuments(
  rules: readonly NeededRule[],
  namespaced: boolean,
): readonly [ManifestDocument, ...ManifestDocument[]] {
  const everywhere = rules.filter(({ namespace }) => namespace === undefined);
  const named = new Set(rules.flatMap(({ namespace }) => namespace ?? []));
  const roles = [...named].sort(compareCodeUnits).map((name) =>
    role(
      'Role',
      rules.filter(({ namespace }) => namespace === name),
      name,
    ),
  );
  if (!namespaced) return [role('ClusterRole', everywhere), ...roles];
  const ofCluster = everywhere.filter(({ namespaced: isInNamespace }) => isInNamespace !== true);
  const own = role(
    'Role',
    // Neither role alone would have all of a `*`.
    everywhere.filter(
      ({ namespaced: isInNamespace, nonResourceURLs }) =>
        isInNamespace !== false && nonResourceURLs === undefined,
    ),
  );
  return ofCluster.length === 0 ? [own, ...roles] : [role('ClusterRole', ofCluster), own, ...roles];
}

function role(
  kind: 'ClusterRole' | 'Role',
  rules: readonly NeededRule[],
  namespace?: string,
): ManifestDocument {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind,
    // kustomize may put them all into one namespace: the names differ.
    metadata:
      namespace === undefined ? { name: 'manager-role' } : { name: `manager-role-${namespace}`, namespace },
    rules: normalizeRules(rules),
  };
}

/** The same rules in the words of `RbacRule`, for the operator itself. */
export function permissionsDocument(
  rules: readonly NeededRule[],
): ManifestDocument & { readonly rules: readonly RbacRule[] } {
  const namespaces = new Set(rules.map(({ namespace }) => namespace));
  const sorted = [...namespaces].sort((a, b) => compareCodeUnits(a ?? '', b ?? ''));
  return {
    rules: sorted.flatMap((name) =>
      normalizeRules(rules.filter(({ namespace }) => namespace === name)).map(({ apiGroups, ...rule }) => ({
        ...(apiGroups === undefined ? {} : { groups: apiGroups }),
        ...rule,
        ...(name === undefined ? {} : { namespace: name }),
      })),
    ),
  };
}
