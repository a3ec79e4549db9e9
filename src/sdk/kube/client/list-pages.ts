import type { KubeList, ObjectOf, Resource, StoredCopy, KubeObject } from '../../api/index.ts';
import { isExpired } from './api-error.ts';
import type { Connection } from './connection.ts';
import { resourcePath } from './calls.ts';

/** Objects per page of a list, as in client-go. */
export const pageSize = 500;

interface ListPagesOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** `''` (the default) is a consistent read; `'0'` returns the current content of the watch cache. */
  readonly resourceVersion?: string | undefined;
  /** Objects per page; undefined: all objects in one response. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly honourRetryAfter?: boolean;
}

/**
 * Returns all objects of a collection, read page by page. When a continue token expires, the list starts again without pages, as in
 * client-go's pager: pages of two different states do not form a consistent list.
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
      // Pushes items individually: a large page has more items than a call may have arguments.
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
 * Yields the pages of a collection as the server returns them.
 *
 * @throws ApiError, including `kube/expired`
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
      // The token already contains a resource version.
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
  // Some aggregated servers, written in Go, encode an empty list as null. Items of a list do not contain their type.
  const items = (list.items ?? []).map((item) =>
    metadataOnly === true
      ? toMetadataOnly(resource, item)
      : ({ apiVersion, kind, ...(item as object) } as StoredCopy<ObjectOf<R>>),
  );
  return { metadata: list.metadata ?? {}, items };
}

/**
 * Servers that do not support the metadata form, such as some aggregated ones, send complete objects. Source: apiserver
 * `endpoints/handlers/response.go`.
 */
const accept = (kind: string): string => `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`;

/** For a watch, and for one object. */
export const acceptMetadata = accept('PartialObjectMetadata');
const acceptMetadataList = accept('PartialObjectMetadataList');

/** Restores the apiVersion and kind of the request: the server sends `meta.k8s.io/v1 PartialObjectMetadata`. */
export function toMetadataOnly<T extends KubeObject>(resource: Resource, object: T): T {
  const { apiVersion, kind } = resource;
  // The object type of such a token has no other fields.
  return { apiVersion, kind, metadata: object.metadata } as T;
}
