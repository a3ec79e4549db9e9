import type { ReconcileContext, Stored } from 'opsdk';
import { StatefulSet } from 'opsdk/k8s/apps/v1';
import { ConfigMap, Service } from 'opsdk/k8s/core/v1';
import { PodDisruptionBudget } from 'opsdk/k8s/policy/v1';
import type { DistributedRedisCluster } from '../api/redis/v1alpha1/distributed-redis-cluster.ts';
import { desiredConfig } from './config.ts';
import { desiredBudget, desiredClientService, desiredNodesService, desiredShard } from './desired.ts';
import { configName } from './names.ts';
import { hasSlots, type Observed } from './observed.ts';

/** Masters that a node asks before it starts: more would know the same. */
const mostPeers = 5;

/**
 * Applies what Kubernetes keeps of a cluster. Shards that are to be removed stay as they are until they are empty.
 * @returns names of the StatefulSets whose new template nobody has seen yet: it is not known which of their Pods are outdated
 */
export async function applyObjects(
  cluster: Stored<DistributedRedisCluster>,
  { client, key }: ReconcileContext,
  observed: Observed,
): Promise<readonly string[]> {
  const { namespace } = key;
  const config = await client.find(ConfigMap, { name: configName(cluster), namespace });
  const peers = peersOf(observed, config?.data?.['peers']?.split('\n') ?? []);
  await client.apply(ConfigMap, desiredConfig(cluster, peers));
  await client.apply(Service, desiredNodesService(cluster));
  await client.apply(Service, desiredClientService(cluster));
  const unseen: string[] = [];
  for (const shard of observed.wanted) {
    const present = await client.find(StatefulSet, { name: shard, namespace });
    const [claim] = present?.spec?.volumeClaimTemplates ?? [];
    const size = claim?.spec?.resources?.requests?.['storage'];
    const { metadata, status } = await client.apply(StatefulSet, desiredShard(cluster, shard, size));
    if (status?.observedGeneration !== metadata.generation) unseen.push(shard);
    await client.apply(PodDisruptionBudget, desiredBudget(cluster, shard));
  }
  return unseen;
}

/**
 * Returns the addresses of masters that know the others. While none answers, they are those of the last look.
 * @param before addresses of the last look
 */
export function peersOf({ members }: Observed, before: readonly string[]): readonly string[] {
  const masters = members.filter(hasSlots).map(({ ip }) => ip);
  return masters.length > 0 ? masters.slice(0, mostPeers) : before;
}
