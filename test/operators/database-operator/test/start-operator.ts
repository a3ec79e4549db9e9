// Both controllers on a real API server, and an administrator who does what users of the operator do.
import { join } from 'node:path';
import { createClusterClient, createManager, loadCluster, type ClusterClient } from 'opsdk';
import { Event } from 'opsdk/k8s/events/v1';
import { startControlPlane } from 'opsdk/testing';
import { accountController } from '../src/controllers/data/account.ts';
import { databaseController } from '../src/controllers/data/database.ts';

export interface StartedOperator {
  readonly client: ClusterClient;
  /** The reasons of all Events about an object. */
  reasons(name: string): Promise<readonly (string | undefined)[]>;
  stop(): Promise<void>;
}

export async function startOperator(): Promise<StartedOperator> {
  const controlPlane = await startControlPlane({ crds: [join(import.meta.dirname, '../config/crd/bases')] });
  const cluster = await loadCluster({ kubeconfig: controlPlane.kubeconfig });
  const client = createClusterClient({ cluster, fieldManager: 'test' });
  const manager = await createManager({
    name: 'database-operator',
    kubeconfig: controlPlane.operatorKubeconfig,
    health: '0',
    logLevel: 'error',
  });
  manager.add(databaseController);
  manager.add(accountController);
  const stopping = new AbortController();
  const running = manager.run({ signal: stopping.signal });
  return {
    client,
    async reasons(name) {
      const { items } = await client.list(Event, { namespace: 'default' });
      return items.filter(({ regarding }) => regarding?.name === name).map(({ reason }) => reason);
    },
    async stop() {
      stopping.abort();
      await running;
      await client.close();
      await controlPlane.stop();
    },
  };
}
