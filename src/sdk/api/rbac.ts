/** One RBAC rule, in the words of `rbac.authorization.k8s.io/v1` with `apiGroups` shortened to `groups`. */
export interface RbacRule {
  /** API groups; `''` is the core group. */
  readonly groups?: readonly string[];
  /** Plurals, `deployments`, or subresources, `deployments/status`. */
  readonly resources?: readonly string[];
  /** Only objects of these names; `create`, `list` and `watch` cannot be limited so. Default: all. */
  readonly resourceNames?: readonly string[];
  /** Only in this namespace: a Role there, in the place of the ClusterRole. Default: wherever the operator works. */
  readonly namespace?: string;
  /** Paths that are not resources, such as `/metrics`; without `groups` and `resources`. */
  readonly nonResourceURLs?: readonly string[];
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`, … */
  readonly verbs: readonly string[];
}

/**
 * Permissions that belong to no single controller. Export one per project; `op-sdk generate manifests` reads it from the source.
 *
 * @example
 * export const permissions = rbac([{ groups: [''], resources: ['secrets'], verbs: ['get'] }]);
 */
export function rbac(rules: readonly RbacRule[]): readonly RbacRule[] {
  return rules;
}
