import { describe, expect, test } from 'vitest';
import { silence, type ObservedJob } from '../../src/backup/backup-step.ts';
import { nextStep, type ObservedRestore, type RestoreStep } from '../../src/backup/restore-step.ts';

const checked = { path: 'b/etcd', sizeBytes: 1, sha256: 'a'.repeat(64) };
const job = (state: ObservedJob['state'], more: Partial<ObservedJob> = {}): ObservedJob => ({
  state,
  reason: '',
  message: '',
  result: undefined,
  ...more,
});
const base: ObservedRestore = {
  status: {},
  clusterExists: true,
  before: undefined,
  missing: undefined,
  job: undefined,
  seed: undefined,
};
const checking = { phase: 'Checking' } as const;
const restoring = { phase: 'Restoring' } as const;
const failed = { failed: { reason: 'ChecksumMismatch', message: 'other bytes' } } as const;

describe('the next step of a restore', () => {
  test.each<[string, Partial<ObservedRestore>, RestoreStep]>([
    [
      'waits for another one',
      { before: 'first' },
      { type: 'Wait', reason: 'AnotherRestore', message: 'EtcdRestore first has not ended' },
    ],
    [
      'waits for the cluster',
      { clusterExists: false },
      { type: 'Wait', reason: 'EtcdClusterNotFound', message: 'the EtcdCluster does not exist' },
    ],
    [
      'waits for the Secret',
      { missing: { kind: 'Secret', name: 'aws' } },
      { type: 'Wait', reason: 'SecretNotFound', message: 'Secret aws does not exist' },
    ],
    ['begins with a check', {}, { type: 'BeginCheck' }],
    ['creates the Job of the check', { status: checking }, { type: 'CreateJob' }],
    ['waits for the Job', { status: checking, job: job('Active') }, { type: 'WaitForJob' }],
    [
      'checks again if the outcome is lost',
      { status: checking, job: job('Complete') },
      { type: 'RepeatJob' },
    ],
    [
      'fails when the check says nothing',
      { status: checking, job: job('Complete', { isSilent: true }) },
      { type: 'RecordFailure', reason: 'JobFailed', message: silence },
    ],
    [
      'goes on when the backup is good',
      { status: checking, job: job('Complete', { result: { fetched: checked } }) },
      { type: 'BeginRestore', checked },
    ],
    [
      'fails when the backup is not',
      { status: checking, job: job('Failed', { result: failed }) },
      { type: 'RecordFailure', reason: 'ChecksumMismatch', message: 'other bytes' },
    ],
    [
      'fails when the check takes too long',
      { status: checking, job: job('Failed', { reason: 'DeadlineExceeded', message: 'late' }) },
      { type: 'RecordFailure', reason: 'DeadlineExceeded', message: 'late' },
    ],
    [
      'waits for the first member',
      { status: restoring, before: 'other', clusterExists: false },
      { type: 'WaitForSeed' },
    ],
    [
      'waits while it starts',
      { status: restoring, seed: { state: 'Starting', result: undefined, message: '' } },
      { type: 'WaitForSeed' },
    ],
    [
      'has succeeded when it is ready',
      { status: restoring, seed: { state: 'Ready', result: undefined, message: '' } },
      { type: 'RecordSuccess' },
    ],
    [
      'has failed when the backup could not be fetched',
      { status: restoring, seed: { state: 'Failed', result: failed, message: '' } },
      { type: 'RecordFailure', reason: 'ChecksumMismatch', message: 'other bytes' },
    ],
    [
      'has failed when etcd did not start',
      { status: restoring, seed: { state: 'Failed', result: { fetched: checked }, message: 'exit code 1' } },
      { type: 'RecordFailure', reason: 'SeedFailed', message: 'exit code 1' },
    ],
    ['is over', { status: { phase: 'Succeeded' } }, { type: 'Done' }],
    ['is over after a failure', { status: { phase: 'Failed' } }, { type: 'Done' }],
  ])('%s', (_, observed, step) => {
    expect(nextStep({ ...base, ...observed })).toEqual(step);
  });
});
