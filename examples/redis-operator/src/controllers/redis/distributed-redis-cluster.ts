import {
  conditionsOf,
  defineController,
  defineIndex,
  every,
  ownerThrough,
  requeueAfter,
  waitingFor,
  watch,
  type Controller,
  type ReconcileContext,
} from 'opsdk';
import { StatefulSet } from 'opsdk/k8s/apps/v1';
import { Job } from 'opsdk/k8s/batch/v1';
import { ConfigMap, Pod, Service } from 'opsdk/k8s/core/v1';
import { PodDisruptionBudget } from 'opsdk/k8s/policy/v1';
import { DistributedRedisCluster } from '../../api/redis/v1alpha1/distributed-redis-cluster.ts';
import { RedisClusterBackup } from '../../api/redis/v1alpha1/redis-cluster-backup.ts';
import { applyObjects } from '../../cluster/apply.ts';
import type { Scaling } from '../../cluster/autoscale.ts';
import { deleteClaims, growClaims } from '../../cluster/claims.ts';
import { LoadWatch } from '../../cluster/load-watch.ts';
import { labelsOf } from '../../cluster/names.ts';
import { nextStep, type Step } from '../../cluster/next-step.ts';
import { observe } from '../../cluster/observe.ts';
import { passwordOf } from '../../cluster/password.ts';
import { removeShards, replacePod } from '../../cluster/pods.ts';
import { restore, type Restoration } from '../../cluster/restore.ts';
import { observedStatus, ownConditions } from '../../cluster/status.ts';
import { takeStep } from '../../cluster/take-step.ts';
import { RedisAdmin, tcpRedis, type RedisApi } from '../../redis/redis-admin.ts';

interface ClusterControllerOptions {
  /** Reaches the nodes of Redis. Default: by TCP. */
  readonly redis?: RedisApi;
}

/** Clusters that begin with the newest backup of a RedisClusterBackup. */
export const bySource = defineIndex(DistributedRedisCluster, 'source', ({ metadata, spec }) => {
  const source = spec.init?.backupSource;
  return source && `${source.namespace ?? metadata.namespace}/${source.name}`;
});

/** Milliseconds after which each cluster is looked at in any case, and before which it is not looked at again for its load. */
const mostPatience = 15_000;
const leastPatience = 1000;

/** Time until the next look after steps that wait for something other than gossip. Changes of Pods come by the watch. */
const pauseAfter: Partial<Record<Step['type'], '1s' | '3s' | '1m'>> = {
  WaitForPods: '3s',
  WaitForNodes: '3s',
  WaitForFailover: '1s',
  WaitForReplicas: '1s',
  ReplacePod: '1s',
  UpdateBlocked: '1m',
};

/**
 * Keeps a StatefulSet for each shard of a DistributedRedisCluster, its nodes in one Redis cluster, and the slots in equal shares on their
 * masters. Each reconcile looks at all of it and takes one step.
 */
export function clusterController({ redis = tcpRedis }: ClusterControllerOptions = {}): Controller {
  const load = new LoadWatch();
  return defineController({
    for: DistributedRedisCluster,
    owns: [StatefulSet, Service, ConfigMap, PodDisruptionBudget, Job],
    watches: [
      watch(Pod, { map: ownerThrough(DistributedRedisCluster, StatefulSet) }),
      watch(RedisClusterBackup, {
        map: async ({ metadata: { name = '', namespace = '' } }, { client }) =>
          (await client.byIndex(bySource, `${namespace}/${name}`)).items.map(({ metadata }) => metadata),
      }),
      // Kubernetes does not know of nodes that fail over.
      every(mostPatience, async ({ client }) =>
        (await client.list(DistributedRedisCluster)).items.map(({ metadata }) => metadata),
      ),
    ],
    indexes: [bySource],
    concurrency: 4,
    reconcileTimeout: '2m',
    backoff: { base: '200ms', cap: '10s' },
    async reconcile(cluster, context) {
      const { client, key, signal } = context;
      using admin = new RedisAdmin({ redis, password: await passwordOf(cluster, context), signal });
      const observed = await observe(cluster, context, admin);
      const isPaused = cluster.spec.paused === true;
      const unseen = isPaused ? [] : await applyObjects(cluster, context, observed);
      const step: Step = nextStep(observed, unseen);
      let restoration: Restoration | undefined;
      if (!isPaused) {
        if (step.type === 'RemoveShards') await removeShards(cluster, context, observed, step.shards, admin);
        else if (step.type === 'ReplacePod') await replacePod(step.pod, context);
        else await takeStep(step, observed, admin);
        report(step, context);
        if (step.type === 'Done') {
          await growClaims(cluster, context);
          restoration = await restore(cluster, context);
        }
      }
      const sight = { observed, step, restoration, isBackedUp: await isBackedUp(context) };
      const { scaling, anomalies } = load.look(cluster, context, sight);
      await client.applyStatus(
        DistributedRedisCluster,
        key,
        observedStatus(cluster, { observed, step, restoration, scaling, anomalies }),
      );
      if (scaling?.change !== undefined) reportScaling(scaling.change, context);
      if (restoration?.waitsFor !== undefined) return waitingFor(RedisClusterBackup, restoration.waitsFor);
      if (isPaused) return;
      if (step.type !== 'Done') return requeueAfter(pauseAfter[step.type] ?? '300ms');
      return lookAgain(scaling);
    },
    async finalize(cluster, context) {
      if (cluster.spec.storage?.deleteClaim === true) await deleteClaims(context, labelsOf(cluster));
    },
    forget(key) {
      load.forget(key);
    },
    async onError(cluster, error, { client, key }) {
      const conditions = conditionsOf(cluster, ownConditions);
      conditions.true('Degraded', 'StepFailed', error.message);
      await client.applyStatus(DistributedRedisCluster, key, {
        ...cluster.status,
        conditions: conditions.toJSON(),
      });
    },
  });
}

export const distributedRedisClusterController = clusterController();

/** Returns true while the Job of a backup copies the data of a cluster. */
async function isBackedUp({ client, key }: ReconcileContext): Promise<boolean> {
  const { items } = await client.list(RedisClusterBackup, { namespace: key.namespace });
  return items.some(({ spec, status }) => spec.redisClusterName === key.name && status?.phase === 'Running');
}

/** Looks at a load that asks for a change once it may happen, but not all the time. The others are looked at by the clock. */
function lookAgain(scaling: Scaling | undefined): ReturnType<typeof requeueAfter> | undefined {
  if (scaling?.decision?.cause !== undefined) return requeueAfter('300ms');
  const { lookAgainAfter } = scaling?.decision ?? {};
  if (lookAgainAfter === undefined || lookAgainAfter > mostPatience) return undefined;
  return requeueAfter(Math.max(lookAgainAfter, leastPatience));
}

/** Records a change of the number of masters. */
function reportScaling(
  { from, to, cause }: NonNullable<Scaling['change']>,
  { events }: ReconcileContext,
): void {
  const note = `From ${from} to ${to} masters: ${cause}`;
  if (to > from) events.normal('ScaledOut', note, { action: 'Scale' });
  else events.normal('ScaledIn', note, { action: 'Scale' });
}

/** Records the steps that change what clients and administrators see. */
function report(step: Step, { events }: ReconcileContext): void {
  if (step.type === 'TakeOver')
    events.warning('MasterLost', `${step.replica.name} takes over the slots of ${step.lost}`, {
      action: 'TakeOver',
    });
  else if (step.type === 'FailOver')
    events.normal('MasterChanged', `${step.replica.name} is the master of ${step.replica.shard}`, {
      action: 'FailOver',
    });
  else if (step.type === 'ReplacePod') events.normal('PodReplaced', step.pod, { action: 'Replace' });
  else if (step.type === 'RemoveShards')
    events.normal('ShardRemoved', step.shards.join(', '), { action: 'Scale' });
  else if (step.type === 'ForgetNodes' && step.slots > 0)
    events.warning('SlotsLost', `${step.slots} slots had no replica: their keys are lost`, {
      action: 'Forget',
    });
  else if (step.type === 'UpdateBlocked') events.warning('UpdateBlocked', step.message);
}
