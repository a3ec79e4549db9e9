import type { EtcdBackupStatus, KeptBackup } from '../api/etcd/v1beta2/etcd-backup.ts';
import type { BackupStep } from './backup-step.ts';
import type { Schedule } from './schedule.ts';

/** Number of backups that the status lists. */
const mostListed = 100;

/** Fields of the status that a step changes. Null removes a field. */
export type StatusChange = {
  readonly [Field in keyof EtcdBackupStatus]?: EtcdBackupStatus[Field] | null;
};

/** Returns a time as Kubernetes writes it: `2026-01-31T03:00:00Z`. */
export function timeText(milliseconds: number): string {
  return new Date(Math.floor(milliseconds / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}

export interface StatusContext {
  readonly status: EtcdBackupStatus;
  readonly schedule: Schedule | undefined;
  readonly now: number;
  /** Name of the Job of a run that begins. */
  readonly job: string;
}

/** Returns what a step changes in the status beside its conditions. */
export function changeOf(step: BackupStep, { status, schedule, now, job }: StatusContext): StatusChange {
  switch (step.type) {
    case 'BeginRun': {
      const missedRuns = (status.missedRuns ?? 0) + step.missed;
      if (step.scheduledFor === undefined) return { phase: 'Running', reason: 'Saving', run: { job } };
      const time = timeText(step.scheduledFor);
      const run = { job, scheduledFor: time };
      return { phase: 'Running', reason: 'Saving', run, lastScheduleTime: time, missedRuns };
    }
    case 'CreateJob':
    case 'WaitForJob':
    case 'RepeatJob':
      return { phase: 'Running', reason: 'Saving' };
    case 'WaitForObject':
      return { phase: 'Waiting', reason: `${step.kind}NotFound` };
    case 'Pause':
      return { phase: 'Paused', reason: 'Paused', nextScheduleTime: null };
    case 'ResetClock':
      return { lastScheduleTime: timeText(now) };
    case 'RecordSuccess': {
      const { path, revision, etcdVersion, sizeBytes, sha256 } = step.saved;
      const { scheduledFor } = step.run;
      const kept: KeptBackup = {
        path,
        revision,
        sha256,
        sizeBytes,
        time: timeText(now),
        ...(scheduledFor === undefined ? {} : { scheduledFor }),
      };
      return {
        ...(schedule === undefined ? { phase: 'Succeeded' } : { phase: 'Scheduled' }),
        reason: 'Saved',
        succeeded: true,
        run: null,
        etcdRevision: revision,
        ...(etcdVersion === undefined ? {} : { etcdVersion }),
        lastSuccessDate: timeText(now),
        backups: keptBackups(status.backups ?? [], kept, step.saved.oldest),
      };
    }
    case 'RecordFailure':
      return {
        ...(schedule === undefined ? { phase: 'Failed' } : { phase: 'Scheduled' }),
        reason: step.reason,
        succeeded: false,
        run: null,
        lastFailureDate: timeText(now),
      };
    case 'WaitUntil':
      return {
        phase: 'Scheduled',
        reason: status.succeeded === undefined ? 'Scheduled' : (status.reason ?? 'Scheduled'),
        nextScheduleTime: step.time === undefined ? null : timeText(step.time),
      };
    case 'Done':
      return {};
  }
}

/** Returns the list of backups with a new one, without those that its Job has deleted: all before the oldest, of no higher revision. */
function keptBackups(
  before: readonly KeptBackup[],
  added: KeptBackup,
  oldest: string | undefined,
): KeptBackup[] {
  const isKept = ({ scheduledFor, revision }: KeptBackup): boolean =>
    oldest === undefined || scheduledFor === undefined || scheduledFor >= oldest || revision > added.revision;
  const others = before.filter((each) => each.path !== added.path && isKept(each));
  return [added, ...others].slice(0, mostListed);
}
