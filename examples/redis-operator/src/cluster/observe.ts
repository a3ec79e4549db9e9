import { isReady, type ReconcileContext, type Stored } from 'opsdk';
import { StatefulSet } from 'opsdk/k8s/apps/v1';
import { Pod } from 'opsdk/k8s/core/v1';
import type { DistributedRedisCluster } from '../api/redis/v1alpha1/distributed-redis-cluster.ts';
import type { RedisAdmin } from '../redis/redis-admin.ts';
import { RespError } from '../redis/resp-client.ts';
import { labelsOf, selectorOf, shardLabel, wantedShards } from './names.ts';
import type { Member, Observed, PodView } from './observed.ts';
import { desiredMasters } from './size.ts';

/** Looks at the Pods of a cluster and asks each node that runs. A node that does not answer is part of the result. */
export async function observe(
  cluster: Stored<DistributedRedisCluster>,
  { client, key, signal }: Pick<ReconcileContext, 'client' | 'key' | 'signal'>,
  admin: RedisAdmin,
): Promise<Observed> {
  const scope = { namespace: key.namespace, labelSelector: selectorOf(labelsOf(cluster)) };
  const sets = (await client.list(StatefulSet, scope)).items.filter(
    ({ metadata }) => metadata.deletionTimestamp === undefined,
  );
  const pods = (await client.list(Pod, scope)).items
    .map((pod) => viewOf(pod, sets))
    .filter((pod) => pod !== undefined)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const members: Member[] = [];
  const unreachable: { pod: string; error: string }[] = [];
  await Promise.all(
    pods
      .filter((pod) => pod.isReady)
      .map(async (pod) => {
        try {
          members.push(await ask(pod, admin));
        } catch (error) {
          signal.throwIfAborted();
          unreachable.push({ pod: pod.name, error: messageOf(error) });
        }
      }),
  );
  return {
    wanted: wantedShards(cluster, desiredMasters(cluster, sets.length)),
    shards: sets.map(({ metadata, spec }) => ({ name: metadata.name, size: spec?.replicas ?? 1 })),
    pods,
    members: members.sort((a, b) => (a.name < b.name ? -1 : 1)),
    unreachable: unreachable.sort((a, b) => (a.pod < b.pod ? -1 : 1)),
    hasClaims: cluster.spec.storage?.type === 'persistent-claim',
  };
}

async function ask(pod: PodView, admin: RedisAdmin): Promise<Member> {
  const [known, isServing, { replication, load }] = await Promise.all([
    admin.nodes(pod.ip),
    admin.isServing(pod.ip),
    admin.info(pod.ip),
  ]);
  const self = known.find(({ flags }) => flags.includes('myself'));
  if (self === undefined) throw new Error('CLUSTER NODES: expected the node itself in its answer');
  return { ...pod, self, known, isServing, replication, load };
}

/** Returns undefined for a Pod that belongs to none of the StatefulSets, such as one whose StatefulSet was deleted. */
function viewOf(pod: Stored<Pod>, sets: readonly Stored<StatefulSet>[]): PodView | undefined {
  const { metadata, spec, status } = pod;
  const set = sets.find(({ metadata: { uid } }) =>
    metadata.ownerReferences?.some((each) => each.uid === uid),
  );
  if (set === undefined) return undefined;
  const revision = metadata.labels?.['controller-revision-hash'];
  const { updateRevision, observedGeneration } = set.status ?? {};
  return {
    name: metadata.name,
    shard: metadata.labels?.[shardLabel] ?? '',
    ip: status?.podIP ?? '',
    nodeName: spec?.nodeName ?? '',
    isReady: isReady(pod) && metadata.deletionTimestamp === undefined && status?.podIP !== undefined,
    // Until the StatefulSet has seen its template, its revision is that of the former one.
    isOutdated:
      observedGeneration === set.metadata.generation &&
      updateRevision !== undefined &&
      revision !== undefined &&
      revision !== updateRevision,
  };
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return error instanceof RespError ? `refuses: ${text}` : text;
}
