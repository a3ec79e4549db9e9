import { groupOf } from '../../base/util/api-version.ts';
import { asText, isJsonMap, jsonListOf, jsonMapOf } from '../../base/util/json-map.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';

/**
 * Parts roles for the operator's users from all others: ClusterRoles that no binding names or role takes in, and that grant nothing but kinds which the
 * bundle brings, or URLs of the operator. OLM makes roles for these kinds itself, and removes them with the operator; those of a bundle
 * stay behind an uninstall, and keep OLM 1 from installing the operator again.
 * Source: operator-lifecycle-manager `pkg/controller/operators/olm`, `<kind>-<version>-admin|edit|view`.
 * @param loose the roles, bindings and ServiceAccounts of the bundle that are not the operator's own
 */
export function withoutUserRoles(
  loose: readonly PlacedObject[],
  crds: readonly PlacedObject[],
): { readonly kept: readonly PlacedObject[]; readonly left: readonly PlacedObject[] } {
  const bound = new Set(loose.map(({ object }) => asText(jsonMapOf(object['roleRef'])['name'])));
  const groups = new Set(crds.map(({ object }) => asText(jsonMapOf(object['spec'])['group'])));
  const aggregated = aggregatingLabels(loose);
  const left = loose.filter(
    ({ object }) =>
      object.kind === 'ClusterRole' &&
      groupOf(object.apiVersion) === 'rbac.authorization.k8s.io' &&
      !bound.has(object.metadata.name) &&
      object['aggregationRule'] === undefined &&
      !Object.keys(object.metadata.labels ?? {}).some((label) => aggregated.has(label)) &&
      jsonListOf(object['rules']).every((rule) => isForUsers(rule, groups)),
  );
  return { kept: loose.filter((placed) => !left.includes(placed)), left };
}

function isForUsers(rule: unknown, groups: ReadonlySet<string>): boolean {
  if (!isJsonMap(rule)) return false;
  const apiGroups = jsonListOf(rule['apiGroups']);
  return apiGroups.every((group) => typeof group === 'string' && groups.has(group));
}

/** The labels by which roles of the bundle take in the rules of others. Their values are ignored: to keep one role too many costs nothing. */
function aggregatingLabels(roles: readonly PlacedObject[]): ReadonlySet<string> {
  const selectors = roles.flatMap(({ object }) =>
    jsonListOf(jsonMapOf(object['aggregationRule'])['clusterRoleSelectors']).map(jsonMapOf),
  );
  return new Set(
    selectors.flatMap((selector) => [
      ...Object.keys(jsonMapOf(selector['matchLabels'])),
      ...jsonListOf(selector['matchExpressions']).map((each) => asText(jsonMapOf(each)['key'])),
    ]),
  );
}
