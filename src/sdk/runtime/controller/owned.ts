import type { KubeObject, Resource } from '../../api/index.ts';
import type { Predicate } from './predicates.ts';

/** Which owned objects matter, and to whom. */
export interface OwnedOptions<T extends KubeObject> {
  /** Which changes count; all must agree. Default: every change. */
  readonly predicates?: readonly Predicate<T>[];
  /** Reconcile every owner of the `for` kind, not only the one that controls the object (`controller: true`). Default: false. */
  readonly anyOwner?: boolean;
}

/** A kind whose objects the controller creates. Made by {@link owned}. */
export interface OwnedKind {
  /** The kind. */
  readonly resource: Resource;
  /** Every owner of the `for` kind is concerned, not only the controller. */
  readonly anyOwner: boolean;
  /** Returns true if a change counts. */
  accepts: Predicate;
}

/**
 * An entry of `owns` with options. Without any it is the same as the kind alone.
 *
 * @example
 * owns: [owned(Deployment, { predicates: [generationChanged] }), Service]
 */
export function owned<T extends KubeObject>(resource: Resource<T>, options: OwnedOptions<T> = {}): OwnedKind {
  // The cache delivers objects of the kind only.
  const predicates = (options.predicates ?? []) as readonly Predicate[];
  return {
    resource,
    anyOwner: options.anyOwner ?? false,
    accepts: (change) => predicates.every((predicate) => predicate(change)),
  };
}
