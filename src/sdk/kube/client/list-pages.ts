import type { KubeList, ObjectOf, Resource, StoredCopy, KubeObject } from '../../api/index.ts';
import { isExpired } from './api-error.ts';
import type { Connection } from './connection.ts';
import { resourcePath } from './calls.ts';

/** Objects a page of a list, as in client-go. */
export const pageSize = 500;

interface ListPagesOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** `''` (the default) is a consistent read, `'0'` whatever the watch cache holds. */
  readonly resourceVersion?: string | undefined;
  /** Objects a page; undefined: all at once. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly honourRetryAfter?: boolean;
}

/**
 * All objects of a collection, page by page. When a continue token expires on the way the list starts again, in one piece,
 * as client-go's pager does: pages of two different moments do not make a list.
 *
 * @throws ApiError
 */
export async function listPages<R extends Resource>(
  connection: Connection,
  resource: R,
  options: ListPagesOptions = {},
): Promise<KubeList<StoredCopy<ObjectOf<R>>>> {
  const items: StoredCopy<ObjectOf<R>>[] = [];
  let last: KubeList<StoredCopy<ObjectOf<R>>> | undefined;
  try {
    for await (const page of pagesOf(connection, resource, options)) {
      // One by one: a large page has more items than a call may have arguments.
      for (const item of page.items) items.push(item);
      last = page;
    }
  } catch (error) {
    if (last === undefined || !isExpired(error)) throw error;
    return listPages(connection, resource, { ...options, limit: undefined });
  }
  return { metadata: last?.metadata ?? {}, items };
}

/**
 * The pages of a collection, as the server makes them.
 *
 * @throws ApiError, `kube/expired` too
 */
export async function* pagesOf<R extends Resource>(
  connection: Connection,
  resource: R,
  options: ListPagesOptions,
): AsyncGenerator<KubeList<StoredCopy<ObjectOf<R>>>, void, undefined> {
  let token: string | undefined;
  do {
    const page = await listPage(connection, resource, options, token);
    token = page.metadata.continue;
    yield page;
  } while (token !== undefined && token !== '');
}

async function listPage<R extends Resource>(
  connection: Connection,
  resource: R,
  options: ListPagesOptions,
  token: string | undefined,
): Promise<KubeList<StoredCopy<ObjectOf<R>>>> {
  const { namespace, labelSelector, fieldSelector, resourceVersion, limit, signal } = options;
  const { apiVersion, kind, metadataOnly } = resource;
  const response = await connection.request({
    target: { verb: 'list', resource, namespace },
    method: 'GET',
    path: resourcePath(resource, { namespace }),
    query: {
      labelSelector,
      fieldSelector,
      limit,
      continue: token,
      // The token carries its own resource version.
      resourceVersion: token === undefined && resourceVersion !== '' ? resourceVersion : undefined,
    },
    headers: {
      'accept-encoding': 'gzip',
      ...(metadataOnly === true ? { accept: acceptMetadataList } : {}),
    },
    signal,
    honourRetryAfter: options.honourRetryAfter ?? true,
  });
  const list = response.json<Partial<KubeList<StoredCopy<ObjectOf<R>>>>>();
  // Go encodes an empty list as null in some aggregated servers. Items of a list carry no type of their own.
  const items = (list.items ?? []).map((item) =>
    metadataOnly === true
      ? toMetadataOnly(resource, item)
      : ({ apiVersion, kind, ...(item as object) } as StoredCopy<ObjectOf<R>>),
  );
  return { metadata: list.metadata ?? {}, items };
}

/** Servers that cannot do it, such as some aggregated ones, send whole objects. Source: apiserver `endpoints/handlers/response.go`. */
const accept = (kind: string): string => `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`;

/** For a watch, and for one object. */
export const acceptMetadata = accept('PartialObjectMetadata');
const acceptMetadataList = accept('PartialObjectMetadataList');

/** The server calls them `meta.k8s.io/v1 PartialObjectMetadata`; here they keep the kind that was asked for. */
export function toMetadataOnly<T extends KubeObject>(resource: Resource, object: T): T {
  const { apiVersion, kind } = resource;
  // The type of such a token's objects has no other fields.
  return { apiVersion, kind, metadata: object.metadata } as T;
}
