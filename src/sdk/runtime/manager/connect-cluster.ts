import {
  ApiClient,
  loadCluster,
  openConnection,
  Reflector,
  type Cluster,
  type Connection,
} from '../../kube/index.ts';
import type { Logger } from '../create-logger.ts';
import { diagnostics } from '../diagnostics.ts';
import { observeRequest } from '../metrics/index.ts';
import type { ClusterAccess } from './cluster-access.ts';

export interface ConnectOptions {
  readonly kubeconfig: string | undefined;
  readonly cluster: Cluster | undefined;
  /** The manager's name: the field manager, and what the API server's audit log shows as the user agent. */
  readonly name: string;
  readonly log: Logger;
}

/** A cluster as a manager needs it, and what it was made of. */
export interface ConnectedCluster extends ClusterAccess {
  readonly cluster: Cluster;
  readonly connection: Connection;
}

/** Finds the cluster and makes the one connection that client and cache share. No request is made yet. */
export async function connectCluster({
  kubeconfig,
  cluster,
  name,
  log,
}: ConnectOptions): Promise<ConnectedCluster> {
  const found = cluster ?? (await loadCluster({ kubeconfig }));
  const connection = openConnection(found, {
    userAgent: `${name} opsdk`,
    observe: observeRequest,
    onRefusal: (refusal) => diagnostics.refused(refusal),
    onWarning: (warning) => log.warn({ warning }, 'API server warning'),
  });
  return {
    connection,
    cluster: found,
    client: new ApiClient(connection, name),
    reflect: (scope, handler, onState, signal) =>
      new Reflector({ connection, ...scope, handler, onState }).run(signal),
    close: () => connection.close(),
  };
}
