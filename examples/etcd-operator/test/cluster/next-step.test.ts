// Every branch of the decision, without Kubernetes and without etcd.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextStep } from '../../src/cluster/next-step.ts';
import { quorumOf } from '../../src/cluster/observed.ts';
import { instance, member, observed, urlOf, type InstanceOptions } from './observed-fixture.ts';

/** A cluster of three, the last of which is different. */
const withLast = (options: InstanceOptions) => [instance('a'), instance('b'), instance('c', options)];
const storage = { size: '1Gi' };

describe('without a quorum', () => {
  test('a cluster that never was begins with one member and the UID of its object', () => {
    const step = nextStep(observed({ instances: [], members: undefined, hasFormed: false }));
    expect(step).toMatchObject({
      type: 'Start',
      reason: 'StartingSeed',
      member: { state: 'new', token: 'c0ffee00-0000-4000-8000-000000000000', version: '3.6.8' },
    });
  });

  test('a cluster that was does not begin again', () => {
    const step = nextStep(observed({ instances: [], members: undefined, status: { size: 3 } }));
    expect(step).toEqual({
      type: 'Wait',
      reason: 'QuorumLost',
      message: '3 of 3 members are lost with their data',
    });
  });

  test('a first member is waited for, and replaced if it does not start', () => {
    const options = { members: undefined, hasFormed: false };
    const seed = (unreadyFor: number) => [instance('a', { answer: 'none', unreadyFor })];
    expect(nextStep(observed({ ...options, instances: seed(299) }))).toMatchObject({
      reason: 'WaitingForSeed',
    });
    expect(nextStep(observed({ ...options, instances: seed(301) }))).toEqual({
      type: 'Delete',
      reason: 'ReplacingSeed',
      members: ['a'],
      withData: true,
    });
  });

  test('a first member without its Pod is started again as the first', () => {
    const instances = [instance('a', { answer: 'absent', claim: true })];
    const step = nextStep(observed({ instances, members: undefined, hasFormed: false }));
    expect(step).toMatchObject({ reason: 'StartingSeed', member: { name: 'a', state: 'new' } });
  });

  test('members whose claims are there are started one after the other', () => {
    const instances = ['a', 'b', 'c'].map((name) => instance(name, { answer: 'absent', claim: true }));
    expect(nextStep(observed({ instances, members: undefined }))).toMatchObject({
      reason: 'StartingMember',
      member: {
        name: 'a',
        state: 'existing',
        initialCluster: { a: urlOf('a'), b: urlOf('b'), c: urlOf('c') },
      },
    });
  });

  test.each<{ readonly title: string; readonly lost: InstanceOptions; readonly reason: string }>([
    { title: 'do not answer', lost: { answer: 'none', unreadyFor: 9999 }, reason: 'WaitingForQuorum' },
    { title: 'are being deleted', lost: { answer: 'none', deletedFor: 10 }, reason: 'QuorumLost' },
    { title: 'are on lost nodes', lost: { answer: 'none', deletedFor: 61 }, reason: 'QuorumLost' },
    {
      title: 'are on lost nodes, with claims',
      lost: { answer: 'none', deletedFor: 61, claim: true },
      reason: 'WaitingForQuorum',
    },
    {
      title: 'lose their claims',
      lost: { answer: 'none', deletedFor: 1, claim: 'deleting' },
      reason: 'QuorumLost',
    },
  ])('two of three that $title: $reason', ({ lost, reason }) => {
    const instances = [instance('a', { answer: 'sick' }), instance('b', lost), instance('c', lost)];
    expect(nextStep(observed({ instances }))).toMatchObject({ type: 'Wait', reason });
  });

  test.each([
    { recovery: 'forbidden', step: { type: 'Wait', reason: 'QuorumLost' } },
    { recovery: 'allowed', step: { type: 'Recover', reason: 'StartingRecovery' } },
    { recovery: 'running', step: { type: 'Wait', reason: 'WaitingForRecovery' } },
    { recovery: 'failed', step: { type: 'Wait', reason: 'RecoveryFailed' } },
  ] as const)('a recovery that is $recovery', ({ recovery, step }) => {
    const instances = [instance('a', { answer: 'sick' })];
    const members = ['a', 'b', 'c'].map((name) => member(name));
    expect(nextStep(observed({ instances, members, recovery }))).toMatchObject(step);
  });
});

describe('a quorum', () => {
  test('is one of members, whatever else answers', () => {
    const members = ['a', 'b', 'c'].map((name) => member(name));
    const instances = [
      instance('a'),
      instance('b', { answer: 'none' }),
      instance('c', { answer: 'none' }),
      instance('stranger'),
    ];
    expect(nextStep(observed({ instances, members }))).toMatchObject({ reason: 'WaitingForQuorum' });
  });

  test('has no member whose list may be behind', () => {
    const members = ['a', 'b'].map((name) => member(name));
    const instances = ['a', 'b', 'c'].map((name) => instance(name));
    expect(nextStep(observed({ instances, members }))).toMatchObject({ reason: 'RemovingStranger' });
    expect(nextStep(observed({ instances, members, isLocalList: true }))).toMatchObject({ type: 'Wait' });
  });
});

describe('with a quorum', () => {
  test('nothing is done for a cluster that is as it should be', () => {
    expect(nextStep(observed())).toEqual({ type: 'Wait', reason: 'Ready', message: undefined });
  });

  test.each<{ readonly title: string; readonly last: InstanceOptions; readonly step: object }>([
    {
      title: 'has ended',
      last: { answer: 'none', phase: 'Failed' },
      step: { type: 'Delete', reason: 'RemovingDeadPod', members: ['c'], withData: false },
    },
    {
      title: 'does not answer',
      last: { answer: 'none', unreadyFor: 200 },
      step: { reason: 'WaitingForMember' },
    },
    {
      title: 'is ready for the kubelet, but does not answer',
      last: { answer: 'none' },
      step: { reason: 'WaitingForMember' },
    },
    {
      title: 'does not become ready',
      last: { answer: 'none', unreadyFor: 301 },
      step: { type: 'Remove', reason: 'ReplacingMember', instance: 'c' },
    },
    {
      title: 'is being deleted',
      last: { answer: 'none', deletedFor: 5, claim: true },
      step: { reason: 'WaitingForDeletion' },
    },
    {
      title: 'is on a lost node',
      last: { answer: 'none', deletedFor: 61, claim: true },
      step: { type: 'Remove', reason: 'ReplacingMember', instance: 'c' },
    },
    {
      title: 'has only its claim',
      last: { answer: 'absent', claim: true },
      step: { type: 'Start', reason: 'StartingMember', member: { name: 'c', state: 'existing' } },
    },
    {
      title: 'loses its claim',
      last: { answer: 'absent', claim: 'deleting' },
      step: { type: 'Remove', reason: 'RemovingLostMember', instance: 'c' },
    },
    {
      title: 'votes and gets no clients yet',
      last: { isVoting: false },
      step: { type: 'Publish', members: ['c'] },
    },
    {
      title: 'has no owner',
      last: { isOrphan: true },
      step: { type: 'Adopt', members: ['c'] },
    },
  ])('a member that $title', ({ last, step }) => {
    expect(nextStep(observed({ instances: withLast(last) }))).toMatchObject(step);
  });

  test('a member without Pod and claim is removed', () => {
    const members = ['a', 'b', 'c'].map((name) => member(name));
    expect(nextStep(observed({ instances: [instance('a'), instance('b')], members }))).toMatchObject({
      type: 'Remove',
      reason: 'RemovingLostMember',
      member: { name: 'c' },
    });
  });

  test('Pods and claims of no member are deleted', () => {
    const members = ['a', 'b', 'c'].map((name) => member(name));
    const instances = [...withLast({}), instance('d', { answer: 'none' })];
    expect(nextStep(observed({ instances, members }))).toMatchObject({
      type: 'Delete',
      reason: 'RemovingStranger',
      members: ['d'],
    });
  });
});

describe('a member that was added', () => {
  const added = 'example-bbbbb';
  const members = [member('a'), member('b'), { ID: '9', peerURLs: [urlOf(added)], isLearner: true }];
  const two = [instance('a'), instance('b')];

  test('gets the Pod for which the operator had no time', () => {
    expect(nextStep(observed({ instances: two, members }))).toMatchObject({
      type: 'Start',
      member: { name: added, state: 'existing', initialCluster: { a: urlOf('a'), [added]: urlOf(added) } },
    });
  });

  test('gets it also where URLs have addresses', () => {
    const urlByAddress = (name: string): string => `http://127.64.0.${name.length}:2380`;
    const next = 'example-bcdfg';
    const byAddress = [...members.slice(0, 2), { ID: '9', peerURLs: [urlByAddress(next)], isLearner: true }];
    const seen = { ...observed({ instances: two, members: byAddress }), urlOf: urlByAddress };
    expect(nextStep(seen)).toMatchObject({
      type: 'Start',
      member: { name: next, initialCluster: { [next]: urlByAddress(next) } },
    });
    expect(nextStep({ ...seen, newMember: 'example-longer' })).toMatchObject({ type: 'Remove' });
  });

  test('is removed if it is not of the cluster', () => {
    const foreign = [...members.slice(0, 2), { ID: '9', peerURLs: ['http://late:2380'], isLearner: true }];
    expect(nextStep(observed({ instances: two, members: foreign }))).toMatchObject({
      type: 'Remove',
      reason: 'RemovingLostMember',
    });
  });

  test.each<{ readonly title: string; readonly options: InstanceOptions; readonly step: object }>([
    { title: 'is starting', options: { answer: 'none' }, step: { reason: 'WaitingForMember' } },
    {
      title: 'never starts',
      options: { answer: 'none', unreadyFor: 301 },
      step: { type: 'Remove', reason: 'ReplacingMember', instance: added },
    },
    {
      title: 'has a claim and no Pod',
      options: { answer: 'absent', claim: true },
      step: { type: 'Start', member: { name: added } },
    },
  ])('that $title', ({ options, step }) => {
    expect(nextStep(observed({ instances: [...two, instance(added, options)], members }))).toMatchObject(
      step,
    );
  });

  test('is promoted once it answers', () => {
    const learner = [member('a'), member('b'), member(added, { isLearner: true })];
    const instances = [...two, instance(added, { isLearner: true, isVoting: false })];
    expect(nextStep(observed({ instances, members: learner }))).toMatchObject({
      type: 'Promote',
      member: { name: added },
    });
  });
});

describe('towards the spec', () => {
  test('members are added and removed until the size is reached', () => {
    expect(nextStep(observed({ spec: { size: 5 } }))).toMatchObject({ type: 'Add', version: '3.6.8' });
    // The leader is a.
    expect(nextStep(observed({ spec: { size: 1 } }))).toMatchObject({
      type: 'Remove',
      reason: 'RemovingMember',
      instance: 'b',
    });
  });

  test('the youngest follower is removed first', () => {
    const instances = [instance('a'), instance('b'), instance('c', { createdAt: '2026-01-01T11:30:00Z' })];
    expect(nextStep(observed({ instances, spec: { size: 1 } }))).toMatchObject({ instance: 'c' });
  });

  test('Pods are upgraded one at a time, the leader last', () => {
    const upgrade = (...versions: readonly InstanceOptions[]) =>
      nextStep(
        observed({
          spec: { version: '3.6.8' },
          instances: ['a', 'b', 'c'].map((name, index) => instance(name, versions[index])),
        }),
      );
    const old = { version: '3.5.21' };
    expect(upgrade(old, old, old)).toMatchObject({ type: 'Upgrade', member: 'b' });
    // Its image has changed, and the former process still answers.
    expect(upgrade(old, { version: '3.6.8', runs: '3.5.21' }, old)).toMatchObject({
      reason: 'WaitingForRestart',
      message: 'b runs 3.5.21, and its image is 3.6.8',
    });
    expect(upgrade(old, { version: '3.6.8', answer: 'none' }, old)).toMatchObject({
      reason: 'WaitingForMember',
    });
    expect(upgrade(old, {}, old)).toMatchObject({ type: 'Upgrade', member: 'c' });
    expect(upgrade(old, {}, {})).toMatchObject({ type: 'Upgrade', member: 'a' });
    expect(upgrade({}, {}, {})).toMatchObject({ reason: 'Ready' });
  });

  test.each([
    { from: '3.4.23', to: '3.6.8', message: /skips minor versions: set the version to a 3\.5 first/ },
    { from: '3.6.8', to: '3.5.21', message: /a downgrade from 3\.6\.8 to 3\.5\.21 is not supported/ },
    { from: '3.6.8', to: '3.6.7', message: /a downgrade/ },
    { from: '3.5.19', to: '3.6.8', message: /set the version to 3\.5\.20 or a later 3\.5 first/ },
  ])('an upgrade from $from to $to is refused', ({ from, to, message }) => {
    const instances = ['a', 'b', 'c'].map((name) => instance(name, { version: from }));
    expect(nextStep(observed({ instances, spec: { version: to } }))).toMatchObject({
      reason: 'UpgradeRefused',
      message: expect.stringMatching(message) as string,
    });
  });

  test('a member that is upgraded already does not go back', () => {
    const instances = [
      instance('a', { version: '3.5.21' }),
      instance('b'),
      instance('c', { version: '3.5.21' }),
    ];
    expect(nextStep(observed({ instances, spec: { version: '3.5.21' } }))).toMatchObject({
      reason: 'UpgradeRefused',
    });
  });

  test('members join with the version of the others', () => {
    const instances = [instance('a', { version: '3.5.21' }), instance('b'), instance('c')];
    const [lost] = [observed({ instances: instances.slice(0, 2), spec: { version: '3.5.21' } })];
    expect(nextStep(lost)).toMatchObject({ type: 'Add', version: '3.5.21' });
  });

  test('members with storage are restarted for a change of their Pod, those without replaced', () => {
    const instances = ['a', 'b', 'c'].map((name) => instance(name, { hash: 'old', claim: true }));
    expect(nextStep(observed({ instances, spec: { storage } }))).toEqual({
      type: 'Restart',
      reason: 'RestartingMember',
      member: 'b',
    });
    const bare = ['a', 'b', 'c'].map((name) => instance(name, { hash: 'old' }));
    expect(nextStep(observed({ instances: bare }))).toMatchObject({ type: 'Add' });
    expect(nextStep(observed({ instances: [...bare, instance('d')] }))).toMatchObject({
      type: 'Remove',
      instance: 'b',
    });
  });
});

test('no step ends a healthy member of a cluster that would lose its quorum by it', () => {
  const options = fc.record({
    answer: fc.constantFrom('healthy', 'sick', 'none', 'absent'),
    claim: fc.constantFrom(true, false, 'deleting'),
    hash: fc.constantFrom('hash', 'old'),
    version: fc.constantFrom('3.5.21', '3.6.8'),
    unreadyFor: fc.constantFrom(undefined, 10, 400),
    deletedFor: fc.constantFrom(undefined, 10, 100),
  }) as fc.Arbitrary<InstanceOptions>;
  const property = fc.property(
    fc.array(options, { minLength: 1, maxLength: 7 }),
    fc.integer({ min: 1, max: 7 }),
    fc.boolean(),
    (each, size, hasStorage) => {
      // A Pod that is being deleted is not asked.
      const instances = each.map((one, index) =>
        instance(
          `m${index}`,
          one.deletedFor === undefined || one.answer === 'absent' ? one : { ...one, answer: 'none' },
        ),
      );
      const state = observed({
        instances: instances.filter(({ pod, claim }) => pod !== undefined || claim !== undefined),
        members: instances.map(({ name }) => member(name)),
        spec: { size, ...(hasStorage ? { storage } : {}) },
      });
      const step = nextStep(state);
      const healthy = instances.filter(({ report }) => report?.isHealthy === true).map(({ name }) => name);
      const touched =
        step.type === 'Delete' || step.type === 'Adopt'
          ? step.members
          : step.type === 'Remove'
            ? [step.member.name ?? '']
            : step.type === 'Restart' || step.type === 'Upgrade'
              ? [step.member]
              : [];
      if (step.type === 'Adopt' || step.type === 'Publish') return;
      const left = healthy.filter((name) => !touched.includes(name)).length;
      // Whoever is removed votes no longer.
      const voters = instances.length - (step.type === 'Remove' ? 1 : 0);
      const takesHealthy = touched.some((name) => healthy.includes(name));
      // One or two members cannot be restarted without a moment of silence.
      const isBrief = step.type === 'Restart' || step.type === 'Upgrade';
      if (takesHealthy && !(isBrief && voters <= 2)) expect(left).toBeGreaterThanOrEqual(quorumOf(voters));
    },
  );
  fc.assert(property, { numRuns: 500 });
});
