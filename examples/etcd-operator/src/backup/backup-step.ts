import type { FailureReason } from './backup-error.ts';
import type { Result, SavedBackup } from './result.ts';
import type { Schedule } from './schedule.ts';
import type { BackupRun, EtcdBackupStatus } from '../api/etcd/v1beta2/etcd-backup.ts';

/** Job of the run that the status names. */
export interface ObservedJob {
  readonly state: 'Active' | 'Complete' | 'Failed';
  /** What Kubernetes says of a Job that has failed. */
  readonly reason: string;
  readonly message: string;
  /** Result of its last Pod. Undefined if that was deleted, or has written none. */
  readonly result: Result | undefined;
  /** True if a Pod of it has succeeded without a word, as one of another image does: another attempt would do the same. */
  readonly isSilent?: boolean | undefined;
}

/** All that a step depends on. */
export interface ObservedBackup {
  readonly paused: boolean;
  /** Undefined for a single backup. */
  readonly schedule: Schedule | undefined;
  readonly status: EtcdBackupStatus;
  /** Job of `status.run`. Undefined if it does not exist. */
  readonly job: ObservedJob | undefined;
  /** Secret or claim that the Job needs and that does not exist. */
  readonly missing: { readonly kind: 'Secret' | 'PersistentVolumeClaim'; readonly name: string } | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Message about a Job that is silent. */
export const silence = 'the Pod has succeeded without a result: expected the image of the operator';

export type BackupStep =
  /** A run is noted in the status, before its Job exists. */
  | { readonly type: 'BeginRun'; readonly scheduledFor: number | undefined; readonly missed: number }
  | { readonly type: 'CreateJob'; readonly run: BackupRun }
  | { readonly type: 'WaitForJob' }
  | {
      readonly type: 'WaitForObject';
      readonly kind: 'Secret' | 'PersistentVolumeClaim';
      readonly name: string;
    }
  /** The Job has succeeded, but what it did is not known: it is made again, and finds the backup. */
  | { readonly type: 'RepeatJob'; readonly run: BackupRun }
  | { readonly type: 'RecordSuccess'; readonly run: BackupRun; readonly saved: SavedBackup }
  | {
      readonly type: 'RecordFailure';
      readonly run: BackupRun;
      readonly reason: FailureReason | 'JobFailed';
      readonly message: string;
    }
  /** The last run lies in the future: the clock was wrong then, or is now. */
  | { readonly type: 'ResetClock' }
  | { readonly type: 'WaitUntil'; readonly time: number | undefined }
  | { readonly type: 'Pause' }
  | { readonly type: 'Done' };

/**
 * Decides what is next for an EtcdBackup.
 *
 * 1. A run is written into the status. From then on it is known, whatever happens to the operator.
 * 2. Its Job is created, with a name that follows from the run: a second one cannot exist. It is created again if somebody deletes it.
 * 3. The outcome goes into the status, and the run out of it.
 *
 * One run ends before the next begins. Of the times that have passed meanwhile, or while the operator was down, the newest counts.
 */
export function nextStep({ paused, schedule, status, job, missing, now }: ObservedBackup): BackupStep {
  const { run } = status;
  if (run !== undefined) {
    if (job === undefined) {
      if (missing !== undefined) return { type: 'WaitForObject', ...missing };
      return paused ? { type: 'Pause' } : { type: 'CreateJob', run };
    }
    if (job.state === 'Active') return { type: 'WaitForJob' };
    return outcomeOf(job, run);
  }
  const isOver = status.phase === 'Succeeded' || status.phase === 'Failed';
  if (schedule === undefined && isOver) return { type: 'Done' };
  if (paused) return { type: 'Pause' };
  if (schedule === undefined) return { type: 'BeginRun', scheduledFor: undefined, missed: 0 };
  const lastRun = status.lastScheduleTime === undefined ? undefined : Date.parse(status.lastScheduleTime);
  const following = schedule.next(now);
  // Otherwise nothing would be saved until the clock has caught up.
  if (lastRun !== undefined && lastRun > now && following !== undefined && lastRun > following)
    return { type: 'ResetClock' };
  const due = schedule.due(lastRun, now);
  if (due !== undefined) return { type: 'BeginRun', scheduledFor: due.time, missed: due.missed };
  return { type: 'WaitUntil', time: schedule.next(lastRun) };
}

function outcomeOf(job: ObservedJob, run: BackupRun): BackupStep {
  const { state, reason, message, result } = job;
  if (state === 'Complete') {
    if (result !== undefined && 'saved' in result) return { type: 'RecordSuccess', run, saved: result.saved };
    if (job.isSilent === true) return { type: 'RecordFailure', run, reason: 'JobFailed', message: silence };
    return { type: 'RepeatJob', run };
  }
  const isLate = reason === 'DeadlineExceeded';
  if (result !== undefined && 'failed' in result && !isLate)
    return { type: 'RecordFailure', run, ...result.failed };
  return { type: 'RecordFailure', run, reason: isLate ? 'DeadlineExceeded' : 'JobFailed', message };
}
