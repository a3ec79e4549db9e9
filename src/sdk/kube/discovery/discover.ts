import type { CallOptions } from '../types.ts';
import type { Connection } from '../client/connection.ts';
import { aggregatedAccept, isAggregated, readAggregated } from './aggregated-discovery.ts';
import {
  coreVersions,
  listedVersions,
  readPlain,
  type APIGroupList,
  type APIVersions,
} from './plain-discovery.ts';
import type { ApiDirectory } from './served-type.ts';

/**
 * Asks an API server what it serves: two requests where it aggregates its discovery documents (Kubernetes 1.27 and later),
 * else one for each version of each group.
 *
 * @throws ApiError, TransportError
 */
export async function discover(connection: Connection, options: CallOptions = {}): Promise<ApiDirectory> {
  const [core, groups] = await Promise.all([
    discoverAt(connection, '/api', options.signal),
    discoverAt(connection, '/apis', options.signal),
  ]);
  return {
    types: [...core.types, ...groups.types],
    unavailable: [...core.unavailable, ...groups.unavailable],
  };
}

async function discoverAt(
  connection: Connection,
  path: '/api' | '/apis',
  signal: AbortSignal | undefined,
): Promise<ApiDirectory> {
  const response = await connection.request({
    target: { verb: `GET ${path}` },
    method: 'GET',
    path,
    headers: { accept: aggregatedAccept },
    signal,
  });
  const document = response.json();
  if (isAggregated(document)) return readAggregated(document);
  const versions =
    path === '/api' ? coreVersions(document as APIVersions) : listedVersions(document as APIGroupList);
  return readPlain(connection, versions, signal);
}
