import type { KubeObject, Resource } from '../../api/index.ts';
import { isNotFound, isTypeNotServed, type KubeClient } from '../../kube/index.ts';
import type { ManifestObject } from '../../yaml/manifest-object.ts';
import { keyText, type ClusterObject } from '../objects/cluster-object.ts';
import { crdTypes } from '../objects/crd-types.ts';
import type { Held, Loss } from './loss.ts';

export interface CustomObjectsOptions {
  /** Objects that are deleted by themselves before: they are no loss. */
  readonly apart: readonly ClusterObject[];
  /** Whether their end is waited for: if not, their finalizers hold the definition as those of others do. */
  readonly waitsForApart: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Finalizers that the garbage collector of the cluster removes. Source: apimachinery `metav1.FinalizerDeleteDependents`. */
const systemFinalizers = new Set(['foregroundDeletion', 'orphan']);

/**
 * The custom resources that would be deleted with a CustomResourceDefinition.
 *
 * @param live the definition as it is on the cluster
 * @throws ApiError if they cannot be listed, also where the webhook that converts them does not answer
 */
export async function customObjects(
  client: KubeClient,
  crd: ClusterObject,
  live: KubeObject,
  { apart, waitsForApart, signal }: CustomObjectsOptions,
): Promise<{ readonly loss: Loss; readonly held: Held }> {
  const items = await itemsOf(client, live as unknown as ManifestObject, signal);
  const names = new Set(
    apart
      .filter(({ resource, served }) => served && crd.key.name === `${resource.plural}.${resource.group}`)
      .map(({ key }) => keyText(key)),
  );
  const others = items.filter((item) => !names.has(textOf(item)));
  const held = (waitsForApart ? others : items).flatMap((item) => {
    const finalizers = (item.metadata.finalizers ?? []).filter((each) => !systemFinalizers.has(each));
    return finalizers.length === 0 ? [] : [{ object: textOf(item), finalizers }];
  });
  return {
    loss: { cause: crd, what: 'custom resource', objects: others.map(textOf) },
    held: { cause: crd, objects: held },
  };
}

async function itemsOf(
  client: KubeClient,
  crd: ManifestObject,
  signal: AbortSignal | undefined,
): Promise<readonly KubeObject[]> {
  const type = readableType(crd);
  if (type === undefined) return [];
  try {
    return (await client.list(type, { signal })).items;
  } catch (error) {
    // Defined, but not served: no object can be written or read, though some may be stored.
    if (isTypeNotServed(error) || isNotFound(error)) return [];
    throw error;
  }
}

/** Any version shows all objects; that in which they are stored does so without the webhook that converts them. */
function readableType(crd: ManifestObject): Resource<KubeObject> | undefined {
  const types = crdTypes(crd);
  const { versions } = (crd['spec'] ?? {}) as {
    readonly versions?: readonly { readonly name: string; readonly storage?: boolean }[];
  };
  const stored = versions?.find(({ storage }) => storage === true)?.name;
  return types.find(({ version }) => version === stored) ?? types[0];
}

function textOf({ metadata }: KubeObject): string {
  return keyText({ name: metadata.name, namespace: metadata.namespace });
}
