import type { KubeList, ObjectOf, Resource, StoredCopy, KubeObject } from '../../api/index.ts';
import { isExpired } from './api-error.ts';
import type { Connection } from './connection.ts';
import { resourcePath } from './calls.ts';

/** Maximum number of objects per page of a list, as in client-go. */
export const pageSize = 500;

interface ListPagesOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Resource version of the read: `''` (the default) is a consistent read; `'0'` returns the current content of the watch cache. */
  readonly resourceVersion?: string | undefined;
  /** Maximum number of objects per page; undefined requests all objects in one response. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly honourRetryAfter?: boolean;
  /** Called after each page, with the number of bytes of all pages so far. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

/**
 * Returns all objects of a collection, read page by page. When a continue token expires, reads the list again in one response, because
 * pages of two different states do not form a consistent list. client-go's pager does the same.
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
      // Items are pushed individually, because a large page may have more items than the maximum number of arguments of a call.
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
  let bytes = 0;
  do {
    const { page, size } = await listPage(connection, resource, options, token);
    token = page.metadata.continue;
    options.onBytes?.((bytes += size));
    yield page;
  } while (token !== undefined && token !== '');
}

async function listPage<R extends Resource>(
  connection: Connection,
  resource: R,
  options: ListPagesOptions,
  token: string | undefined,
): Promise<{ readonly page: KubeList<StoredCopy<ObjectOf<R>>>; readonly size: number }> {
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
      // The resource version is sent only with the first request, because a continue token already contains one.
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
  // Some aggregated servers, written in Go, encode an empty list as null. The items of a list do not contain their apiVersion and kind, so
  // these two fields are added.
  const items = (list.items ?? []).map((item) =>
    metadataOnly === true
      ? toMetadataOnly(resource, item)
      : ({ apiVersion, kind, ...(item as object) } as StoredCopy<ObjectOf<R>>),
  );
  return { page: { metadata: list.metadata ?? {}, items }, size: response.body.length };
}

/**
 * Returns the Accept header that requests only the metadata of objects (`PartialObjectMetadata`). The header also accepts complete objects,
 * because servers that do not support this form, such as some aggregated servers, send complete objects. Source: apiserver
 * `endpoints/handlers/response.go`.
 */
const accept = (kind: string): string => `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`;

/** Accept header that requests only the metadata of objects, for a watch and for a request for one object. */
export const acceptMetadata = accept('PartialObjectMetadata');
const acceptMetadataList = accept('PartialObjectMetadataList');

/** Restores the apiVersion and kind of the requested resource, because the server sends `meta.k8s.io/v1 PartialObjectMetadata` instead. */
export function toMetadataOnly<T extends KubeObject>(resource: Resource, object: T): T {
  const { apiVersion, kind } = resource;
  // The cast is safe, because the object type of a metadata-only token has no other fields.
  return { apiVersion, kind, metadata: object.metadata } as T;
}
