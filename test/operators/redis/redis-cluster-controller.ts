import { conditionsOf, defineController, every, requeueAfter, watch, type ReconcileContext } from 'opsdk';
import { StatefulSet } from 'opsdk/k8s/apps/v1';
import { ConfigMap, PersistentVolumeClaim, Pod, Service } from 'opsdk/k8s/core/v1';
import { RedisCluster, type RedisClusterStatus } from './api/redis-cluster.ts';
import {
  desiredConfig,
  desiredService,
  desiredShard,
  labelsOf,
  shardLabel,
  wantedShards,
} from './desired.ts';
import { RedisAdmin } from './redis-admin.ts';
import { forget, takeStep, type StepOutcome } from './take-step.ts';

/** Keeps a StatefulSet for each shard of a RedisCluster, and the slots in equal shares on their masters. */
export const redisClusterController = defineController({
  for: RedisCluster,
  owns: [StatefulSet, Service, ConfigMap],
  watches: [
    // Pods belong to StatefulSets: their label leads to the cluster.
    watch(Pod, {
      map: ({ metadata }) => {
        const name = metadata.labels?.['app.kubernetes.io/instance'];
        return name === undefined || metadata.namespace === undefined
          ? []
          : [{ name, namespace: metadata.namespace }];
      },
    }),
    every('15s', async ({ client }) =>
      (await client.list(RedisCluster)).items.map(({ metadata }) => metadata),
    ),
  ],
  reconcileTimeout: '2m',
  backoff: { base: '200ms', cap: '10s' },
  async reconcile(cluster, context) {
    const { client, key } = context;
    const wanted = wantedShards(cluster);
    await client.apply(ConfigMap, desiredConfig(cluster));
    for (const shard of wanted) {
      await client.apply(Service, desiredService(cluster, shard));
      await client.apply(StatefulSet, desiredShard(cluster, shard));
    }
    using admin = new RedisAdmin();
    const outcome = await progress(cluster, context, admin);
    await client.applyStatus(RedisCluster, key, observedStatus(cluster, outcome));
    if (outcome.reason !== undefined) return requeueAfter('300ms');
  },
  async finalize(cluster, context) {
    if (cluster.spec.storage?.deleteClaims === true) await deleteClaims(context, labelsOf(cluster));
  },
});

/** Takes a step towards the wanted shards, and removes those that have become empty. */
async function progress(
  cluster: RedisCluster,
  context: ReconcileContext,
  admin: RedisAdmin,
): Promise<StepOutcome> {
  const { client, key, events } = context;
  const wanted = wantedShards(cluster);
  const scope = { namespace: key.namespace, labelSelector: selectorOf(labelsOf(cluster)) };
  const pods = (await client.list(Pod, scope)).items.filter(isServing);
  const expected = wanted.length * (1 + (cluster.spec.replicas ?? 1));
  const isMeant = ({ metadata }: Pod): boolean => wanted.includes(metadata.labels?.[shardLabel] ?? '');
  if (pods.filter(isMeant).length < expected) return { reason: 'WaitingForPods', nodes: [] };
  const outcome = await takeStep(admin, pods, wanted);
  if (outcome.reason !== undefined) return outcome;
  const extra = (await client.list(StatefulSet, scope)).items.filter(
    ({ metadata }) => metadata.deletionTimestamp === undefined && !wanted.includes(metadata.name ?? ''),
  );
  for (const { metadata } of extra) {
    const { name: shard = '' } = metadata;
    const staying = outcome.nodes.filter((node) => node.shard !== shard);
    for (const node of outcome.nodes.filter((each) => each.shard === shard))
      await forget(admin, node, staying);
    await client.delete(StatefulSet, { name: shard, namespace: key.namespace });
    await client.delete(Service, { name: shard, namespace: key.namespace });
    if (cluster.spec.storage?.deleteClaims === true)
      await deleteClaims(context, { ...labelsOf(cluster), [shardLabel]: shard });
    events.normal('ShardRemoved', `Removed shard ${shard}`);
  }
  return { reason: extra.length > 0 ? 'RemovingShards' : undefined, nodes: outcome.nodes };
}

function isServing({ metadata, status }: Pod): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return metadata.deletionTimestamp === undefined && ready?.status === 'True';
}

/** Deletes claims: neither the garbage collector nor a StatefulSet does it. */
async function deleteClaims(
  { client, key }: Pick<ReconcileContext, 'client' | 'key'>,
  labels: Readonly<Record<string, string>>,
): Promise<void> {
  const scope = { namespace: key.namespace, labelSelector: selectorOf(labels) };
  for (const { metadata } of (await client.live.list(PersistentVolumeClaim, scope)).items)
    await client.delete(PersistentVolumeClaim, metadata);
}

function observedStatus(cluster: RedisCluster, { reason, nodes }: StepOutcome): RedisClusterStatus {
  const conditions = conditionsOf(cluster, ['Ready']);
  if (reason === undefined) conditions.true('Ready', 'AllSlotsServed');
  else conditions.false('Ready', reason);
  const hasFormed = cluster.status?.phase === 'Healthy' || cluster.status?.phase === 'Scaling';
  return {
    phase: reason === undefined ? 'Healthy' : hasFormed ? 'Scaling' : 'Creating',
    ...(reason === undefined ? {} : { reason }),
    masters: nodes.filter(({ slots }) => slots.length > 0).length,
    nodes: nodes
      .map(({ id, pod, ip, master, slots }) => ({
        ...{ id, pod, ip, slots: slots.length },
        role: master === undefined ? ('Master' as const) : ('Replica' as const),
      }))
      .sort((a, b) => (a.pod < b.pod ? -1 : 1)),
    conditions: conditions.toJSON(),
  };
}

function selectorOf(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map((label) => label.join('='))
    .join();
}
