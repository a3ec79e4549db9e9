import { describe, expect, test } from 'vitest';
import {
  nextStep,
  silence,
  type BackupStep,
  type ObservedBackup,
  type ObservedJob,
} from '../../src/backup/backup-step.ts';
import { scheduleOf, type Schedule } from '../../src/backup/schedule.ts';

const now = Date.parse('2026-01-31T03:00:10Z');
const run = { job: 'nightly-1', scheduledFor: '2026-01-31T03:00:00Z' };
const saved = { path: 'b/etcd', revision: 7, sizeBytes: 1, sha256: 'a'.repeat(64) };
const job = (state: ObservedJob['state'], more: Partial<ObservedJob> = {}): ObservedJob => ({
  state,
  reason: '',
  message: '',
  result: undefined,
  ...more,
});
const hourly = (): Promise<Schedule | undefined> =>
  scheduleOf({ backupIntervalInSecond: 3600 }, now - 10_000);
const base: ObservedBackup = {
  paused: false,
  schedule: undefined,
  status: {},
  job: undefined,
  missing: undefined,
  now,
};
const secret = { kind: 'Secret', name: 'aws' } as const;

describe('the next step of a single backup', () => {
  test.each<[string, Partial<ObservedBackup>, BackupStep]>([
    ['begins', {}, { type: 'BeginRun', scheduledFor: undefined, missed: 0 }],
    ['is paused', { paused: true }, { type: 'Pause' }],
    ['gets a Job', { status: { run } }, { type: 'CreateJob', run }],
    ['gets no Job while it is paused', { status: { run }, paused: true }, { type: 'Pause' }],
    ['waits for its Secret', { status: { run }, missing: secret }, { type: 'WaitForObject', ...secret }],
    [
      'waits for its Job, also while it is paused',
      { status: { run }, job: job('Active'), paused: true },
      { type: 'WaitForJob' },
    ],
    [
      'has succeeded',
      { status: { run }, job: job('Complete', { result: { saved } }) },
      { type: 'RecordSuccess', run, saved },
    ],
    [
      'has succeeded, but nobody knows how',
      { status: { run }, job: job('Complete') },
      { type: 'RepeatJob', run },
    ],
    [
      'has failed by succeeding without a word',
      { status: { run }, job: job('Complete', { isSilent: true }) },
      { type: 'RecordFailure', run, reason: 'JobFailed', message: silence },
    ],
    [
      'has failed, and says why',
      {
        status: { run },
        job: job('Failed', {
          reason: 'PodFailurePolicy',
          result: { failed: { reason: 'AccessDenied', message: '403' } },
        }),
      },
      { type: 'RecordFailure', run, reason: 'AccessDenied', message: '403' },
    ],
    [
      'has failed without a word',
      { status: { run }, job: job('Failed', { reason: 'BackoffLimitExceeded', message: 'limit' }) },
      { type: 'RecordFailure', run, reason: 'JobFailed', message: 'limit' },
    ],
    [
      'took too long, whatever it had said before',
      {
        status: { run },
        job: job('Failed', {
          reason: 'DeadlineExceeded',
          message: 'late',
          result: { failed: { reason: 'AccessDenied', message: '403' } },
        }),
      },
      { type: 'RecordFailure', run, reason: 'DeadlineExceeded', message: 'late' },
    ],
    ['is over', { status: { phase: 'Succeeded' } }, { type: 'Done' }],
    ['is over after a failure', { status: { phase: 'Failed' }, paused: true }, { type: 'Done' }],
  ])('%s', (_, observed, step) => {
    expect(nextStep({ ...base, ...observed })).toEqual(step);
  });
});

describe('the next step of a schedule', () => {
  const stepAt = async (status: ObservedBackup['status'], time = now): Promise<BackupStep> =>
    nextStep({ ...base, schedule: await hourly(), status, now: time });
  const hour = 3_600_000;

  test('begins with the first time, and waits for the next', async () => {
    expect(await stepAt({})).toEqual({ type: 'BeginRun', scheduledFor: now - 10_000, missed: 0 });
    const lastScheduleTime = run.scheduledFor;
    expect(await stepAt({ lastScheduleTime })).toEqual({ type: 'WaitUntil', time: now - 10_000 + hour });
    expect(await stepAt({ lastScheduleTime, phase: 'Scheduled' }, now + hour)).toMatchObject({
      type: 'BeginRun',
      missed: 0,
    });
  });

  test('makes the newest backup after two were missed', async () => {
    const step = await stepAt({ lastScheduleTime: run.scheduledFor }, now + 3 * hour);
    expect(step).toEqual({ type: 'BeginRun', scheduledFor: now - 10_000 + 3 * hour, missed: 2 });
  });

  test('ends a run before the next begins', async () => {
    const observed = { ...base, schedule: await hourly(), now: now + 5 * hour };
    expect(nextStep({ ...observed, status: { run, lastScheduleTime: run.scheduledFor } })).toEqual({
      type: 'CreateJob',
      run,
    });
  });

  test('does not wait for a clock that was ahead', async () => {
    expect(await stepAt({ lastScheduleTime: '2030-01-01T00:00:00Z' })).toEqual({ type: 'ResetClock' });
    expect(await stepAt({ lastScheduleTime: '2026-01-31T03:00:20Z' })).toMatchObject({ type: 'WaitUntil' });
  });
});
