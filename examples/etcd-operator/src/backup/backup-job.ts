import { hashOf, ownedBy, type ApplyObject, type Stored } from 'opsdk';
import type { Job, JobStatus } from 'opsdk/k8s/batch/v1';
import type { Volume } from 'opsdk/k8s/core/v1';
import type { BackupRun, EtcdBackup } from '../api/etcd/v1beta2/etcd-backup.ts';
import { argumentsOf } from './arguments.ts';
import type { ObservedJob } from './backup-step.ts';
import { permanentFailure } from './exit-code.ts';
import type { Result } from './result.ts';
import {
  containerSecurity,
  podSecurity,
  resultFile,
  storagePod,
  tlsFolder,
  workFolder,
} from './storage-pod.ts';

/** Label of Jobs and their Pods with the name of their EtcdBackup. */
export const backupLabel = 'etcd.database.coreos.com/backup';

/** Seconds for which a Job that has ended is kept for its log. */
const keepSeconds = 86_400;

/** Seconds that the Pods of a Job may take besides the program: to be scheduled, to pull the image, and for two further attempts. */
const spareSeconds = 300;

/** Returns the beginning of a name, as part of the name of a Pod or as the value of a label. */
export function shortName(name: string, length = 40): string {
  return name.replaceAll('.', '-').slice(0, length).replace(/-+$/, '');
}

/** Returns the name of the Job of a run: the same for the same time of the schedule, so that there is one Job for it. */
export function jobNameOf({ metadata }: Stored<EtcdBackup>, scheduledFor: string | undefined): string {
  return `${shortName(metadata.name)}-${hashOf([metadata.uid, scheduledFor ?? ''])}`;
}

/** Returns the Job that makes a backup. @param image name of the operator's image */
export function desiredJob(
  backup: Stored<EtcdBackup>,
  { job, scheduledFor }: BackupRun,
  image: string,
): ApplyObject<Job> {
  const { etcdEndpoints, clientTLSSecret, storageType, backupPolicy = {} } = backup.spec;
  const { timeoutInSecond: timeoutSeconds = 600, maxBackups } = backupPolicy;
  const { storage, volume, mount } = storagePod(storageType, backup.spec);
  const tls =
    clientTLSSecret === undefined ? [] : [{ name: 'client-tls', mountPath: tlsFolder, readOnly: true }];
  const tlsVolume: Volume[] =
    clientTLSSecret === undefined ? [] : [{ name: 'client-tls', secret: { secretName: clientTLSSecret } }];
  const labels = {
    [backupLabel]: shortName(backup.metadata.name, 63),
    'app.kubernetes.io/name': 'etcd-backup',
  };
  return {
    metadata: { name: job, labels, ...ownedBy(backup) },
    spec: {
      backoffLimit: 2,
      activeDeadlineSeconds: timeoutSeconds + spareSeconds,
      ttlSecondsAfterFinished: keepSeconds,
      // Another attempt does not mend a Secret or a path.
      podFailurePolicy: {
        rules: [
          {
            action: 'FailJob',
            onExitCodes: { containerName: 'backup', operator: 'In', values: [permanentFailure] },
          },
        ],
      },
      template: {
        metadata: { labels },
        spec: {
          restartPolicy: 'Never',
          automountServiceAccountToken: false,
          securityContext: podSecurity,
          containers: [
            {
              name: 'backup',
              image,
              args: argumentsOf({
                verb: 'save',
                endpoints: etcdEndpoints,
                storage,
                scheduledFor,
                keep: scheduledFor === undefined ? undefined : maxBackups,
                tlsFolder: clientTLSSecret === undefined ? undefined : tlsFolder,
                workFolder,
                timeoutSeconds,
                resultFile,
              }),
              securityContext: containerSecurity,
              resources: { requests: { cpu: '50m', memory: '128Mi' } },
              volumeMounts: [{ name: 'work', mountPath: workFolder }, mount, ...tls],
            },
          ],
          volumes: [{ name: 'work', emptyDir: {} }, volume, ...tlsVolume],
        },
      },
    },
  };
}

/** Returns the state of a Job. @param result outcome that its Pods have written */
export function observedJob(status: JobStatus | undefined, result: Result | undefined): ObservedJob {
  const find = (type: string) =>
    status?.conditions?.find((each) => each.type === type && each.status === 'True');
  const failed = find('Failed');
  const state = find('Complete') !== undefined ? 'Complete' : failed !== undefined ? 'Failed' : 'Active';
  return { state, reason: failed?.reason ?? '', message: failed?.message ?? '', result };
}
