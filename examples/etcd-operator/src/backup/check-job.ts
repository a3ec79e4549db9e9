import { hashOf, isReady, ownedBy, type ApplyObject, type Stored } from 'opsdk';
import type { Job } from 'opsdk/k8s/batch/v1';
import type { Pod } from 'opsdk/k8s/core/v1';
import type { EtcdRestore } from '../api/etcd/v1beta2/etcd-restore.ts';
import { argumentsOf } from './arguments.ts';
import { shortName } from './backup-job.ts';
import { permanentFailure } from './exit-code.ts';
import { resultOfPods } from './pod-result.ts';
import type { ObservedSeed } from './restore-step.ts';
import { containerSecurity, podSecurity, resultFile, storagePod, workFolder } from './storage-pod.ts';

/** Seconds that the check of a backup may take: it is fetched once. */
const timeoutSeconds = 3600;

/** Returns the name of the Job that checks the backup of an EtcdRestore. */
export function checkJobNameOf({ metadata }: Stored<EtcdRestore>): string {
  return `${shortName(metadata.name)}-${hashOf([metadata.uid])}`;
}

/** Returns the Job that fetches and checks the backup. @param image name of the operator's image */
export function desiredCheckJob(restore: Stored<EtcdRestore>, image: string): ApplyObject<Job> {
  const { spec } = restore;
  const { storage, volume, mount } = storagePod(spec.backupStorageType, spec);
  const labels = { 'app.kubernetes.io/name': 'etcd-restore-check' };
  const file = `${workFolder}/snapshot.db`;
  return {
    metadata: { name: checkJobNameOf(restore), labels, ...ownedBy(restore) },
    spec: {
      backoffLimit: 2,
      activeDeadlineSeconds: timeoutSeconds + 300,
      ttlSecondsAfterFinished: 86_400,
      podFailurePolicy: {
        rules: [
          {
            action: 'FailJob',
            onExitCodes: { containerName: 'check', operator: 'In', values: [permanentFailure] },
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
              name: 'check',
              image,
              args: argumentsOf({
                verb: 'fetch',
                storage,
                sha256: spec.sha256,
                file,
                timeoutSeconds,
                resultFile,
              }),
              securityContext: containerSecurity,
              resources: { requests: { cpu: '50m', memory: '128Mi' } },
              volumeMounts: [{ name: 'work', mountPath: workFolder }, mount],
            },
          ],
          volumes: [{ name: 'work', emptyDir: {} }, volume],
        },
      },
    },
  };
}

/** Returns the state of the first member's Pod. */
export function observedSeed(pod: Pod): ObservedSeed {
  const { phase, message = '' } = pod.status ?? {};
  const state = isReady(pod) ? 'Ready' : phase === 'Failed' ? 'Failed' : 'Starting';
  const failed = pod.status?.initContainerStatuses?.find(
    ({ state: each }) => (each?.terminated?.exitCode ?? 0) !== 0,
  );
  const said = failed?.state?.terminated;
  const text =
    failed === undefined
      ? message
      : `container ${failed.name} has ended with exit code ${said?.exitCode}${said?.message === undefined ? '' : `: ${said.message}`}`;
  return { state, result: resultOfPods([pod]), message: text };
}
