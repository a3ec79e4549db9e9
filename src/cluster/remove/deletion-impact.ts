import type { Finding } from '../../base/errors/index.ts';
import { countText } from '../../base/util/words.ts';
import { type ClusterObject, isCrd, someNames } from '../objects/cluster-object.ts';

/** Objects that the manifest does not contain, but that are deleted together with an object of the manifest. */
export interface DeletionImpact {
  /** The CustomResourceDefinition or Namespace whose deletion also deletes `objects`. */
  readonly cause: ClusterObject;
  /** Noun for one of the objects in messages: `custom resource`. */
  readonly what: string;
  /** Names of the objects for people: `namespace/name` for custom resources, or `persistentvolumeclaim/data` for objects in a Namespace. */
  readonly objects: readonly string[];
  /**
   * Messages about kinds that could not be listed, with the reason. If it is not empty, further objects than those in `objects` may be
   * deleted.
   */
  readonly unread: readonly string[];
}

/** Custom resources whose finalizers prevent the deletion of their definition. */
export interface BlockedByFinalizer {
  readonly cause: ClusterObject;
  /** Custom resources that stay until somebody removes their finalizers, each with the names of these finalizers. */
  readonly objects: readonly { readonly object: string; readonly finalizers: readonly string[] }[];
}

/** Returns a finding that the deletion of a CustomResourceDefinition would never finish because of finalizers. */
export function blockedFinding({ cause, objects }: BlockedByFinalizer): Finding {
  const names = objects.map(({ object, finalizers }) => `${object} (${finalizers.join(', ')})`);
  return {
    code: 'cluster/finalizers',
    message: `${cause.title}: ${countText(names.length, 'custom resource')} with finalizers: ${someNames(names)}`,
    where: cause.where,
    fix: [
      `delete them while the operator runs: kubectl delete ${cause.key.name} --all --all-namespaces`,
      'or continue with --force: they are deleted if the operator still runs, and stay if it does not',
    ],
  };
}

/** Returns the warning that the deletion of kept custom resources does not end before the operator runs again. */
export function keptFinalizersFinding({ cause, objects }: BlockedByFinalizer): Finding {
  const names = objects.map(({ object, finalizers }) => `${object} (${finalizers.join(', ')})`);
  return {
    code: 'cluster/finalizers-kept',
    message: `${cause.title}: ${countText(names.length, 'custom resource')} with finalizers that only the operator removes: ${someNames(names)}`,
    where: cause.where,
    fix: ['deploy the operator again before you delete them: without it their deletion does not end'],
  };
}

/** Returns the warning that a Namespace of the manifest is kept because of objects that the manifest does not name. */
export function keptNamespaceFinding({ cause, what, objects, unread }: DeletionImpact): Finding {
  const parts = [
    ...(objects.length === 0 ? [] : [`${countText(objects.length, what)} in it: ${someNames(objects)}`]),
    ...(unread.length === 0 ? [] : [`its objects could not be listed: ${someNames(unread, '; ')}`]),
  ];
  return {
    code: 'cluster/namespace-kept',
    message: `${cause.title} is kept: ${parts.join('; ')}`,
    where: cause.where,
    fix: [`if nothing in it is needed: kubectl delete namespace ${cause.key.name}`],
  };
}

/**
 * Returns a finding that further objects are deleted together with the cause of the impact. The finding is a warning, or the reason why
 * nothing was deleted.
 *
 * @param options.refused true if the command ends because of this finding. The finding then includes fixes: how to continue, and how to
 * keep the objects
 * @param options.canKeep true if the command has the flag `--keep-crds`
 */
export function impactFinding(
  impact: DeletionImpact,
  options: { readonly refused?: boolean; readonly canKeep?: boolean } = {},
): Finding {
  const { cause, what, objects, unread } = impact;
  const refused = options.refused === true;
  const will = refused ? 'would' : 'will';
  const parts = [
    ...(objects.length === 0
      ? []
      : [`${countText(objects.length, what)} ${will} be deleted with it: ${someNames(objects)}`]),
    ...(unread.length === 0
      ? []
      : [`what ${will} be deleted with it could not be listed: ${someNames(unread, '; ')}`]),
  ];
  return {
    code: 'cluster/objects-lost',
    message: `${cause.title}: ${parts.join('; ')}`,
    where: cause.where,
    ...(refused
      ? { fix: ['pass --yes to delete them too', ...waysToKeep(cause, options.canKeep === true)] }
      : {}),
  };
}

function waysToKeep({ object, key }: ClusterObject, canKeep: boolean): readonly string[] {
  if (canKeep) {
    const copies = isCrd(object)
      ? [`to have a copy, run kubectl get ${key.name} --all-namespaces -o yaml first`]
      : [];
    return [
      ...copies,
      'pass --keep-crds to keep them, with the CustomResourceDefinitions and their Namespace',
    ];
  }
  if (isCrd(object)) {
    return [
      `to have a copy, run kubectl get ${key.name} --all-namespaces -o yaml first`,
      'to keep them, leave the CustomResourceDefinition on the cluster: remove it from the manifest and pass the rest with -f',
    ];
  }
  return [
    'to keep them, leave the Namespace on the cluster: remove it from the manifest and pass the rest with -f',
    `or move them to another namespace than ${key.name} first`,
  ];
}
