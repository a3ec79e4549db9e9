import type { KubeObject, Resource } from '../../sdk/api/index.ts';
import type { Where } from '../../base/errors/index.ts';
import type { ObjectKey } from '../../sdk/kube/index.ts';
import type { ManifestObject } from '../../kubernetes/yaml/manifest-object.ts';
import type { ShownChange } from '../changes/compare-objects.ts';

/** An object of a manifest, and where it lives on the cluster. */
export interface ClusterObject {
  /** Object as it is written: with the namespace it goes to, without one if its kind is cluster-scoped. */
  readonly object: ManifestObject;
  /** The place in the user's files. */
  readonly where: Where;
  readonly resource: Resource<KubeObject>;
  readonly key: ObjectKey;
  /** False if only a CustomResourceDefinition of the same manifest makes the server know its type. */
  readonly served: boolean;
  /** As kubectl names it: `deployment.apps/web`. */
  readonly title: string;
}

/** `deployment.apps/web`: the kind in lower case, its group, and the name. */
export function titleOf({ kind, group }: Pick<Resource, 'kind' | 'group'>, name: string): string {
  const type = group === '' ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`;
  return `${type}/${name}`;
}

/** Outcome for an object. */
export interface ObjectOutcome {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly action: ObjectAction;
  /** In a dry run, of what is there already: the fields that would change. */
  readonly changes?: readonly ShownChange[];
  /** The managers of client-side apply whose fields are taken over. */
  readonly takesOver?: readonly string[];
}

/** `pruned`: deleted because it has left the manifests; `not-found`: there was nothing to delete. */
export type ObjectAction = 'created' | 'configured' | 'unchanged' | 'pruned' | 'deleted' | 'not-found';

export function outcomeOf(
  { resource, key }: ClusterObject,
  action: ObjectAction,
  { changes, takesOver = [] }: Pick<ObjectOutcome, 'changes' | 'takesOver'> = {},
): ObjectOutcome {
  const { apiVersion, kind } = resource;
  const { name, namespace } = key;
  return {
    apiVersion,
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    action,
    ...(changes === undefined ? {} : { changes }),
    ...(takesOver.length === 0 ? {} : { takesOver }),
  };
}
