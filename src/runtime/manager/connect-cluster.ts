import {
  ApiClient,
  loadCluster,
  openConnection,
  Reflector,
  stripManagedFields,
  type Cluster,
} from '../../kube/index.ts';
import type { Logger } from '../create-logger.ts';
import { observeRequest } from '../metrics/index.ts';
import type { ClusterAccess } from './manager.ts';

export interface ConnectOptions {
  readonly kubeconfig: string | undefined;
  readonly cluster: Cluster | undefined;
  /** The manager's name: the field manager, and what the API server's audit log shows as the user agent. */
  readonly name: string;
  readonly log: Logger;
}

/** Finds the cluster and makes the one connection that client and cache share. No request is made yet. */
export async function connectCluster({
  kubeconfig,
  cluster,
  name,
  log,
}: ConnectOptions): Promise<ClusterAccess> {
  const found = cluster ?? (await loadCluster({ kubeconfig }));
  const connection = openConnection(found, {
    userAgent: `${name} opsdk`,
    observe: observeRequest,
    onWarning: (warning) => log.warn({ warning }, 'API server warning'),
  });
  return {
    client: new ApiClient(connection, name),
    reflect: ({ transform, ...scope }, handler, onState, signal) =>
      new Reflector({
        connection,
        ...scope,
        handler,
        onState,
        ...(transform === undefined ? {} : { transform: (object) => transform(stripManagedFields(object)) }),
      }).run(signal),
    close: () => connection.close(),
  };
}
