import type { RbacRule } from '../api/index.ts';
import type { Reader, Writer } from '../kube/index.ts';

declare const permittedMark: unique symbol;

/** A client whose permissions are written by hand. Made by {@link permitted}. */
export type Permitted<C extends Reader | Writer> = C & {
  /** Only for the type checker, and for `op-sdk generate manifests`. At run time a client has no such property. */
  readonly [permittedMark]: true;
};

/**
 * States what is done with a client where `op-sdk generate manifests` cannot read it from the code: a kind that is only known at run time, or a
 * library that takes a client. The rules are added to the role; calls through the client, wherever it goes, are not judged. Does nothing at run
 * time.
 *
 * @param rules literals, or an `as const` value of the project, as for {@link rbac}
 * @returns the client itself
 *
 * @example
 * const services = [{ groups: [''], resources: ['services'], verbs: ['create', 'patch'] }] as const;
 * await syncAll(permitted(client, services));
 */
export function permitted<C extends Reader | Writer>(client: C, rules: readonly RbacRule[]): Permitted<C> {
  // Read from the source, not here.
  void rules;
  return client as Permitted<C>;
}
