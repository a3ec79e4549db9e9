/** One RBAC rule, in the words of `rbac.authorization.k8s.io/v1` with `apiGroups` shortened to `groups`. */
export interface RbacRule {
  /** API groups; `''` is the core group. */
  readonly groups?: readonly string[];
  /** Plurals, `deployments`, or subresources, `deployments/status`. */
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
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
