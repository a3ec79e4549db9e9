import { hashOf, ownedBy, type ApplyObject, type Stored } from 'opsdk';
import type { Job, JobStatus } from 'opsdk/k8s/batch/v1';
import type { Pod } from 'opsdk/k8s/core/v1';
import type { BackupRun, EtcdBackup } from '../api/etcd/v1beta2/etcd-backup.ts';
import { argumentsOf } from './arguments.ts';
import type { ObservedJob } from './backup-step.ts';
import { areSilent, resultOfPods } from './pod-result.ts';
import { storageJobSpec } from './storage-job.ts';
import { resultFile, storagePod, tlsFolder, workFolder } from './storage-pod.ts';

/** Label of Jobs and their Pods with the name of their EtcdBackup. */
export const backupLabel = 'etcd.database.coreos.com/backup';

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
  const { storage, ...place } = storagePod(storageType, backup.spec);
  const labels = {
    [backupLabel]: shortName(backup.metadata.name, 63),
    'app.kubernetes.io/name': 'etcd-backup',
  };
  const args = argumentsOf({
    verb: 'save',
    endpoints: etcdEndpoints,
    storage,
    scheduledFor,
    keep: scheduledFor === undefined ? undefined : maxBackups,
    tlsFolder: clientTLSSecret === undefined ? undefined : tlsFolder,
    workFolder,
    timeoutSeconds,
    resultFile,
  });
  const container = { name: 'backup', image, args };
  const more = clientTLSSecret === undefined ? [] : [clientTls(clientTLSSecret)];
  return {
    metadata: { name: job, labels, ...ownedBy(backup) },
    spec: storageJobSpec({ ...place, container, labels, timeoutSeconds, more }),
  };
}

function clientTls(secretName: string) {
  const name = 'client-tls';
  return {
    volume: { name, secret: { secretName } },
    mount: { name, mountPath: tlsFolder, readOnly: true },
  };
}

/** Returns the state of a Job. @param pods those that have ended, which have its outcome */
export function observedJob(status: JobStatus | undefined, pods: readonly Pod[]): ObservedJob {
  const find = (type: string) =>
    status?.conditions?.find((each) => each.type === type && each.status === 'True');
  const failed = find('Failed');
  const state = find('Complete') !== undefined ? 'Complete' : failed !== undefined ? 'Failed' : 'Active';
  const { reason = '', message = '' } = failed ?? {};
  return { state, reason, message, result: resultOfPods(pods), isSilent: areSilent(pods) };
}
