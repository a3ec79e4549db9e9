import type { RbacRule } from '../api/index.ts';
import type { Reader, Writer } from '../kube/index.ts';

declare const permittedMark: unique symbol;

/** A client with manually declared permissions. Created by {@link permitted}. */
export type Permitted<C extends Reader | Writer> = C & {
  /** Only for the type checker, and for `op-sdk generate manifests`. Does not exist at run time. */
  readonly [permittedMark]: true;
};

/**
 * Declares the use of a client that `op-sdk generate manifests` cannot infer from the code: a kind that is only known at run time, or a
 * library that takes a client. The rules are added to the role; calls through the returned client are not analyzed, wherever it is passed.
 * Does nothing at run time.
 *
 * @param rules literals, or an `as const` value of the project, as for {@link rbac}
 * @returns the client itself
 *
 * @example
 * const services = [{ groups: [''], resources: ['services'], verbs: ['create', 'patch'] }] as const; await syncAll(permitted(client,
 * services));
 */
export function permitted<C extends Reader | Writer>(client: C, rules: readonly RbacRule[]): Permitted<C> {
  // Read from the source, not at run time.
  void rules;
  return client as Permitted<C>;
}
