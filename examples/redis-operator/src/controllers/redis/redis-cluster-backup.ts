import {
  conditionsOf,
  defineController,
  defineIndex,
  hashOf,
  ownedBy,
  ownerThrough,
  waitingFor,
  watch,
  type ApplyObject,
  type ReconcileContext,
  type Stored,
} from 'opsdk';
import { CronJob, Job, type JobSpec } from 'opsdk/k8s/batch/v1';
import { DistributedRedisCluster } from '../../api/redis/v1alpha1/distributed-redis-cluster.ts';
import {
  RedisClusterBackup,
  type CompletedBackup,
  type RedisClusterBackupStatus,
} from '../../api/redis/v1alpha1/redis-cluster-backup.ts';
import { folderOf, jobState, toolPod } from '../../backup/jobs.ts';
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
    if (isScheduled ? cluster === undefined : jobs.length === 0 && !isReady(cluster)) {
      await client.applyStatus(RedisClusterBackup, key, waitingStatus(backup));
      // The watch brings the backup again.
      return waitingFor(DistributedRedisCluster, clusterKey);
    }
    if (cluster !== undefined && (isScheduled || jobs.length === 0)) {
      const image = backup.spec.image ?? operatorImage();
      const spec = desiredJobSpec(backup, cluster, image);
      if (isScheduled) await client.apply(CronJob, desiredCronJob(backup, spec));
      else {
        jobs.push(await client.apply(Job, desiredJob(backup, spec)));
        events.normal('BackupStarted', `of ${clusterKey.name}`, { action: 'BackUp' });
      }
    }
    await client.applyStatus(RedisClusterBackup, key, observedStatus(backup, jobs));
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

function desiredJobSpec(
  backup: Stored<RedisClusterBackup>,
  cluster: DistributedRedisCluster,
  image: string,
): JobSpec {
  return {
    backoffLimit: 3,
    template: toolPod({ command: 'backup', image, cluster, backup, path: folderOf(backup) }),
  };
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

function waitingStatus(backup: RedisClusterBackup): RedisClusterBackupStatus {
  const message = `DistributedRedisCluster ${backup.spec.redisClusterName} is not ready`;
  const conditions = conditionsOf(backup, ['Complete', 'Degraded']);
  conditions.false('Complete', 'ClusterNotReady', message).false('Degraded', 'AsExpected');
  const { lastBackup } = backup.status ?? {};
  return { phase: 'Waiting', ...(lastBackup && { lastBackup }), conditions: conditions.toJSON() };
}

/** @param jobs the newest first */
export function observedStatus(backup: RedisClusterBackup, jobs: readonly Job[]): RedisClusterBackupStatus {
  const conditions = conditionsOf(backup, ['Complete', 'Degraded']);
  const isScheduled = backup.spec.schedule !== undefined;
  const [newest] = jobs;
  const ended = jobs.find((job) => jobState(job).state !== 'Running');
  const lastBackup = newestBackup(backup, jobs);
  const failure = ended && jobState(ended).state === 'Failed' ? jobState(ended).message : undefined;

  if (lastBackup !== undefined) conditions.true('Complete', 'Stored', `stored in ${lastBackup.path}`);
  else conditions.false('Complete', failure === undefined ? 'NoBackupYet' : 'JobFailed', failure ?? '');
  if (failure === undefined) conditions.false('Degraded', 'AsExpected');
  else conditions.true('Degraded', 'JobFailed', failure);

  const state = newest === undefined ? undefined : jobState(newest).state;
  const phase = isScheduled && state !== 'Running' ? 'Scheduled' : (state ?? 'Waiting');
  return { phase, ...(lastBackup && { lastBackup }), conditions: conditions.toJSON() };
}

/** Returns the newest backup of Jobs that are there, or the one that was known before. */
function newestBackup(backup: RedisClusterBackup, jobs: readonly Job[]): CompletedBackup | undefined {
  const job = jobs.find((each) => jobState(each).state === 'Succeeded');
  if (job === undefined) return backup.status?.lastBackup;
  const { completionTime } = job.status ?? {};
  return {
    path: `${folderOf(backup)}/${job.metadata.name}`,
    ...(completionTime !== undefined && { completionTime }),
  };
}
