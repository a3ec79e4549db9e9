/** One RBAC rule with the fields of `rbac.authorization.k8s.io/v1`; `apiGroups` is shortened to `groups`. */
export interface RbacRule {
  /** API groups; `''` is the core group. */
  readonly groups?: readonly string[];
  /** Plurals such as `deployments`, or subresources such as `deployments/status`. */
  readonly resources?: readonly string[];
  /** Restricts the rule to objects of these names; not possible for `create`, `list` and `watch`. Default: all objects. */
  readonly resourceNames?: readonly string[];
  /** Restricts the rule to this namespace, by a Role instead of the ClusterRole. Default: all namespaces in which the operator works. */
  readonly namespace?: string;
  /** Paths that are not resources, such as `/metrics`; cannot be combined with `groups` and `resources`. */
  readonly nonResourceURLs?: readonly string[];
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`, … */
  readonly verbs: readonly string[];
}

/**
 * Declares permissions that are not specific to one controller. Export one such list per project; `op-sdk generate manifests` reads it from
 * the source.
 *
 * @example
 * export const permissions = rbac([{ groups: [''], resources: ['secrets'], verbs: ['get'] }]);
 */
export function rbac(rules: readonly RbacRule[]): readonly RbacRule[] {
  return rules;
}
