import type { SourcePlace } from '../../source/index.ts';

/** Where a needed permission comes from. */
export type RuleOrigin =
  /** A call in the code: `client.delete(Pod, key)`. */
  | 'call'
  /** A part of `defineController`: `for`, `owns`, `watches`, `finalize`. */
  | 'declaration'
  /** Written by hand: the `rbac` of a controller, `rbac([...])`. */
  | 'explicit'
  /** Written by hand at the place where it is used: `permitted(client, [...])`. */
  | 'permitted';

/** A permission that the operator needs, with the lines that need it. Not yet normalised: several may be equal. */
export interface NeededRule extends PolicyRule {
  /** Granted in this namespace alone. Default: wherever the operator works. */
  readonly namespace?: string;
  /**
   * True if all its resources are namespaced; undefined for URLs, for rules by hand as they are read, and for a `*` that covers resources
   * of both scopes.
   */
  readonly namespaced?: boolean | undefined;
  /** The places in the sources that need it; at least one. */
  readonly places: readonly SourcePlace[];
  /** The call of `defineController` that declares it, whose parts may be written elsewhere. */
  readonly controller?: SourcePlace;
  readonly origin: RuleOrigin;
  /** Call or option at this place, in a word: `delete`, `owns`, `finalize`, `rbac`. */
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
