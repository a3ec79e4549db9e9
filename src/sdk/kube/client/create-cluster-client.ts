import type { Cluster } from '../cluster/cluster.ts';
import { createClient } from './create-client.ts';
import type { ClusterClient } from './kube-client.ts';

/** Which cluster a client talks to, and as whom. */
export interface ClusterClientOptions {
  /** From `loadCluster`. */
  readonly cluster: Cluster;
  /** The owner of the fields that are written, 1 to 128 characters. */
  readonly fieldManager: string;
  /** The User-Agent header. Default: `op-sdk`. */
  readonly userAgent?: string;
  /** Milliseconds until a request is given up, a watch if it has not begun. Default: 90,000. */
  readonly requestTimeout?: number;
  /** Warnings of the API server and rounded integers, each text once. Default: process.emitWarning. */
  readonly onWarning?: (text: string) => void;
}

/**
 * A client of any cluster, outside of a manager: for scripts, tests and further clusters. Connects at the first request; close it.
 *
 * @example
 * const client = createClusterClient({ cluster: await loadCluster(), fieldManager: 'my-script' });
 * for await (const { items } of client.pages(Pod)) console.log(items.length);
 * await client.close();
 */
export function createClusterClient(options: ClusterClientOptions): ClusterClient {
  return createClient(options);
}
