import type { KubeObject, Resource } from '../../../sdk/api/index.ts';
import type { Finding } from '../../../base/errors/index.ts';
import { isNotFound, isTypeNotServed, type KubeClient } from '../../../sdk/kube/index.ts';
import { ClusterExtension, ClusterServiceVersion, Subscription } from '../../run/olm-kinds.ts';
import type { OlmRelease } from '../release/check-release.ts';
import type { OlmVersion } from '../../catalog/index.ts';
import { isCopiedByOlm } from '../../../cluster/index.ts';
import { nameOf } from '../status/olm-status.ts';

/** Objects of a kind by which OLM manages operators. */
export interface ManagedObjects {
  readonly type: Resource<KubeObject>;
  readonly objects: readonly KubeObject[];
}

/** Names that a message gives before it only counts. */
const shown = 20;

/**
 * Lists what OLM manages on a cluster, in the order in which it is deleted: Subscriptions, which would install again, and CSVs; or
 * ClusterExtensions. OLM's own package server and its copies of CSVs are left out.
 *
 * @throws ApiError if they may not be listed
 */
export async function managedObjects(
  client: KubeClient,
  { olm, objects }: Pick<OlmRelease, 'olm' | 'objects'>,
  signal: AbortSignal | undefined,
): Promise<readonly ManagedObjects[]> {
  const own = new Set(
    objects
      .filter(({ object }) => object.kind === ClusterServiceVersion.kind)
      .map(({ object }) => object.metadata.name),
  );
  const isOwn = ({ metadata }: KubeObject): boolean => isCopiedByOlm({ metadata }) || own.has(metadata.name);
  const types: readonly Resource<KubeObject>[] =
    olm === 'v0' ? [Subscription, ClusterServiceVersion] : [ClusterExtension];
  const found: ManagedObjects[] = [];
  for (const type of types) {
    const items = await listAll(client, type, { signal });
    found.push({
      type,
      objects: type === ClusterServiceVersion ? items.filter((each) => !isOwn(each)) : items,
    });
  }
  return found;
}

/** All objects of a type; none if the server does not serve it. @throws ApiError, TransportError */
export async function listAll(
  client: KubeClient,
  type: Resource<KubeObject>,
  options: { readonly labelSelector?: string; readonly signal: AbortSignal | undefined },
): Promise<readonly KubeObject[]> {
  try {
    return (await client.list(type, options)).items;
  } catch (error) {
    if (isTypeNotServed(error) || isNotFound(error)) return [];
    throw error;
  }
}

/**
 * Finding that operators are still managed by OLM: a refusal, or the warning of what is deleted with it.
 *
 * @returns undefined if nothing is managed
 */
export function inUseFinding(
  olm: OlmVersion,
  managed: readonly ManagedObjects[],
  { refused }: { readonly refused: boolean },
): Finding | undefined {
  const parts = managed
    .filter(({ objects }) => objects.length > 0)
    .map(({ type, objects }) => {
      const names = objects.map(({ metadata: { name, namespace } }) =>
        nameOf({ name, ...(namespace === undefined ? {} : { namespace }) }),
      );
      const more = names.length - shown;
      const list = `${names.slice(0, shown).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
      return `${objects.length} ${type.kind}${objects.length === 1 ? '' : 's'} (${list})`;
    });
  if (parts.length === 0) return undefined;
  const what = parts.join(' and ');
  if (!refused)
    return { code: 'olm/in-use', message: `OLM ${olm} is in use; this will be deleted with it: ${what}` };
  return {
    code: 'olm/in-use',
    message: `OLM ${olm} is in use: the cluster has ${what}`,
    fix: [
      'remove these operators first: delete the objects that are named',
      'or pass --force to delete them, and the operators that they installed, with OLM',
    ],
  };
}
