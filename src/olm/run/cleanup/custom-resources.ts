import type { KubeObject } from '../../../sdk/api/index.ts';
import { quietClient, readableType } from '../../../cluster/index.ts';
import { isNotFound, isTypeNotServed, type KubeClient } from '../../../sdk/kube/index.ts';
import type { ManifestObject } from '../../../kubernetes/yaml/manifest-object.ts';

/** The custom resources of definitions that are on the cluster, in the version in which they are stored. */
export async function customResourcesOf(
  client: KubeClient,
  crds: readonly KubeObject[],
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const lists = await Promise.all(crds.map((crd) => listOne(client, crd, signal)));
  return lists.flat();
}

async function listOne(
  client: KubeClient,
  crd: KubeObject,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const type = readableType(crd as unknown as ManifestObject);
  if (type === undefined) return [];
  try {
    const { items } = await quietClient(client).list(type, { signal });
    const { apiVersion, kind } = type;
    return items.map((item) => ({ ...item, apiVersion, kind }));
  } catch (error) {
    if (isNotFound(error) || isTypeNotServed(error)) return [];
    throw error;
  }
}
