import {
  conditionsOf,
  defineController,
  every,
  isReady,
  ownerThrough,
  requeueAfter,
  watch,
  type Controller,
  type ReconcileContext,
} from 'opsdk';
import { StatefulSet } from 'opsdk/k8s/apps/v1';
import { ConfigMap, PersistentVolumeClaim, Pod, Service } from 'opsdk/k8s/core/v1';
import { RedisCluster, type RedisClusterStatus } from './api/redis-cluster.ts';
import {
  desiredConfig,
  desiredService,
  desiredShard,
  labelsOf,
  selectorOf,
  shardLabel,
  wantedShards,
} from './desired.ts';
import { RedisAdmin, tcpRedis, type RedisApi } from './redis-admin.ts';
import { addressOf, shardOf, takeStep, type PlacedNode, type StepOutcome } from './take-step.ts';

interface RedisControllerOptions {
  /** Reaches the nodes of Redis. Default: by TCP. */
  readonly redis?: RedisApi;
}

/** Keeps a StatefulSet for each shard of a RedisCluster, and the slots in equal shares on their masters. */
export function redisClusterController({ redis = tcpRedis }: RedisControllerOptions = {}): Controller {
  return defineController({
    for: RedisCluster,
    owns: [StatefulSet, Service, ConfigMap],
    watches: [
      watch(Pod, { map: ownerThrough(RedisCluster, StatefulSet) }),
      // Kubernetes does not tell of nodes that fail over.
      every('15s', async ({ client }) =>
        (await client.list(RedisCluster)).items.map(({ metadata }) => metadata),
      ),
    ],
    reconcileTimeout: '2m',
    backoff: { base: '200ms', cap: '10s' },
    async reconcile(cluster, context) {
      const { client, key, signal } = context;
      await client.apply(ConfigMap, desiredConfig(cluster));
      for (const shard of wantedShards(cluster)) {
        await client.apply(Service, desiredService(cluster, shard));
        await client.apply(StatefulSet, desiredShard(cluster, shard));
      }
      using admin = new RedisAdmin(redis, signal);
      const outcome = await progress(cluster, context, admin);
      await client.applyStatus(RedisCluster, key, observedStatus(cluster, outcome));
      if (outcome.reason !== undefined) return requeueAfter('300ms');
    },
    async finalize(cluster, context) {
      if (cluster.spec.storage?.deleteClaims === true) await deleteClaims(context, labelsOf(cluster));
    },
    async onError(cluster, error, { client, key }) {
      const conditions = conditionsOf(cluster, ['Ready', 'Degraded']);
      conditions.true('Degraded', 'StepFailed', error.message);
      await client.applyStatus(RedisCluster, key, { ...cluster.status, conditions: conditions.toJSON() });
    },
  });
}

/** Takes a step towards the wanted shards, and removes those that have become empty. */
async function progress(
  cluster: RedisCluster,
  context: ReconcileContext,
  admin: RedisAdmin,
): Promise<StepOutcome> {
  const { client, key, events } = context;
  const wanted = wantedShards(cluster);
  const isWanted = (shard: string): boolean => wanted.includes(shard);
  const scope = { namespace: key.namespace, labelSelector: selectorOf(labelsOf(cluster)) };
  const shards = (await client.list(StatefulSet, scope)).items.filter(
    ({ metadata }) => metadata.deletionTimestamp === undefined,
  );
  const pods = (await client.list(Pod, scope)).items.filter(isReady);
  const missing = shards.filter((shard) => !isComplete(shard, pods)).map(nameOf);
  const seed = pods.find((pod) => shardOf(pod) === wanted[0]);
  if (seed === undefined || missing.some(isWanted)) return { reason: 'WaitingForPods', nodes: undefined };
  const { reason, nodes } = await takeStep(admin, {
    seed: addressOf(seed),
    pods,
    wanted,
    isComplete: missing.length === 0,
  });
  if (reason !== undefined) return { reason, nodes };
  const extra = shards.map(nameOf).filter((shard) => !isWanted(shard));
  for (const shard of extra) {
    const staying = nodes.filter((node) => node.shard !== shard);
    for (const node of nodes.filter((each) => each.shard === shard)) await admin.forget(node, staying);
    const names = { name: shard, namespace: key.namespace };
    await client.delete(StatefulSet, names, { ignoreNotFound: true });
    await client.delete(Service, names, { ignoreNotFound: true });
    if (cluster.spec.storage?.deleteClaims === true)
      await deleteClaims(context, { ...labelsOf(cluster), [shardLabel]: shard });
    events.normal('ShardRemoved', `Removed shard ${shard}`);
  }
  return { reason: extra.length > 0 ? 'RemovingShards' : undefined, nodes };
}

function nameOf({ metadata }: StatefulSet): string {
  return metadata.name ?? '';
}

/** Returns true if all Pods of a shard are among those that are ready. */
function isComplete({ metadata, spec }: StatefulSet, ready: readonly Pod[]): boolean {
  const names = new Set(ready.map((pod) => pod.metadata.name));
  return Array.from({ length: spec?.replicas ?? 1 }, (_, index) => `${metadata.name}-${index}`).every(
    (name) => names.has(name),
  );
}

/** Deletes claims: neither the garbage collector nor a StatefulSet does it. */
async function deleteClaims(
  { client, key }: Pick<ReconcileContext, 'client' | 'key'>,
  labels: Readonly<Record<string, string>>,
): Promise<void> {
  const scope = { namespace: key.namespace, labelSelector: selectorOf(labels) };
  for (const { metadata } of (await client.live.list(PersistentVolumeClaim, scope)).items)
    await client.delete(PersistentVolumeClaim, metadata, { ignoreNotFound: true });
}

function observedStatus(cluster: RedisCluster, { reason, nodes }: StepOutcome): RedisClusterStatus {
  const conditions = conditionsOf(cluster, ['Ready', 'Degraded']);
  conditions.false('Degraded', 'AsExpected');
  if (reason === undefined) conditions.true('Ready', 'AllSlotsServed');
  else conditions.false('Ready', reason);
  const hasFormed = cluster.status?.phase === 'Healthy' || cluster.status?.phase === 'Scaling';
  return {
    // Nodes that were not asked stay as they were.
    ...(nodes === undefined ? cluster.status : observedNodes(nodes)),
    phase: reason === undefined ? 'Healthy' : hasFormed ? 'Scaling' : 'Creating',
    ...(reason === undefined ? {} : { reason }),
    conditions: conditions.toJSON(),
  };
}

function observedNodes(nodes: readonly PlacedNode[]): Pick<RedisClusterStatus, 'masters' | 'nodes'> {
  return {
    masters: nodes.filter(({ slots }) => slots.length > 0).length,
    nodes: nodes
      .map(({ id, pod, ip, master, slots }) => ({
        ...{ id, pod, ip, slots: slots.length },
        role: master === undefined ? ('Master' as const) : ('Replica' as const),
      }))
      .sort((a, b) => (a.pod < b.pod ? -1 : 1)),
  };
}
