import type { KubeObject } from '../../api/index.ts';
import type { Finding } from '../../errors/index.ts';
import { isNotFound, isTypeNotServed, type KubeClient } from '../../kube/index.ts';
import type { ManifestObject } from '../../util/manifest-object.ts';
import { keyText, type ClusterObject } from '../objects/cluster-object.ts';
import { crdTypes } from '../objects/crd-types.ts';

/** What goes with a CustomResourceDefinition. */
export interface Loss {
  readonly crd: ClusterObject;
  /** `nginxoperators.operator.example.com` */
  readonly name: string;
  /** The custom resources that exist, as `namespace/name`. */
  readonly objects: readonly string[];
  /** Those that wait for somebody to remove their finalizers, with these finalizers. */
  readonly held: readonly { readonly object: string; readonly finalizers: readonly string[] }[];
}

/** Finalizers that the garbage collector of the cluster removes. Source: apimachinery `metav1.FinalizerDeleteDependents`. */
const systemFinalizers = new Set(['foregroundDeletion', 'orphan']);

/** Names that a message gives before it only counts. */
const shown = 5;

/**
 * The custom resources that would be deleted with a CustomResourceDefinition.
 *
 * @param live the definition as it is on the cluster
 * @param apart objects that are deleted by themselves before
 */
export async function lossOf(
  client: KubeClient,
  crd: ClusterObject,
  live: KubeObject,
  { apart, signal }: { readonly apart: readonly ClusterObject[]; readonly signal?: AbortSignal | undefined },
): Promise<Loss> {
  const name = crd.key.name;
  // Any version shows all objects.
  const [type] = crdTypes(live as unknown as ManifestObject);
  if (type === undefined) return { crd, name, objects: [], held: [] };
  const isApart = (object: KubeObject): boolean =>
    apart.some(
      ({ resource, key }) =>
        resource.group === type.group && resource.kind === type.kind && keyText(key) === textOf(object),
    );
  try {
    const { items } = await client.list(type, { signal });
    const lost = items.filter((item) => !isApart(item));
    const held = lost.flatMap((item) => {
      const finalizers = (item.metadata.finalizers ?? []).filter((each) => !systemFinalizers.has(each));
      return finalizers.length === 0 ? [] : [{ object: textOf(item), finalizers }];
    });
    return { crd, name, objects: lost.map(textOf), held };
  } catch (error) {
    // Defined, but not served: no object can be written or read, though some may be stored.
    if (isTypeNotServed(error) || isNotFound(error)) return { crd, name, objects: [], held: [] };
    throw error;
  }
}

function textOf({ metadata }: KubeObject): string {
  return keyText({ name: metadata.name, namespace: metadata.namespace });
}

/** That deleting the definition would not come to an end. */
export function heldFinding({ crd, name, held }: Loss): Finding {
  const objects = held.map(({ object, finalizers }) => `${object} (${finalizers.join(', ')})`);
  return {
    code: 'cluster/finalizers',
    message: `${crd.title}: ${count(held.length, 'custom resource')} with finalizers: ${some(objects)}`,
    where: crd.where,
    fix: [
      `delete them while the operator runs: kubectl delete ${name} --all --all-namespaces`,
      'or go on with --force: they are deleted while the operator still runs, if it runs, and stay if it does not',
    ],
  };
}

/** That objects are deleted with the definition. */
export function lossFinding({ crd, objects }: Loss): Finding {
  return {
    code: 'cluster/objects-lost',
    message: `${crd.title}: ${count(objects.length, 'custom resource')} will be deleted with it: ${some(objects)}`,
    where: crd.where,
  };
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function some(names: readonly string[]): string {
  const more = names.length - shown;
  return `${names.slice(0, shown).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}
