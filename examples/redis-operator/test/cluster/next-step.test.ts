import { describe, expect, test } from 'vitest';
import { nextStep } from '../../src/cluster/next-step.ts';
import type { Member, Observed } from '../../src/cluster/observed.ts';
import type { ClusterNode } from '../../src/redis/cluster-node.ts';
import { idleLoad } from '../fixtures/node-load.ts';

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
const shares = [range(0, 5461), range(5462, 10_922), range(10_923, 16_383)] as const;

interface MemberChange extends Partial<Omit<Member, 'self'>> {
  readonly self?: Partial<ClusterNode>;
  /** Nodes that it knows beside the members. */
  readonly others?: readonly ClusterNode[];
}

function clusterNode(id: string, change: Partial<ClusterNode> = {}): ClusterNode {
  return {
    id,
    ip: `ip-${id}`,
    flags: [],
    master: undefined,
    isLinked: true,
    slots: [],
    moving: [],
    ...change,
  };
}

/** Returns a healthy cluster of three shards with two nodes each, with changes of its members by their Pods. */
function observe(
  changes: Readonly<Record<string, MemberChange>> = {},
  rest: Partial<Observed> = {},
): Observed {
  const names = [0, 1, 2].flatMap((shard) => [`c-${shard}-0`, `c-${shard}-1`]);
  const nodes = names.map((name) => {
    const [, shard = '', index = ''] = name.split('-');
    const isMaster = index === '0';
    return clusterNode(name, {
      master: isMaster ? undefined : `c-${shard}-0`,
      slots: isMaster ? (shares[Number(shard)] ?? []) : [],
      ...changes[name]?.self,
    });
  });
  const members = names.map((name, index): Member => {
    const { self: _, others = [], ...change } = changes[name] ?? {};
    const self = nodes[index] ?? clusterNode(name);
    const [, shard = '', at = ''] = name.split('-');
    return {
      name,
      shard: `c-${shard}`,
      ip: self.ip,
      nodeName: `node-${(Number(shard) + Number(at)) % 3}`,
      isReady: true,
      isOutdated: false,
      isServing: true,
      replication: { isInSync: true, offset: 100 },
      load: idleLoad,
      self,
      known: [...nodes, ...others],
      ...change,
    };
  });
  const absent = new Set(names.filter((name) => changes[name]?.isReady === false));
  return {
    wanted: ['c-0', 'c-1', 'c-2'],
    shards: ['c-0', 'c-1', 'c-2'].map((name) => ({ name, size: 2 })),
    pods: members,
    members: members.filter(({ name }) => !absent.has(name)),
    unreachable: [],
    hasClaims: false,
    ...rest,
  };
}

const failed = { flags: ['master', 'fail'] };
const suspected = { flags: ['master', 'fail?'] };

describe('nextStep', () => {
  test('has nothing to do for a cluster in order', () => {
    expect(nextStep(observe())).toEqual({ type: 'Done' });
  });

  // Otherwise a cluster would be in order for a moment after each change of its configuration, before the first Pod is replaced.
  test('waits for StatefulSets that have not taken their template yet, when nothing else is to be done', () => {
    expect(nextStep(observe(), ['c-1'])).toEqual({
      type: 'WaitForPods',
      message: 'StatefulSets have not taken their templates yet: c-1',
    });
    const outdated = observe({ 'c-0-1': { isOutdated: true } });
    expect(nextStep(outdated, ['c-1'])).toEqual({ type: 'ReplacePod', pod: 'c-0-1' });
  });

  test.each([
    { state: 'a failed master', self: failed, away: ['c-1-0'], type: 'WaitForPods' },
    { state: 'a majority that is failed', self: failed, away: ['c-0-0', 'c-1-0'], type: 'TakeOver' },
    { state: 'a majority that is suspected', self: suspected, away: ['c-0-0', 'c-1-0'], type: 'TakeOver' },
    { state: 'a majority that answers others', self: {}, away: ['c-0-0', 'c-1-0'], type: 'WaitForPods' },
    { state: 'a master without an address', self: { flags: ['noaddr'] }, away: ['c-1-0'], type: 'TakeOver' },
  ])('with $state: $type', ({ self, away, type }) => {
    const changes = Object.fromEntries(away.map((name) => [name, { self, isReady: false }]));
    expect(nextStep(observe(changes))).toMatchObject({ type });
  });

  test('takes over nothing while a node does not answer: it may be there', () => {
    const gone = { self: failed, isReady: false };
    const observed = observe(
      { 'c-0-0': gone, 'c-1-0': gone },
      { unreachable: [{ pod: 'c-0-0', error: 'timeout' }] },
    );
    expect(nextStep(observed).type).toBe('WaitForPods');
  });

  test('promotes the replica that has most of the data', () => {
    const observed = observe({
      'c-1-0': { self: { flags: ['noaddr'] }, isReady: false },
      'c-2-1': { self: { master: 'c-1-0' }, replication: { isInSync: false, offset: 120 } },
    });
    expect(nextStep(observed)).toMatchObject({ type: 'TakeOver', replica: { name: 'c-2-1' } });
  });

  test('waits for nodes that do not answer, and names them', () => {
    const unreachable = [{ pod: 'c-0-1', error: 'connect ECONNREFUSED' }];
    expect(nextStep(observe({}, { unreachable }))).toEqual({
      type: 'WaitForNodes',
      message: 'c-0-1: connect ECONNREFUSED',
    });
  });

  test('meets a node that is known at another address', () => {
    const observed = observe();
    const members = observed.members.map((member) =>
      member.name === 'c-2-1' ? { ...member, ip: 'new', self: { ...member.self, ip: 'new' } } : member,
    );
    expect(nextStep({ ...observed, members })).toMatchObject({
      type: 'MeetNodes',
      seed: { name: 'c-0-0' },
      strangers: [{ name: 'c-2-1' }],
    });
  });

  test('forgets a node that no Pod runs', () => {
    const others = [clusterNode('old', { flags: ['slave', 'fail'] })];
    expect(nextStep(observe({ 'c-0-0': { others } }))).toMatchObject({
      type: 'ForgetNodes',
      ids: ['old'],
      slots: 0,
    });
  });

  test('waits for the election while a replica has the slots of a lost master', () => {
    const others = [clusterNode('old', { ...failed, slots: shares[1] })];
    const observed = observe({
      'c-0-0': { others },
      'c-1-0': { self: { slots: [] } },
      'c-1-1': { self: { master: 'old' } },
    });
    expect(nextStep(observed).type).toBe('WaitForFailover');
  });

  test('never lets the last copy of keys follow an empty master', () => {
    const others = [clusterNode('old', { flags: ['noaddr'], slots: shares[1] })];
    const observed = observe({
      'c-0-0': { others },
      'c-1-0': { self: { slots: [] } },
      'c-1-1': { self: { master: 'old' } },
    });
    expect(nextStep(observed)).toMatchObject({ type: 'TakeOver', replica: { name: 'c-1-1' } });
  });

  test('waits until all nodes know each other', () => {
    const observed = observe();
    const members = observed.members.map((member) =>
      member.name === 'c-2-1'
        ? { ...member, known: member.known.filter(({ id }) => id !== 'c-1-1') }
        : member,
    );
    expect(nextStep({ ...observed, members })).toEqual({
      type: 'WaitForGossip',
      message: 'Nodes do not know all others yet: c-2-1',
    });
  });

  test('puts a replica right that follows the master of another shard', () => {
    expect(nextStep(observe({ 'c-2-1': { self: { master: 'c-0-0' } } }))).toMatchObject({
      type: 'FollowMasters',
      followers: [{ replica: { name: 'c-2-1' }, master: { name: 'c-2-0' } }],
    });
  });

  test('resets a node of a shard whose nodes all follow other shards', () => {
    const slots = [...shares[0], ...shares[2]];
    const observed = observe({
      'c-0-0': { self: { slots } },
      'c-2-0': { self: { master: 'c-0-0', slots: [] } },
      'c-2-1': { self: { master: 'c-0-0' } },
    });
    expect(nextStep(observed)).toMatchObject({ type: 'ResetNodes', members: [{ name: 'c-2-0' }] });
  });

  test('gives slots that nobody has to the masters that have too few', () => {
    const observed = observe({ 'c-1-0': { self: { slots: [] } } });
    const step = nextStep(observed);
    expect(step).toMatchObject({ type: 'AssignSlots', shares: [{ member: { name: 'c-1-0' } }] });
  });

  test('ends moves that were begun before it begins others', () => {
    const moving = [{ slot: 5461, direction: 'migrating', peer: 'c-1-0' }] as const;
    expect(nextStep(observe({ 'c-0-0': { self: { moving } } }))).toMatchObject({
      type: 'MoveSlots',
      moves: [{ slot: 5461, from: { name: 'c-0-0' }, to: { name: 'c-1-0' } }],
    });
  });

  test('ends a move whose target has lost its role to a replica there', () => {
    const moving = [{ slot: 0, direction: 'migrating', peer: 'c-1-0' }] as const;
    const observed = observe({
      'c-0-0': { self: { moving } },
      'c-1-0': { self: { slots: [], master: 'c-1-1' } },
      'c-1-1': { self: { slots: shares[1], master: undefined } },
    });
    expect(nextStep(observed)).toMatchObject({
      type: 'MoveSlots',
      moves: [{ slot: 0, to: { name: 'c-1-1' } }],
    });
  });

  test('clears the mark of a move whose other node has gone', () => {
    const moving = [{ slot: 5461, direction: 'migrating', peer: 'gone' }] as const;
    expect(nextStep(observe({ 'c-0-0': { self: { moving } } }))).toMatchObject({
      type: 'ClearMarks',
      marks: [{ slot: 5461, member: { name: 'c-0-0' } }],
    });
  });

  test('waits until all nodes see all slots', () => {
    expect(nextStep(observe({ 'c-1-1': { isServing: false } })).type).toBe('WaitForState');
  });

  test('empties a shard before it removes it', () => {
    const wanted = ['c-0', 'c-1'];
    const step = nextStep(observe({}, { wanted }));
    expect(step).toMatchObject({ type: 'MoveSlots' });
    expect(step.type === 'MoveSlots' && step.moves.every(({ from }) => from.name === 'c-2-0')).toBe(true);
    const empty = observe(
      {
        'c-0-0': { self: { slots: range(0, 8191) } },
        'c-1-0': { self: { slots: range(8192, 16_383) } },
        'c-2-0': { self: { slots: [] } },
      },
      { wanted },
    );
    expect(nextStep(empty)).toEqual({ type: 'RemoveShards', shards: ['c-2'] });
  });

  test('goes on with the removal of a shard that the others have forgotten already', () => {
    const observed = observe(
      {
        'c-0-0': { self: { slots: range(0, 8191) } },
        'c-1-0': { self: { slots: range(8192, 16_383) } },
        'c-2-0': { self: { slots: [] }, isServing: false },
      },
      { wanted: ['c-0', 'c-1'] },
    );
    const members = observed.members.map((member) =>
      member.shard === 'c-2'
        ? member
        : { ...member, known: member.known.filter(({ id }) => !id.startsWith('c-2')) },
    );
    expect(nextStep({ ...observed, members })).toEqual({ type: 'RemoveShards', shards: ['c-2'] });
  });

  test('waits for replicas before it replaces a Pod', () => {
    const behind = { replication: { isInSync: false, offset: 0 } };
    const observed = observe({ 'c-0-1': { isOutdated: true }, 'c-1-1': behind });
    expect(nextStep(observed)).toMatchObject({ type: 'WaitForReplicas' });
  });

  test.each([
    { outdated: ['c-0-0', 'c-0-1'], step: { type: 'ReplacePod', pod: 'c-0-1' } },
    { outdated: ['c-0-0', 'c-2-1'], step: { type: 'ReplacePod', pod: 'c-2-1' } },
    { outdated: ['c-0-0'], step: { type: 'FailOver', replica: { name: 'c-0-1' }, reason: 'Update' } },
  ])('replaces masters last: $outdated', ({ outdated, step }) => {
    const changes = Object.fromEntries(outdated.map((name) => [name, { isOutdated: true }]));
    expect(nextStep(observe(changes))).toMatchObject(step);
  });

  test.each([
    { hasClaims: true, type: 'ReplacePod' },
    { hasClaims: false, type: 'UpdateBlocked' },
  ])('of a master without replicas, with claims $hasClaims: $type', ({ hasClaims, type }) => {
    const observed = observe({ 'c-0-0': { isOutdated: true } }, { hasClaims });
    const members = observed.members.filter(({ self }) => self.master === undefined);
    const known = members.map(({ self }) => self);
    const alone = {
      ...observed,
      shards: observed.shards.map((shard) => ({ ...shard, size: 1 })),
      members: members.map((member) => ({ ...member, known })),
    };
    expect(nextStep(alone)).toMatchObject({ type });
  });

  test('brings masters to nodes of Kubernetes that have fewer', () => {
    const observed = observe({
      'c-0-0': { nodeName: 'node-0' },
      'c-1-0': { nodeName: 'node-0' },
      'c-1-1': { nodeName: 'node-2' },
    });
    expect(nextStep(observed)).toMatchObject({
      type: 'FailOver',
      replica: { name: 'c-0-1' },
      reason: 'Spread',
    });
  });
});
