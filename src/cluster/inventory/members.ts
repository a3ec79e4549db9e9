import { metadataOnly, type KubeObject, type Resource } from '../../sdk/api/index.ts';
import {
  isForbidden,
  isNotFound,
  isTypeNotServed,
  type ApiDirectory,
  type KubeClient,
} from '../../sdk/kube/index.ts';
import { groupOf } from '../../base/util/api-version.ts';
import { inParallel } from '../../base/util/in-parallel.ts';
import type { ManifestObject } from '../../kubernetes/yaml/manifest-object.ts';
import { titleOf, type ClusterObject } from '../objects/cluster-object.ts';
import { quietClient } from '../quiet-client.ts';
import { partOfLabel, type ApplySetParent } from './apply-set.ts';
import { groupKindText, type ApplySetContents } from './contents.ts';

/** A member of an ApplySet, as it is on the cluster: `live` has its metadata. */
export interface Member extends ClusterObject {
  readonly live: KubeObject;
}

export interface FoundMembers {
  readonly members: readonly Member[];
  /** Kinds of which there may be members, because they could not be listed: with the reason. */
  readonly unread: ReadonlyMap<string, string>;
}

/** Kind that may be listed, and where. */
interface Place {
  readonly resource: Resource<KubeObject>;
  readonly namespace?: string;
}

/**
 * The objects that are labelled as members of an ApplySet, of the kinds and in the namespaces of `contents` and that of the
 * parent. Of a kind that is no longer served there are no objects.
 *
 * @throws ApiError, TransportError; what may not be listed is in the result
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
