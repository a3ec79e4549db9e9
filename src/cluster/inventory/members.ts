import { metadataOnly, type KubeObject, type Resource } from '../../sdk/api/index.ts';
import {
  isForbidden,
  isNotFound,
  isTypeNotServed,
  type ApiDirectory,
  type KubeClient,
  ApiError,
} from '../../sdk/kube/index.ts';
import { groupOf } from '../../base/util/kubernetes-words.ts';
import { inParallel } from '../../base/util/in-parallel.ts';
import type { ManifestObject } from '../../kubernetes/yaml/index.ts';
import { titleOf, type ClusterObject } from '../objects/cluster-object.ts';
import { quietClient } from '../clients.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { Secret } from '../../sdk/k8s/generated/core/v1.ts';
import { refusal } from '../apply/installable-crds.ts';
import { partOfLabel, type ApplySetParent, idLabel } from './apply-set.ts';
import { groupKindText, type ApplySetContents, applySetOf } from './contents.ts';

/** A member of an ApplySet that exists on the cluster. `live` contains at least its metadata. */
export interface Member extends ClusterObject {
  readonly live: KubeObject;
}

export interface FoundMembers {
  readonly members: readonly Member[];
  /** Maps each kind that may have members but could not be listed to the reason. */
  readonly unread: ReadonlyMap<string, string>;
}

/** A kind to list, and the namespace in which to list it. */
interface Place {
  readonly resource: Resource<KubeObject>;
  readonly namespace?: string;
}

/**
 * Lists the objects that are labelled as members of an ApplySet, in the kinds and namespaces of `contents` and in the namespace of the
 * parent. Kinds that are no longer served are skipped, because they have no objects.
 *
 * @throws ApiError, TransportError; kinds that the user may not list are returned in the result instead
 */
export async function findMembers(
  client: KubeClient,
  contents: ApplySetContents,
  options: {
    readonly id: string;
    readonly parent: ApplySetParent;
    readonly directory: ApiDirectory;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<FoundMembers> {
  const { id, parent, directory, signal } = options;
  const unread = new Map<string, string>();
  const places = [...contents.kinds].flatMap((kind): readonly Place[] => {
    const type = directory.types.find(
      ({ resource, verbs }) => groupKindText(resource) === kind && verbs.includes('list'),
    );
    if (type !== undefined)
      return type.resource.namespaced
        ? [parent.namespace, ...contents.namespaces].map((namespace) => ({
            resource: type.resource,
            namespace,
          }))
        : [{ resource: type.resource }];
    const away = directory.unavailable.find((version) => kind.endsWith(`.${groupOf(version)}`));
    if (away !== undefined) unread.set(kind, `the API server of ${away} does not answer`);
    return [];
  });
  const quiet = quietClient(client);
  const lists = await inParallel(places, async ({ resource, namespace }): Promise<readonly Member[]> => {
    try {
      const { items } = await quiet.list(metadataOnly(resource), {
        namespace,
        labelSelector: `${partOfLabel}=${id}`,
        signal,
      });
      return items.map(({ metadata }) => memberOf(resource, metadata));
    } catch (error) {
      if (isNotFound(error) || isTypeNotServed(error)) return [];
      if (!isForbidden(error)) throw error;
      unread.set(groupKindText(resource), error.serverMessage);
      return [];
    }
  });
  return { members: lists.flat(), unread };
}

function memberOf(resource: Resource<KubeObject>, metadata: KubeObject['metadata']): Member {
  const { apiVersion, kind } = resource;
  const { name, namespace } = metadata;
  const title = titleOf(resource, name);
  const live = { apiVersion, kind, metadata };
  return {
    object: live as unknown as ManifestObject,
    live,
    where: { object: title },
    resource,
    key: namespace === undefined ? { name } : { name, namespace },
    served: true,
    title,
  };
}

/** Objects of the manifest that belong to another ApplySet on the cluster, with the id and the parent of that ApplySet. */
export interface OthersMembers {
  readonly id: string;
  /** Parent of the ApplySet as `namespace/name`; undefined if unknown. */
  readonly parent: string | undefined;
  readonly objects: readonly ClusterObject[];
}

/**
 * Returns the objects that are members of other ApplySets than `id` on the cluster. An object that the user may not read counts as a member
 * of none; the later write of the object then reports the problem.
 *
 * @throws OpSdkError with the position of the object, TransportError
 */
export async function othersMembers(
  client: KubeClient,
  objects: readonly ClusterObject[],
  { id, signal }: { readonly id: string; readonly signal?: AbortSignal | undefined },
): Promise<readonly OthersMembers[]> {
  const owners = await inParallel(objects, async (object) => {
    if (!object.served) return undefined;
    try {
      const live = await client.find(object.resource, object.key, { signal });
      return live === undefined ? undefined : applySetOf(live);
    } catch (error) {
      if (isForbidden(error) || isNotFound(error) || isTypeNotServed(error)) return undefined;
      throw new OpSdkError(refusal(error, object), { cause: error });
    }
  });
  const others = [...new Set(owners)].filter((owner) => owner !== undefined && owner !== id);
  return inParallel(others as readonly string[], async (other) => ({
    id: other,
    parent: await parentOfSet(client, other, signal),
    objects: objects.filter((_, index) => owners[index] === other),
  }));
}

/**
 * Returns the parent of an ApplySet as text for messages; undefined if the user may not list Secrets. Messages then show only the
 * ApplySet's id.
 */
async function parentOfSet(
  client: KubeClient,
  id: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  try {
    const { items } = await client.list(metadataOnly(Secret), { labelSelector: `${idLabel}=${id}`, signal });
    const [first] = items;
    return first === undefined ? undefined : `${first.metadata.namespace ?? ''}/${first.metadata.name}`;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
