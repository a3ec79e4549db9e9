import { ownedBy, type ApplyObject, type ObjectKey, type ReconcileContext, type Stored } from 'opsdk';
import { Job } from 'opsdk/k8s/batch/v1';
import type { DistributedRedisCluster } from '../api/redis/v1alpha1/distributed-redis-cluster.ts';
import { RedisClusterBackup } from '../api/redis/v1alpha1/redis-cluster-backup.ts';
import { missingCredentials } from '../backup/credentials.ts';
import type { FailureReason } from '../backup/failure.ts';
import { failureOf, jobState, toolJobSpec } from '../backup/jobs.ts';
import { operatorImage } from '../backup/operator-image.ts';
import { labelsOf, restoreJobName } from './names.ts';
import { wasRestored } from './status.ts';

/** How far the restore of a new cluster is. */
export interface Restoration {
  readonly state: 'Pending' | 'Running' | 'Restored' | 'Failed';
  readonly message?: string;
  /** Cause of a failure. */
  readonly reason?: FailureReason;
  /** Path of the backup in the bucket. */
  readonly path?: string;
  /** RedisClusterBackup that has no backup yet. */
  readonly waitsFor?: ObjectKey;
}

/** Annotation of the Job with the backup that it restores. */
const pathAnnotation = 'redis.kun/backup';

/**
 * Lets a Job write the newest backup of the source into a cluster that serves all slots. There is one Job for the life of a cluster, and it
 * never overwrites a key.
 */
export async function restore(
  cluster: Stored<DistributedRedisCluster>,
  context: ReconcileContext,
): Promise<Restoration | undefined> {
  const { client, key, events } = context;
  const source = cluster.spec.init?.backupSource;
  if (source === undefined) return undefined;
  if (wasRestored(cluster)) return { state: 'Restored' };
  const job = await client.find(Job, { name: restoreJobName(cluster), namespace: key.namespace });
  if (job !== undefined) {
    const path = job.metadata.annotations?.[pathAnnotation] ?? '';
    const failure = await failureOf(job, context);
    if (failure === undefined)
      return { state: jobState(job).state === 'Running' ? 'Running' : 'Restored', path };
    const { reason, message } = failure;
    return {
      state: 'Failed',
      path,
      reason,
      message: `Job ${job.metadata.name} has failed: ${message}; delete it to try again`,
    };
  }
  const backupKey = { name: source.name, namespace: source.namespace ?? key.namespace };
  const backup = await client.find(RedisClusterBackup, backupKey);
  const path = backup?.status?.lastBackup?.path;
  if (backup === undefined || path === undefined) {
    const message = `RedisClusterBackup ${backupKey.namespace}/${backupKey.name} has no backup yet`;
    return { state: 'Pending', message, waitsFor: backupKey };
  }
  const secret = { name: backup.spec.storageSecretName, namespace: key.namespace };
  const missing = await missingCredentials(context, secret);
  if (missing !== undefined) return { state: 'Pending', message: `${missing} in Namespace ${key.namespace}` };
  const image = backup.spec.image ?? operatorImage();
  await client.apply(Job, desiredRestoreJob(cluster, backup, path, image));
  events.normal('RestoreStarted', path, { action: 'Restore' });
  return { state: 'Running', path };
}

function desiredRestoreJob(
  cluster: Stored<DistributedRedisCluster>,
  backup: RedisClusterBackup,
  path: string,
  image: string,
): ApplyObject<Job> {
  const labels = { ...labelsOf(cluster), 'app.kubernetes.io/name': 'redis-restore' };
  return {
    metadata: {
      name: restoreJobName(cluster),
      labels,
      annotations: { [pathAnnotation]: path },
      ...ownedBy(cluster),
    },
    spec: toolJobSpec({ command: 'restore', image, cluster, backup, path }, { backoffLimit: 6 }),
  };
}
