import type { SourcePlace } from '../../source/index.ts';

/** Origin of a needed permission in the sources. */
export type RuleOrigin =
  /** A client call in the code, such as `client.delete(Pod, key)`. */
  | 'call'
  /** A part of `defineController`: `for`, `owns`, `watches`, `finalize`. */
  | 'declaration'
  /** Written by hand: the `rbac` of a controller, `rbac([...])`. */
  | 'explicit'
  /** Written by hand at the place where it is used: `permitted(client, [...])`. */
  | 'permitted';

/** A permission that the operator needs, with the source lines that need it. Rules are not yet normalised, so several may be equal. */
export interface NeededRule extends PolicyRule {
  /** The only namespace for which the permission is granted. Default: all namespaces in which the operator works. */
  readonly namespace?: string;
  /**
   * True if all resources of the rule are namespaced. Undefined for URLs, for hand-written rules before their scope is determined, and for
   * a `*` that covers resources of both scopes.
   */
  readonly namespaced?: boolean | undefined;
  /** Places in the sources that need the permission; at least one. */
  readonly places: readonly SourcePlace[];
  /** Place of the `defineController` call that declares the permission. The options of the call may be written elsewhere. */
  readonly controller?: SourcePlace;
  readonly origin: RuleOrigin;
  /** Name of the call or option at this place, such as `delete`, `owns`, `finalize` or `rbac`. */
  readonly by: string;
}

/** A rule of a Role. Source: `rbac.authorization.k8s.io/v1` PolicyRule. */
export interface PolicyRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}
