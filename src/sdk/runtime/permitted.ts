import type { RbacRule } from '../api/index.ts';
import type { Reader, Writer } from '../kube/index.ts';

declare const permittedMark: unique symbol;

/** A client with manually declared permissions. Created by {@link permitted}. */
export type Permitted<C extends Reader | Writer> = C & {
  /** Property that exists only for the type checker and `op-sdk generate manifests`, not at run time. */
  readonly [permittedMark]: true;
};

/**
 * Declares the permissions for a use of a client that `op-sdk generate manifests` cannot infer from the code: a kind that is only known at
 * run time, or a library that takes a client. The rules are added to the operator's role. Calls through the returned client are not
 * analyzed, even where that client is passed on. Does nothing at run time.
 *
 * @param rules literals, or an `as const` value of the project, as for {@link rbac}
 * @returns the given client itself
 *
 * @example
 * const services = [{ groups: [''], resources: ['services'], verbs: ['create', 'patch'] }] as const;
 * await syncAll(permitted(client, services));
 */
export function permitted<C extends Reader | Writer>(client: C, rules: readonly RbacRule[]): Permitted<C> {
  // `op-sdk generate manifests` reads the rules from the source code; they are not used at run time.
  void rules;
  return client as Permitted<C>;
}
