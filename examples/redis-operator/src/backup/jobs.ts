import type { DeepReadonly } from 'opsdk';
import type { Job } from 'opsdk/k8s/batch/v1';
import type { EnvVar, PodTemplateSpec } from 'opsdk/k8s/core/v1';
import type { DistributedRedisCluster } from '../api/redis/v1alpha1/distributed-redis-cluster.ts';
import type { RedisClusterBackup } from '../api/redis/v1alpha1/redis-cluster-backup.ts';
import { passwordEnv } from '../cluster/desired.ts';
import { clientServiceName } from '../cluster/names.ts';

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

/** Returns a Pod that takes or restores a backup and ends. Its credentials are those of the namespace that it runs in. */
export function toolPod({ command, image, cluster, backup, path }: ToolPod): PodTemplateSpec {
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
            fromSecret('S3_ACCESS_KEY_ID', 'accessKeyId'),
            fromSecret('S3_SECRET_ACCESS_KEY', 'secretAccessKey'),
            fromSecret('S3_SESSION_TOKEN', 'sessionToken', true),
            { name: 'BACKUP_PATH', value: path },
            ...(command === 'backup' ? backupEnv(retention) : []),
          ],
          // The last lines of the log are the message of the Pod when it has failed.
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
