import { isTooManyRequests, type ReconcileContext, type Stored } from 'opsdk';
import { StatefulSet } from 'opsdk/k8s/apps/v1';
import { PodDisruptionBudget } from 'opsdk/k8s/policy/v1';
import type { DistributedRedisCluster } from '../api/redis/v1alpha1/distributed-redis-cluster.ts';
import type { RedisAdmin } from '../redis/redis-admin.ts';
import { deleteClaims } from './claims.ts';
import { labelsOf, shardLabel } from './names.ts';
import type { Observed } from './observed.ts';

/** Evicts a Pod; its StatefulSet creates it again from the new template. A budget may forbid it now: the next reconcile tries again. */
export async function replacePod(pod: string, { client, key, log }: ReconcileContext): Promise<void> {
  try {
    await client.live.evict({ name: pod, namespace: key.namespace });
  } catch (error) {
    if (!isTooManyRequests(error)) throw error;
    log.info({ pod }, 'A PodDisruptionBudget forbids to replace the Pod now');
  }
}

/** Removes shards without slots: from the cluster first, then their Pods, then their claims if the spec says so. */
export async function removeShards(
  cluster: Stored<DistributedRedisCluster>,
  context: ReconcileContext,
  { members }: Observed,
  shards: readonly string[],
  admin: RedisAdmin,
): Promise<void> {
  const { client, key } = context;
  const staying = members.filter(({ shard }) => !shards.includes(shard)).map(({ ip }) => ip);
  for (const { self } of members.filter(({ shard }) => shards.includes(shard)))
    await admin.forget(self.id, staying);
  for (const shard of shards) {
    const name = { name: shard, namespace: key.namespace };
    await client.delete(PodDisruptionBudget, name, { ignoreNotFound: true });
    // Claims go first: the StatefulSet is how the next reconcile knows that there is something to remove.
    if (cluster.spec.storage?.deleteClaim === true)
      await deleteClaims(context, { ...labelsOf(cluster), [shardLabel]: shard });
    await client.delete(StatefulSet, name, { ignoreNotFound: true });
  }
}
