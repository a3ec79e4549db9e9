import type { KubeObject, Resource } from '../../sdk/api/index.ts';
import { isNotFound, isTypeNotServed, type KubeClient } from '../../sdk/kube/index.ts';
import { keyText } from '../../sdk/kube/object-key.ts';
import type { ManifestObject } from '../../kubernetes/yaml/manifest-object.ts';
import { quietClient } from '../quiet-client.ts';
import type { ClusterObject } from '../objects/cluster-object.ts';
import { crdTypes } from '../objects/crd-types.ts';
import type { BlockedByFinalizer, DeletionImpact } from './deletion-impact.ts';

export interface CustomObjectsOptions {
  /** Objects that are deleted by themselves before: they are no loss. */
  readonly apart: readonly ClusterObject[];
  /** True if their end is waited for: if not, their finalizers hold the definition as those of others do. */
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
): Promise<{ readonly impact: DeletionImpact; readonly blocked: BlockedByFinalizer }> {
  const { items, unread } = await itemsOf(client, live as unknown as ManifestObject, signal);
  const names = new Set(
    apart
      .filter(({ resource, served }) => served && crd.key.name === `${resource.plural}.${resource.group}`)
      .map(({ key }) => keyText(key)),
  );
  const others = items.filter((item) => !names.has(textOf(item)));
  const blocked = (waitsForApart ? others : items).flatMap((item) => {
    const finalizers = (item.metadata.finalizers ?? []).filter((each) => !systemFinalizers.has(each));
    return finalizers.length === 0 ? [] : [{ object: textOf(item), finalizers }];
  });
  return {
    impact: { cause: crd, what: 'custom resource', objects: others.map(textOf), unread },
    blocked: { cause: crd, objects: blocked },
  };
}

async function itemsOf(
  client: KubeClient,
  crd: ManifestObject,
  signal: AbortSignal | undefined,
): Promise<{ readonly items: readonly KubeObject[]; readonly unread: readonly string[] }> {
  const type = readableType(crd);
  if (type !== undefined) {
    try {
      return { items: (await quietClient(client).list(type, { signal })).items, unread: [] };
    } catch (error) {
      if (!isTypeNotServed(error) && !isNotFound(error)) throw error;
    }
  }
  // A definition that was never established never had objects; of another there may be stored ones that no version shows.
  const unread = wasEstablished(crd) ? ['its objects (the cluster does not serve them)'] : [];
  return { items: [], unread };
}

function wasEstablished(crd: ManifestObject): boolean {
  const { conditions } = (crd['status'] ?? {}) as {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
  return conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true;
}

/** Any version shows all objects; that in which they are stored does so without the webhook that converts them. */
export function readableType(crd: ManifestObject): Resource<KubeObject> | undefined {
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
