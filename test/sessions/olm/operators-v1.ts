// Stands for OLM v1, as far as the release itself needs it.
import { Deployment } from '../../../src/sdk/k8s/generated/apps/v1.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import { ClusterCatalog, ClusterExtension } from '../../../src/olm/run/run-names.ts';
import { listOf, setFinalizers, setStatus, StandIn } from './stand-in.ts';

/** The namespace of the release. */
export const olmNamespace = 'olmv1-system';

/** The finalizer of catalogues and extensions. */
export const cacheFinalizer = 'olm.operatorframework.io/delete-server-cache';

/**
 * What catalogd and operator-controller do while catalogd's Deployment is available: serve catalogues, clean up after them.
 * @param node what a node does, where there is none; whether catalogd runs is known by then
 */
export function operatorsOfV1(
  client: KubeClient,
  node = (_runs: boolean): Promise<void> => Promise.resolve(),
): StandIn {
  return new StandIn(async () => {
    const key = { name: 'catalogd-controller-manager', namespace: olmNamespace };
    const running = await client.find(Deployment, key);
    const runs = (running?.status?.availableReplicas ?? 0) > 0;
    await node(runs);
    if (!runs) return;
    for (const type of [ClusterCatalog, ClusterExtension])
      for (const each of await listOf(client, type)) {
        const { deletionTimestamp, finalizers = [] } = each.metadata;
        if (deletionTimestamp !== undefined) await setFinalizers(client, type, each, null);
        else if (finalizers.length === 0) await setFinalizers(client, type, each, [cacheFinalizer]);
      }
    const condition = {
      type: 'Serving',
      status: 'True',
      reason: 'Available',
      message: '',
      lastTransitionTime: new Date(0).toISOString(),
    };
    for (const each of await listOf(client, ClusterCatalog))
      await setStatus(client, ClusterCatalog, each, { conditions: [condition] });
  });
}
