import type { KubeList, KubeObject, ObjectOf, Resource } from '../../api/index.ts';
import { isExpired } from './api-error.ts';
import type { Connection } from './connection.ts';
import { resourcePath } from './resource-path.ts';

export interface ListPagesOptions {
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
): Promise<KubeList<ObjectOf<R>>> {
  const { apiVersion, kind } = resource;
  const items: ObjectOf<R>[] = [];
  let token: string | undefined;
  for (;;) {
    let page: KubeList<ObjectOf<R>>;
    try {
      page = await listPage(connection, resource, options, token);
    } catch (error) {
      if (token === undefined || !isExpired(error)) throw error;
      return listPages(connection, resource, { ...options, limit: undefined });
    }
    // Items of a list carry no type of their own.
    for (const item of page.items)
      items.push({ apiVersion, kind, ...(item as Partial<KubeObject>) } as ObjectOf<R>);
    token = page.metadata.continue;
    if (token === undefined || token === '') return { metadata: page.metadata, items };
  }
}

async function listPage<R extends Resource>(
  connection: Connection,
  resource: R,
  options: ListPagesOptions,
  token: string | undefined,
): Promise<KubeList<ObjectOf<R>>> {
  const { namespace, labelSelector, fieldSelector, resourceVersion, limit, signal } = options;
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
    headers: { 'accept-encoding': 'gzip' },
    signal,
    honourRetryAfter: options.honourRetryAfter ?? true,
  });
  const list = response.json<Partial<KubeList<ObjectOf<R>>>>();
  // Go encodes an empty list as null in some aggregated servers.
  return { metadata: list.metadata ?? {}, items: list.items ?? [] };
}
