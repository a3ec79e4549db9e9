import { hashOf, isReady, ownedBy, type ApplyObject, type Stored } from 'opsdk';
import type { Job } from 'opsdk/k8s/batch/v1';
import type { Pod } from 'opsdk/k8s/core/v1';
import type { EtcdRestore } from '../api/etcd/v1beta2/etcd-restore.ts';
import { argumentsOf } from './arguments.ts';
import { shortName } from './backup-job.ts';
import { resultOfPods } from './pod-result.ts';
import type { ObservedSeed } from './restore-step.ts';
import { storageJobSpec } from './storage-job.ts';
import { resultFile, storagePod, workFolder } from './storage-pod.ts';

/** Seconds that the check of a backup may take: it is fetched once. */
const timeoutSeconds = 3600;

/** Returns the name of the Job that checks the backup of an EtcdRestore. */
export function checkJobNameOf({ metadata }: Stored<EtcdRestore>): string {
  return `${shortName(metadata.name)}-${hashOf([metadata.uid])}`;
}

/** Returns the Job that fetches and checks the backup. @param image name of the operator's image */
export function desiredCheckJob(restore: Stored<EtcdRestore>, image: string): ApplyObject<Job> {
  const { spec } = restore;
  const { storage, ...place } = storagePod(spec.backupStorageType, spec);
  const labels = { 'app.kubernetes.io/name': 'etcd-restore-check' };
  const file = `${workFolder}/snapshot.db`;
  const args = argumentsOf({
    verb: 'fetch',
    storage,
    sha256: spec.sha256,
    file,
    timeoutSeconds,
    resultFile,
  });
  const container = { name: 'check', image, args };
  return {
    metadata: { name: checkJobNameOf(restore), labels, ...ownedBy(restore) },
    spec: storageJobSpec({ ...place, container, labels, timeoutSeconds }),
  };
}

/**
 * Returns the state of the first member's Pod. One that Kubernetes has ended, as when it was evicted or its node was shut down, has not
 * failed: the controller of EtcdCluster replaces it. Such Pods have a reason.
 */
export function observedSeed(pod: Pod): ObservedSeed {
  const { phase, reason = '', message = '' } = pod.status ?? {};
  const hasFailed = phase === 'Failed' && reason === '';
  const state = isReady(pod) ? 'Ready' : hasFailed ? 'Failed' : 'Starting';
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
