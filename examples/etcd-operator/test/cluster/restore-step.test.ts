// Decisions about a cluster that starts again from a backup.
import { describe, expect, test } from 'vitest';
import { nextStep } from '../../src/cluster/next-step.ts';
import type { RestoreSource } from '../../src/etcd/restore-source.ts';
import { instance, observed } from './observed-fixture.ts';

const restore: RestoreSource = {
  restore: { name: 'restore', uid: 'restore-uid' },
  initContainers: () => [],
  volumes: [],
};
describe('with a restore', () => {
  test('gives up what is there, waits until it is gone, and starts the first member once', () => {
    const token = 'restore-uid';
    expect(nextStep(observed({ restore }))).toEqual({
      type: 'Delete',
      reason: 'DiscardingMembers',
      members: ['a', 'b', 'c'],
      withData: true,
    });
    const going = [instance('a', { answer: 'none', deletedFor: 1 })];
    expect(nextStep(observed({ restore, instances: going, members: undefined }))).toMatchObject({
      reason: 'WaitingForDeletion',
    });
    expect(nextStep(observed({ restore, instances: [], members: undefined }))).toMatchObject({
      type: 'Start',
      reason: 'RestoringSeed',
      member: { state: 'new', token, restore },
    });
    const seed = [instance('d', { answer: 'none', token, unreadyFor: 9999 })];
    expect(nextStep(observed({ restore, instances: seed, members: undefined })).type).toBe('Wait');
  });
});

describe('with a restore, a first member that has lost its Pod', () => {
  const lost = (token: string) => [instance('d', { answer: 'absent', claim: true, token })];
  test('begins with the backup again, as its data may not have been in place', () => {
    const step = nextStep(observed({ restore, instances: lost('restore-uid'), members: undefined }));
    expect(step).toMatchObject({
      type: 'Start',
      reason: 'StartingMember',
      member: { name: 'd', state: 'new', token: 'restore-uid', restore },
    });
  });

  test('goes on with its data once the restore is over', () => {
    const step = nextStep(observed({ instances: lost('restore-uid'), members: undefined }));
    expect(step).toMatchObject({ type: 'Start', member: { name: 'd', state: 'existing' } });
    expect(step).not.toMatchObject({ member: { restore } });
  });
});
