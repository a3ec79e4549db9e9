import type { ReconcileContext, Stored } from 'opsdk';
import { StatefulSet } from 'opsdk/k8s/apps/v1';
import { ConfigMap, Service } from 'opsdk/k8s/core/v1';
import { PodDisruptionBudget } from 'opsdk/k8s/policy/v1';
import type { DistributedRedisCluster } from '../api/redis/v1alpha1/distributed-redis-cluster.ts';
import { desiredConfig } from './config.ts';
import { desiredBudget, desiredClientService, desiredNodesService, desiredShard } from './desired.ts';
import { configName } from './names.ts';
import { hasSlots, type Observed } from './observed.ts';

/** Applies what Kubernetes keeps of a cluster. Shards that are to be removed stay as they are until they are empty. */
export async function applyObjects(
  cluster: Stored<DistributedRedisCluster>,
  { client, key }: ReconcileContext,
  observed: Observed,
): Promise<void> {
  const { namespace } = key;
  const config = await client.find(ConfigMap, { name: configName(cluster), namespace });
  const serving = servingShards(observed, config?.data?.['serving']?.split('\n') ?? []);
  await client.apply(ConfigMap, desiredConfig(cluster, serving));
  await client.apply(Service, desiredNodesService(cluster));
  await client.apply(Service, desiredClientService(cluster));
  for (const shard of observed.wanted) {
    const present = await client.find(StatefulSet, { name: shard, namespace });
    const [claim] = present?.spec?.volumeClaimTemplates ?? [];
    const size = claim?.spec?.resources?.requests?.['storage'];
    await client.apply(StatefulSet, desiredShard(cluster, shard, size));
    await client.apply(PodDisruptionBudget, desiredBudget(cluster, shard));
  }
}

/**
 * Returns the shards that have slots, by what their nodes say. A shard of which nobody answers is what it was before.
 * @param before shards that had slots at the last look
 */
export function servingShards({ wanted, members }: Observed, before: readonly string[]): readonly string[] {
  return wanted.filter((shard) => {
    const own = members.filter((member) => member.shard === shard);
    if (own.length === 0) return before.includes(shard);
    return own.some(
      (member) =>
        hasSlots(member) ||
        member.known.some(({ id, slots }) => id === member.self.master && slots.length > 0),
    );
  });
}
