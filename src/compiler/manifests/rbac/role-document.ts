import type { ManifestDocument } from '../declaration.ts';
import type { RbacRule } from '../../../sdk/api/index.ts';
import { compareCodeUnits } from '../../../base/util/json-map.ts';
import type { NeededRule, PolicyRule } from './needed-rule.ts';

/**
 * Returns the operator's roles, named `manager-role` as in kubebuilder's projects: first a ClusterRole, then a Role
 * `manager-role-NAMESPACE` for each namespace that rules name.
 *
 * @param namespaced true if the operator works only in its own namespaces. The rules for namespaced resources are then in a Role without a
 * namespace, which kustomize puts into the operator's namespace. The other rules, if any, are in a ClusterRole.
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
    // A rule for a `*` that covers both scopes goes into both roles, because neither role alone covers all of its resources.
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
    // The names must differ, because kustomize may put all these Roles into one namespace.
    metadata:
      namespace === undefined ? { name: 'manager-role' } : { name: `manager-role-${namespace}`, namespace },
    rules: normalizeRules(rules),
  };
}

/** Returns the normalised rules of the roles in the form of `RbacRule`, for use by the operator itself. */
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

/**
 * Normalises permissions: writes a separate rule for each resource or URL, merges the verbs of rules that are otherwise equal, and sorts
 * everything. The result never permits more than the input. The order is that of controller-gen. Source: controller-gen's `rbac` generator.
 */
export function normalizeRules(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const merged = new Map<string, PolicyRule>();
  for (const single of rules.flatMap(singleRules)) {
    const { verbs, ...target } = single;
    const key = JSON.stringify([
      target.apiGroups,
      target.resources,
      target.resourceNames,
      target.nonResourceURLs,
    ]);
    merged.set(key, { ...target, verbs: sortedVerbs([...(merged.get(key)?.verbs ?? []), ...verbs]) });
  }
  return [...merged.values()].sort(compareRules);
}

function singleRules(rule: PolicyRule): readonly PolicyRule[] {
  const { verbs } = rule;
  const names =
    rule.resourceNames === undefined ? {} : { resourceNames: [...new Set(rule.resourceNames)].sort() };
  const urls = (rule.nonResourceURLs ?? []).map((url) => ({ nonResourceURLs: [url], verbs }));
  const resources = (rule.apiGroups ?? []).flatMap((group) =>
    (rule.resources ?? []).map((resource) => ({
      apiGroups: [group],
      resources: [resource],
      ...names,
      verbs,
    })),
  );
  return [...urls, ...resources];
}

/** Sorts verbs and removes duplicates. A `*` replaces all other verbs. */
function sortedVerbs(verbs: readonly string[]): readonly string[] {
  return verbs.includes('*') ? ['*'] : [...new Set(verbs)].sort();
}

function compareRules(a: PolicyRule, b: PolicyRule): number {
  const parts = (rule: PolicyRule): readonly string[] => [
    // Sort key: rules for URLs come first, then rules by API group, where the core group is the empty string.
    rule.nonResourceURLs === undefined ? '1' : '0',
    rule.apiGroups?.[0] ?? '',
    rule.resources?.[0] ?? '',
    (rule.resourceNames ?? []).join('\u0000'),
    rule.nonResourceURLs?.[0] ?? '',
  ];
  const other = parts(b);
  for (const [index, part] of parts(a).entries()) {
    const counterpart = other[index] ?? '';
    if (part !== counterpart) return part < counterpart ? -1 : 1;
  }
  return 0;
}

type Documents = readonly [ManifestDocument, ...ManifestDocument[]];

/**
 * Adds a binding for the ClusterRole of a namespaced operator, if it has one, because the generated project only binds the Role. The
 * subject is the operator's ServiceAccount.
 */
export function withClusterRoleBinding(documents: Documents): Documents {
  const ofCluster = documents.find(({ kind }) => kind === 'ClusterRole');
  return ofCluster === undefined ? documents : [...documents, clusterRoleBinding(ofCluster)];
}

function clusterRoleBinding({ metadata }: ManifestDocument): ManifestDocument {
  const { name } = metadata as { readonly name: string };
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'manager-cluster-rolebinding' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', name: 'controller-manager', namespace: 'system' }],
  };
}
