import type { Finding } from '../../errors/index.ts';
import type { ClusterObject } from '../objects/cluster-object.ts';

/** What goes with an object that is deleted, though nobody named it. */
export interface Loss {
  /** The CustomResourceDefinition or the Namespace. */
  readonly cause: ClusterObject;
  /** What the objects are: `custom resource`. */
  readonly what: string;
  /** As people name them: `namespace/name`, or `persistentvolumeclaim/data`. */
  readonly objects: readonly string[];
}

/** Custom resources that somebody has to finish before they are gone. */
export interface Held {
  readonly cause: ClusterObject;
  /** Those that wait for somebody to remove their finalizers, with these finalizers. */
  readonly objects: readonly { readonly object: string; readonly finalizers: readonly string[] }[];
}

/** Names that a message gives before it only counts. */
const shown = 5;

/** That deleting the definition would not come to an end. */
export function heldFinding({ cause, objects }: Held): Finding {
  const names = objects.map(({ object, finalizers }) => `${object} (${finalizers.join(', ')})`);
  return {
    code: 'cluster/finalizers',
    message: `${cause.title}: ${count(names.length, 'custom resource')} with finalizers: ${some(names)}`,
    where: cause.where,
    fix: [
      `delete them while the operator runs: kubectl delete ${cause.key.name} --all --all-namespaces`,
      'or go on with --force: they are deleted while the operator still runs, if it runs, and stay if it does not',
    ],
  };
}

/** That objects are deleted with another. */
export function lossFinding({ cause, what, objects }: Loss): Finding {
  return {
    code: 'cluster/objects-lost',
    message: `${cause.title}: ${count(objects.length, what)} will be deleted with it: ${some(objects)}`,
    where: cause.where,
  };
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function some(names: readonly string[]): string {
  const more = names.length - shown;
  return `${names.slice(0, shown).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}
