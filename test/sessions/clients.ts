import { createClient, loadCluster, type KubeClient } from '../../src/sdk/kube/index.ts';

/** Clients of the clusters that the commands of a file start, closed together. */
export class Clients {
  readonly #open: KubeClient[] = [];

  async of(kubeconfig: string): Promise<KubeClient> {
    const client = createClient({ cluster: await loadCluster({ kubeconfig }), fieldManager: 'test' });
    this.#open.push(client);
    return client;
  }

  async close(): Promise<void> {
    for (const client of this.#open) await client.close();
  }
}
