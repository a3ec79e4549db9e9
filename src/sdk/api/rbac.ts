/** One RBAC rule with the fields of `rbac.authorization.k8s.io/v1`; `apiGroups` is shortened to `groups`. */
export interface RbacRule {
  /** API groups to which the rule applies; `''` is the core group. */
  readonly groups?: readonly string[];
  /** Plural names of resources, such as `deployments`, or subresources, such as `deployments/status`. */
  readonly resources?: readonly string[];
  /** Names of the objects to which the rule is restricted; not possible for `create`, `list` and `watch`. Default: all objects. */
  readonly resourceNames?: readonly string[];
  /**
   * Namespace to which the rule is restricted. A rule with a namespace is written to a Role instead of the ClusterRole. Default: all
   * namespaces in which the operator works.
   */
  readonly namespace?: string;
  /** Paths that are not resources, such as `/metrics`; cannot be combined with `groups` and `resources`. */
  readonly nonResourceURLs?: readonly string[];
  /** Allowed verbs: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`, … */
  readonly verbs: readonly string[];
}

/**
 * Declares permissions that are not specific to one controller. Export one list of rules per project; `op-sdk generate manifests` reads the
 * list from the source.
 * @example
 * export const permissions = rbac([{ groups: [''], resources: ['secrets'], verbs: ['get'] }]);
 */
export function rbac(rules: readonly RbacRule[]): readonly RbacRule[] {
  return rules;
}
