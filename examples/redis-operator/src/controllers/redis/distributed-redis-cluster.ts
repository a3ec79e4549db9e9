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
  type Stored,
} from 'opsdk';
import { StatefulSet } from 'opsdk/k8s/apps/v1';
import { Job } from 'opsdk/k8s/batch/v1';
import { ConfigMap, Pod, Secret, Service } from 'opsdk/k8s/core/v1';
import { PodDisruptionBudget } from 'opsdk/k8s/policy/v1';
import { DistributedRedisCluster } from '../../api/redis/v1alpha1/distributed-redis-cluster.ts';
import { RedisClusterBackup } from '../../api/redis/v1alpha1/redis-cluster-backup.ts';
import { applyObjects } from '../../cluster/apply.ts';
import { deleteClaims, growClaims } from '../../cluster/claims.ts';
import { labelsOf } from '../../cluster/names.ts';
import { nextStep, type Step } from '../../cluster/next-step.ts';
import { observe } from '../../cluster/observe.ts';
import { removeShards, replacePod } from '../../cluster/pods.ts';
import { restore, type Restoration } from '../../cluster/restore.ts';
import { observedStatus } from '../../cluster/status.ts';
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
      every('15s', async ({ client }) =>
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
      await client.applyStatus(
        DistributedRedisCluster,
        key,
        observedStatus(cluster, { observed, step, restoration }),
      );
      if (restoration?.waitsFor !== undefined) return waitingFor(RedisClusterBackup, restoration.waitsFor);
      if (step.type !== 'Done' && !isPaused) return requeueAfter(pauseAfter[step.type] ?? '300ms');
    },
    async finalize(cluster, context) {
      if (cluster.spec.storage?.deleteClaim === true) await deleteClaims(context, labelsOf(cluster));
    },
    async onError(cluster, error, { client, key }) {
      const conditions = conditionsOf(cluster, ['Ready', 'Available', 'Degraded', 'Restored']);
      conditions.true('Degraded', 'StepFailed', error.message);
      await client.applyStatus(DistributedRedisCluster, key, {
        ...cluster.status,
        conditions: conditions.toJSON(),
      });
    },
  });
}

export const distributedRedisClusterController = clusterController();

/** @throws what a reconcile waits for, after the conditions say it, unless the Secret has a password that can be used */
async function passwordOf(
  cluster: Stored<DistributedRedisCluster>,
  { client, key }: ReconcileContext,
): Promise<string | undefined> {
  const { passwordSecret } = cluster.spec;
  if (passwordSecret === undefined) return undefined;
  const name = { name: passwordSecret.name, namespace: key.namespace };
  const waitFor = async (reason: string, message: string): Promise<Error> => {
    const conditions = conditionsOf(cluster, ['Ready', 'Degraded']);
    conditions.false('Ready', reason, message).true('Degraded', reason, message);
    await client.mergeStatus(DistributedRedisCluster, key, { conditions: conditions.toJSON() });
    return waitingFor(Secret, name, '15s');
  };
  const secret = await client.live.find(Secret, name);
  if (secret === undefined) throw await waitFor('PasswordMissing', `Secret ${name.name} does not exist`);
  const password = Buffer.from(secret.data?.['password'] ?? '', 'base64').toString('utf8');
  if (password === '')
    throw await waitFor('PasswordMissing', `Secret ${name.name}: the key password is missing or empty`);
  const [refused] = /["\\]|[\0-\x1f\x7f]/.exec(password) ?? [];
  if (refused !== undefined)
    throw await waitFor(
      'PasswordInvalid',
      `Secret ${name.name}: the key password has ${nameOf(refused)}, which redis.conf cannot have in a password`,
    );
  return password;
}

/** Returns the name of a character that a password must not have, and nothing else of the password. */
function nameOf(character: string): string {
  if (character === '"') return 'a double quote';
  if (character === '\\') return 'a backslash';
  return character === '\n' || character === '\r' ? 'a line break' : 'a control character';
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
