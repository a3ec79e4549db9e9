import {
  conditionsOf,
  defineController,
  defineIndex,
  hashOf,
  ownedBy,
  ownerThrough,
  readSchedule,
  waitingFor,
  watch,
  type ApplyObject,
  type ReconcileContext,
  type Stored,
} from 'opsdk';
import { CronJob, Job, type JobSpec } from 'opsdk/k8s/batch/v1';
import { Secret } from 'opsdk/k8s/core/v1';
import { DistributedRedisCluster } from '../../api/redis/v1alpha1/distributed-redis-cluster.ts';
import {
  RedisClusterBackup,
  type CompletedBackup,
  type RedisClusterBackupStatus,
} from '../../api/redis/v1alpha1/redis-cluster-backup.ts';
import { missingCredentials } from '../../backup/credentials.ts';
import type { Failure } from '../../backup/failure.ts';
import { failureOf, folderOf, jobState, toolJobSpec } from '../../backup/jobs.ts';
import { longestBackup } from '../../backup/manifest.ts';
import { operatorImage } from '../../backup/operator-image.ts';

const byCluster = defineIndex(RedisClusterBackup, 'cluster', ({ spec }) => spec.redisClusterName);

/** Label of Jobs with the RedisClusterBackup that they belong to. */
const backupLabel = 'redis.kun/backup';

/** Takes one backup of a cluster by a Job, or one at each time of a schedule by a CronJob. */
export const redisClusterBackupController = defineController({
  for: RedisClusterBackup,
  owns: [Job, CronJob],
  watches: [
    watch(Job, { map: ownerThrough(RedisClusterBackup, CronJob) }),
    watch(DistributedRedisCluster, {
      map: async ({ metadata: { name = '', namespace = '' } }, { client }) =>
        (await client.byIndex(byCluster, name, { namespace })).items.map(({ metadata }) => metadata),
    }),
  ],
  indexes: [byCluster],
  async reconcile(backup, context) {
    const { client, key, events } = context;
    const isScheduled = backup.spec.schedule !== undefined;
    const jobs = await jobsOf(backup, context);
    // A single backup is not taken again, also if its Job was deleted.
    const hasEnded = backup.status?.phase === 'Succeeded' || backup.status?.phase === 'Failed';
    if (!isScheduled && hasEnded && jobs.length === 0) return;
    const clusterKey = { name: backup.spec.redisClusterName, namespace: key.namespace };
    const cluster = await client.find(DistributedRedisCluster, clusterKey);
    if (isScheduled || jobs.length === 0) {
      if (cluster === undefined || (!isScheduled && !isReady(cluster))) {
        const message = `DistributedRedisCluster ${clusterKey.name} is not ready`;
        await client.applyStatus(RedisClusterBackup, key, waitingStatus(backup, 'ClusterNotReady', message));
        // The watch brings the backup again.
        return waitingFor(DistributedRedisCluster, clusterKey);
      }
      const refusal = await refusalOf(backup);
      if (refusal !== undefined) {
        await client.applyStatus(RedisClusterBackup, key, waitingStatus(backup, 'ScheduleInvalid', refusal));
        return;
      }
      const secret = { name: backup.spec.storageSecretName, namespace: key.namespace };
      const missing = await missingCredentials(context, secret);
      if (missing !== undefined) {
        await client.applyStatus(
          RedisClusterBackup,
          key,
          waitingStatus(backup, 'CredentialsMissing', missing),
        );
        return waitingFor(Secret, secret, '15s');
      }
      const image = backup.spec.image ?? operatorImage();
      const path = folderOf(backup);
      const tool = { command: 'backup', image, cluster, backup, path } as const;
      // A Job that hangs, such as one whose image is missing, would hold up all later ones.
      const spec = toolJobSpec(tool, { backoffLimit: 3, activeDeadlineSeconds: longestBackup });
      if (isScheduled) await client.apply(CronJob, desiredCronJob(backup, spec));
      else {
        jobs.push(await client.apply(Job, desiredJob(backup, spec)));
        events.normal('BackupStarted', `of ${clusterKey.name}`, { action: 'BackUp' });
      }
    }
    const ended = jobs.find((job) => jobState(job).state !== 'Running');
    const failure = ended && (await failureOf(ended, context));
    await client.applyStatus(RedisClusterBackup, key, observedStatus(backup, jobs, failure));
  },
  async onError(backup, error, { client, key }) {
    const conditions = conditionsOf(backup, ['Complete', 'Degraded']);
    conditions.true('Degraded', 'ReconcileFailed', error.message);
    await client.applyStatus(RedisClusterBackup, key, { ...backup.status, conditions: conditions.toJSON() });
  },
});

function isReady(cluster: DistributedRedisCluster | undefined): boolean {
  return (
    cluster?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
  );
}

/** Returns the Jobs of a backup, the newest first. */
async function jobsOf(backup: Stored<RedisClusterBackup>, { client, key }: ReconcileContext): Promise<Job[]> {
  const labelSelector = `${backupLabel}=${backup.metadata.uid}`;
  const { items } = await client.list(Job, { namespace: key.namespace, labelSelector });
  const timeOf = ({ metadata }: Job): string => metadata.creationTimestamp ?? '';
  return [...items].sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1));
}

const labelsOf = ({ metadata }: Stored<RedisClusterBackup>): Readonly<Record<string, string>> => ({
  'app.kubernetes.io/name': 'redis-backup',
  'app.kubernetes.io/instance': metadata.name,
  [backupLabel]: metadata.uid,
});

/** Returns why a schedule cannot be one. The API server refuses a CronJob with it, without saying to whom. */
async function refusalOf({ spec: { schedule } }: RedisClusterBackup): Promise<string | undefined> {
  if (schedule === undefined) return undefined;
  try {
    await readSchedule({ cron: schedule });
    return undefined;
  } catch (error) {
    return `spec.schedule: ${(error as Error).message}`;
  }
}

function desiredJob(backup: Stored<RedisClusterBackup>, spec: JobSpec): ApplyObject<Job> {
  // An object of the same name that comes later takes another backup.
  const name = `${backup.metadata.name}-${hashOf(backup.metadata.uid)}`;
  return { metadata: { name, labels: labelsOf(backup), ...ownedBy(backup) }, spec };
}

function desiredCronJob(backup: Stored<RedisClusterBackup>, spec: JobSpec): ApplyObject<CronJob> {
  const { metadata } = backup;
  const labels = labelsOf(backup);
  return {
    metadata: { name: metadata.name, labels, ...ownedBy(backup) },
    spec: {
      schedule: backup.spec.schedule ?? '',
      timeZone: 'Etc/UTC',
      // Two backups at once would only compete.
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 600,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 3,
      jobTemplate: { metadata: { labels }, spec },
    },
  };
}

/** Returns the status of a backup that waits. What a user has to mend is a degradation. */
function waitingStatus(
  backup: RedisClusterBackup,
  reason: 'ClusterNotReady' | 'CredentialsMissing' | 'ScheduleInvalid',
  message: string,
): RedisClusterBackupStatus {
  const conditions = conditionsOf(backup, ['Complete', 'Degraded']);
  const { lastBackup } = backup.status ?? {};
  if (lastBackup === undefined) conditions.false('Complete', reason, message);
  if (reason === 'ClusterNotReady') conditions.false('Degraded', 'AsExpected');
  else conditions.true('Degraded', reason, message);
  return { phase: 'Waiting', ...(lastBackup && { lastBackup }), conditions: conditions.toJSON() };
}

/** @param jobs the newest first; @param failure why the newest one that has ended has failed */
export function observedStatus(
  backup: RedisClusterBackup,
  jobs: readonly Job[],
  failure: Failure | undefined,
): RedisClusterBackupStatus {
  const conditions = conditionsOf(backup, ['Complete', 'Degraded']);
  const isScheduled = backup.spec.schedule !== undefined;
  const [newest] = jobs;
  const lastBackup = newestBackup(backup, jobs, failure);

  if (lastBackup !== undefined) conditions.true('Complete', 'Stored', `stored in ${lastBackup.path}`);
  else conditions.false('Complete', failure?.reason ?? 'NoBackupYet', failure?.message ?? '');
  if (failure === undefined) conditions.false('Degraded', 'AsExpected');
  else conditions.true('Degraded', failure.reason, failure.message);

  const state = newest === undefined ? undefined : jobState(newest).state;
  const phase = isScheduled && state !== 'Running' ? 'Scheduled' : (state ?? 'Waiting');
  return { phase, ...(lastBackup && { lastBackup }), conditions: conditions.toJSON() };
}

/** Returns the newest backup of Jobs that are there, or the one that was known before. */
function newestBackup(
  backup: RedisClusterBackup,
  jobs: readonly Job[],
  failure: Failure | undefined,
): CompletedBackup | undefined {
  const ended = jobs.filter((each) => jobState(each).state !== 'Running');
  const hasStored = (job: Job): boolean =>
    jobState(job).state === 'Succeeded' || (job === ended[0] && failure?.reason === 'RetentionFailed');
  const job = ended.find(hasStored);
  if (job === undefined) return backup.status?.lastBackup;
  const failed = job.status?.conditions?.find(({ type }) => type === 'Failed');
  const completionTime = job.status?.completionTime ?? failed?.lastTransitionTime;
  return {
    path: `${folderOf(backup)}/${job.metadata.name}`,
    ...(completionTime !== undefined && { completionTime }),
  };
}
