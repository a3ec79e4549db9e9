import type { EtcdRestoreStatus } from '../api/etcd/v1beta2/etcd-restore.ts';
import type { FailureReason } from './backup-error.ts';
import { silence, type ObservedJob } from './backup-step.ts';
import type { FetchedBackup, Result } from './result.ts';

/** First Pod of the cluster that starts from the backup. */
export interface ObservedSeed {
  readonly state: 'Starting' | 'Ready' | 'Failed';
  /** Result of the init container that failed. */
  readonly result: Result | undefined;
  /** What Kubernetes says of a Pod that has failed. */
  readonly message: string;
}

/** All that a step depends on. */
export interface ObservedRestore {
  readonly status: EtcdRestoreStatus;
  readonly clusterExists: boolean;
  /** Name of an EtcdRestore of the same cluster that comes before this one and has not ended. */
  readonly before: string | undefined;
  /** Secret or claim that does not exist. */
  readonly missing: { readonly kind: 'Secret' | 'PersistentVolumeClaim'; readonly name: string } | undefined;
  /** Job that checks the backup. */
  readonly job: ObservedJob | undefined;
  readonly seed: ObservedSeed | undefined;
}

export type RestoreStep =
  | {
      readonly type: 'Wait';
      readonly reason:
        'EtcdClusterNotFound' | 'AnotherRestore' | 'SecretNotFound' | 'PersistentVolumeClaimNotFound';
      readonly message: string;
    }
  | { readonly type: 'BeginCheck' }
  | { readonly type: 'CreateJob' }
  | { readonly type: 'WaitForJob' }
  | { readonly type: 'RepeatJob' }
  /** The backup is good: from now on the cluster is replaced. */
  | { readonly type: 'BeginRestore'; readonly checked: FetchedBackup }
  | { readonly type: 'WaitForSeed' }
  | { readonly type: 'RecordSuccess' }
  | {
      readonly type: 'RecordFailure';
      readonly reason: FailureReason | 'JobFailed' | 'SeedFailed';
      readonly message: string;
    }
  | { readonly type: 'Done' };

/**
 * Decides what is next for an EtcdRestore. The backup is fetched and checked by a Job before anything of the cluster is touched: a wrong
 * path, a missing right or a damaged file leaves the cluster as it is. In phase `Restoring` the controller of EtcdCluster creates a first
 * member from the backup.
 */
export function nextStep(observed: ObservedRestore): RestoreStep {
  const { status, clusterExists, before, missing, job, seed } = observed;
  switch (status.phase) {
    case 'Succeeded':
    case 'Failed':
      return { type: 'Done' };
    case 'Restoring':
      return afterSeed(seed);
    case 'Checking':
      if (job !== undefined) return afterJob(job);
      break;
    case 'Waiting':
    case undefined:
  }
  if (before !== undefined)
    return { type: 'Wait', reason: 'AnotherRestore', message: `EtcdRestore ${before} has not ended` };
  if (!clusterExists)
    return { type: 'Wait', reason: 'EtcdClusterNotFound', message: 'the EtcdCluster does not exist' };
  if (missing !== undefined) {
    const { kind, name } = missing;
    return { type: 'Wait', reason: `${kind}NotFound`, message: `${kind} ${name} does not exist` };
  }
  return status.phase === 'Checking' ? { type: 'CreateJob' } : { type: 'BeginCheck' };
}

function afterJob({ state, reason, message, result, isSilent }: ObservedJob): RestoreStep {
  if (state === 'Active') return { type: 'WaitForJob' };
  if (state === 'Complete') {
    if (result !== undefined && 'fetched' in result) return { type: 'BeginRestore', checked: result.fetched };
    if (isSilent === true) return { type: 'RecordFailure', reason: 'JobFailed', message: silence };
    return { type: 'RepeatJob' };
  }
  const isLate = reason === 'DeadlineExceeded';
  if (result !== undefined && 'failed' in result && !isLate)
    return { type: 'RecordFailure', ...result.failed };
  return { type: 'RecordFailure', reason: isLate ? 'DeadlineExceeded' : 'JobFailed', message };
}

function afterSeed(seed: ObservedSeed | undefined): RestoreStep {
  if (seed === undefined || seed.state === 'Starting') return { type: 'WaitForSeed' };
  if (seed.state === 'Ready') return { type: 'RecordSuccess' };
  if (seed.result !== undefined && 'failed' in seed.result)
    return { type: 'RecordFailure', ...seed.result.failed };
  return { type: 'RecordFailure', reason: 'SeedFailed', message: seed.message };
}
