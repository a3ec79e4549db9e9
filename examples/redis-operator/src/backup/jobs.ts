import type { DeepReadonly, ReconcileContext } from 'opsdk';
import type { Job, JobSpec } from 'opsdk/k8s/batch/v1';
import { Pod, type EnvVar, type PodTemplateSpec } from 'opsdk/k8s/core/v1';
import type { DistributedRedisCluster } from '../api/redis/v1alpha1/distributed-redis-cluster.ts';
import type { RedisClusterBackup } from '../api/redis/v1alpha1/redis-cluster-backup.ts';
import { passwordEnv } from '../cluster/desired.ts';
import { clientServiceName } from '../cluster/names.ts';
import { credentialKeys } from './credentials.ts';
import { failureOfPods, permanentFailure, type Failure } from './failure.ts';

interface ToolPod {
  readonly command: 'backup' | 'restore';
  readonly image: string;
  readonly cluster: DistributedRedisCluster;
  readonly backup: RedisClusterBackup;
  /** Folder of the backups, or of the backup to restore. */
  readonly path: string;
}

/** Returns the folder of all backups that a RedisClusterBackup takes. */
export function folderOf({ metadata, spec }: RedisClusterBackup): string {
  return `${spec.s3.prefix ?? ''}${metadata.namespace}/${metadata.name}`;
}

/** Returns a Job that takes or restores a backup. @param limits number of further attempts, and the time for all of them */
export function toolJobSpec(
  tool: ToolPod,
  limits: Pick<JobSpec, 'backoffLimit' | 'activeDeadlineSeconds'>,
): JobSpec {
  return {
    ...limits,
    // Another attempt does not mend credentials or a damaged backup.
    podFailurePolicy: {
      rules: [
        {
          action: 'FailJob',
          onExitCodes: { containerName: tool.command, operator: 'In', values: [permanentFailure] },
        },
      ],
    },
    template: toolPod(tool),
  };
}

/** Returns a Pod that ends when its work is done. Its credentials are those of the namespace that it runs in. */
function toolPod({ command, image, cluster, backup, path }: ToolPod): PodTemplateSpec {
  const { s3, storageSecretName, retention } = backup.spec;
  const fromSecret = (name: string, key: string, optional = false): EnvVar => ({
    name,
    valueFrom: { secretKeyRef: { name: storageSecretName, key, ...(optional && { optional }) } },
  });
  return {
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name: command,
          image,
          args: [command],
          env: [
            {
              name: 'REDIS_HOST',
              value: `${clientServiceName(cluster)}.${cluster.metadata.namespace}.svc`,
            },
            ...passwordEnv(cluster),
            { name: 'S3_ENDPOINT', value: s3.endpoint },
            { name: 'S3_BUCKET', value: s3.bucket },
            { name: 'S3_REGION', value: s3.region ?? 'us-east-1' },
            fromSecret('S3_ACCESS_KEY_ID', credentialKeys.accessKeyId),
            fromSecret('S3_SECRET_ACCESS_KEY', credentialKeys.secretAccessKey),
            fromSecret('S3_SESSION_TOKEN', credentialKeys.sessionToken, true),
            { name: 'BACKUP_PATH', value: path },
            { name: 'RESULT_FILE', value: '/dev/termination-log' },
            ...(command === 'backup' ? backupEnv(retention) : []),
          ],
          // A program that was killed has written no message: its last lines are more than nothing.
          terminationMessagePolicy: 'FallbackToLogsOnError',
          resources: { requests: { cpu: '50m', memory: '192Mi' }, limits: { memory: '1Gi' } },
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
        },
      ],
    },
  };
}

/** A backup is named after its Job: all Pods of a Job, which come one after the other, write the same backup. */
function backupEnv(retention: number | undefined): readonly EnvVar[] {
  const fieldPath = "metadata.labels['batch.kubernetes.io/job-name']";
  return [
    { name: 'BACKUP_NAME', valueFrom: { fieldRef: { fieldPath } } },
    ...(retention === undefined ? [] : [{ name: 'BACKUP_KEEP', value: String(retention) }]),
  ];
}

/** State of a Job, by its conditions. */
export function jobState(job: DeepReadonly<Pick<Job, 'status'>>): {
  readonly state: 'Running' | 'Succeeded' | 'Failed';
  readonly message: string;
} {
  const find = (type: string) =>
    job.status?.conditions?.find((each) => each.type === type && each.status === 'True');
  const failure = find('Failed');
  if (failure !== undefined) return { state: 'Failed', message: failure.message ?? '' };
  return { state: find('Complete') === undefined ? 'Running' : 'Succeeded', message: '' };
}

/** Returns why a Job has failed, by what its program said last. Undefined for one that runs or has succeeded. */
export async function failureOf(
  job: DeepReadonly<Job>,
  { client }: Pick<ReconcileContext, 'client'>,
): Promise<Failure | undefined> {
  const { state, message } = jobState(job);
  if (state !== 'Failed') return undefined;
  const { name, namespace } = job.metadata;
  // The Job may be seen before its Pods: they are read from the API server.
  const scope = { namespace, labelSelector: `batch.kubernetes.io/job-name=${name}` };
  const { items } = await client.live.list(Pod, scope);
  return failureOfPods(items) ?? { reason: 'JobFailed', message };
}
