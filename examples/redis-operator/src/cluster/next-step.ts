import { isReplaced } from '../redis/cluster-node.ts';
import { bySeniority, hasSlots, masterOf, type Member, type Observed } from './observed.ts';
import { planFailOver, planRestart } from './restarts.ts';
import { freeSlots, openMoves, planMoves, shareSlots, type SlotMove, type SlotShare } from './slots.ts';

/** One step towards the cluster of the spec. `Wait…` steps change nothing. */
export type Step =
  | { readonly type: 'Done' }
  | { readonly type: WaitStep; readonly message: string }
  | { readonly type: 'TakeOver'; readonly replica: Member; readonly lost: string }
  | { readonly type: 'MeetNodes'; readonly seed: Member; readonly strangers: readonly Member[] }
  | {
      readonly type: 'ForgetNodes';
      readonly ids: readonly string[];
      readonly by: readonly Member[];
      /** Number of their slots, whose keys are lost. */
      readonly slots: number;
    }
  | { readonly type: 'ResetNodes'; readonly members: readonly Member[] }
  | { readonly type: 'FollowMasters'; readonly followers: readonly Following[] }
  | { readonly type: 'AssignSlots'; readonly shares: readonly SlotShare[] }
  | { readonly type: 'MoveSlots'; readonly moves: readonly SlotMove[] }
  | {
      readonly type: 'ClearMarks';
      readonly marks: readonly { readonly slot: number; readonly member: Member }[];
    }
  | { readonly type: 'RemoveShards'; readonly shards: readonly string[] }
  | { readonly type: 'FailOver'; readonly replica: Member; readonly reason: 'Update' | 'Spread' }
  | { readonly type: 'ReplacePod'; readonly pod: string }
  | { readonly type: 'UpdateBlocked'; readonly message: string };

export type WaitStep =
  'WaitForPods' | 'WaitForNodes' | 'WaitForFailover' | 'WaitForGossip' | 'WaitForState' | 'WaitForReplicas';

/** Replica that is to follow another master. */
export interface Following {
  readonly replica: Member;
  readonly master: Member;
}

/**
 * Returns the next step. Steps that keep data served come first; those that ask for a cluster in order come last, each of them alone.
 *
 * @param unseen names of StatefulSets whose new template nobody has seen yet: the cluster is not what its spec says. Default: none
 */
export function nextStep(observed: Observed, unseen: readonly string[] = []): Step {
  const staying = withoutEmptyShards(observed);
  return (
    takeOver(observed) ??
    waitForPods(observed) ??
    meetNodes(staying) ??
    forgetNodes(observed) ??
    waitForGossip(staying) ??
    resetNodes(observed) ??
    followMasters(staying) ??
    assignSlots(observed) ??
    finishMoves(observed) ??
    waitForState(staying) ??
    moveSlots(observed) ??
    removeShards(observed) ??
    waitForReplicas(observed) ??
    planRestart(observed) ??
    planFailOver(observed) ??
    waitForTemplates(unseen) ?? { type: 'Done' }
  );
}

function waitForTemplates(unseen: readonly string[]): Step | undefined {
  if (unseen.length === 0) return undefined;
  return {
    type: 'WaitForPods',
    message: `StatefulSets have not taken their templates yet: ${unseen.join(', ')}`,
  };
}

/**
 * Leaves out the nodes of shards that are to be removed and have no slots any more: the others may have forgotten them already, and must not
 * meet them again.
 */
function withoutEmptyShards(observed: Observed): Observed {
  const empty = emptyShards(observed);
  return { ...observed, members: observed.members.filter(({ shard }) => !empty.includes(shard)) };
}

/** Returns the shards to remove of which no node has slots. */
function emptyShards({ shards, wanted, members }: Observed): readonly string[] {
  return shards
    .map(({ name }) => name)
    .filter((name) => !wanted.includes(name))
    .filter((name) => !members.some((member) => member.shard === name && hasSlots(member)));
}

/** Node that the members know and no Pod runs. */
interface LostNode {
  readonly id: string;
  readonly slots: number;
  readonly isReplaced: boolean;
  readonly isFailed: boolean;
  readonly knownBy: readonly Member[];
  readonly followers: readonly Member[];
}

function lostNodes({ members }: Observed): readonly LostNode[] {
  const present = new Set(members.map(({ self }) => self.id));
  const sights = members.flatMap((member) => member.known.map((node) => ({ member, node })));
  const ids = new Set(sights.map(({ node }) => node.id).filter((id) => !present.has(id)));
  return [...ids].map((id) => {
    const own = sights.filter(({ node }) => node.id === id);
    return {
      id,
      slots: Math.max(...own.map(({ node }) => node.slots.length)),
      isReplaced: own.some(({ node }) => isReplaced(node)),
      // Without a majority of masters nobody is declared as failed, only suspected.
      isFailed: own.every(({ node }) => node.flags.some((flag) => flag.startsWith('fail'))),
      knownBy: own.map(({ member }) => member),
      followers: members.filter(({ self }) => self.master === id),
    };
  });
}

/**
 * Promotes a replica where Redis does not do it by itself: the address of the master belongs to another node now, so that nobody finds it
 * failed; or most masters are lost, so that nobody can vote.
 */
function takeOver(observed: Observed): Step | undefined {
  const lost = lostNodes(observed).filter(({ slots, followers }) => slots > 0 && followers.length > 0);
  const isUnsure = observed.unreachable.length > 0;
  const voters = observed.members.filter(hasSlots).length;
  const all = voters + lostNodes(observed).filter(({ slots }) => slots > 0).length;
  const canVote = voters > all / 2;
  for (const { id, isReplaced, isFailed, followers } of lost) {
    const mayAct = isReplaced || (!canVote && !isUnsure && isFailed);
    const [replica] = [...followers].sort((a, b) => b.replication.offset - a.replication.offset);
    if (mayAct && replica !== undefined) return { type: 'TakeOver', replica, lost: id };
  }
  return undefined;
}

function waitForPods(observed: Observed): Step | undefined {
  const { shards, wanted, pods, unreachable } = observed;
  // A Pod of a shard that is to go matters only if the cluster misses its node: it may never have run.
  const mayMatter = lostNodes(observed).length > 0;
  const missing = shards
    .filter(({ name }) => wanted.includes(name) || mayMatter)
    .flatMap(({ name, size }) => Array.from({ length: size }, (_, index) => `${name}-${index}`))
    .filter((name) => !pods.some((pod) => pod.name === name && pod.isReady));
  const absent = wanted.filter((name) => !shards.some((shard) => shard.name === name));
  if (missing.length + absent.length > 0)
    return { type: 'WaitForPods', message: `Pods are not ready: ${[...missing, ...absent].join(', ')}` };
  if (unreachable.length > 0)
    return {
      type: 'WaitForNodes',
      message: unreachable.map(({ pod, error }) => `${pod}: ${error}`).join('; '),
    };
  return undefined;
}

/** Introduces nodes to the oldest one, unless both know each other at their present addresses. */
function meetNodes({ members }: Observed): Step | undefined {
  const [seed] = bySeniority(members);
  if (seed === undefined) return { type: 'WaitForPods', message: 'no Pod is ready' };
  const strangers = members.filter((member) => {
    if (member === seed) return false;
    const seen = seed.known.find(({ id }) => id === member.self.id);
    const sees = member.known.find(({ id }) => id === seed.self.id);
    return seen?.ip !== member.ip || sees?.ip !== seed.ip;
  });
  return strangers.length > 0 ? { type: 'MeetNodes', seed, strangers } : undefined;
}

/** Removes nodes that no Pod runs any more. All Pods are ready here: one of these nodes cannot come back. */
function forgetNodes(observed: Observed): Step | undefined {
  const lost = lostNodes(observed);
  const gone = lost.filter(({ followers }) => followers.length === 0);
  if (gone.length > 0)
    return {
      type: 'ForgetNodes',
      ids: gone.map(({ id }) => id),
      by: observed.members,
      slots: gone.reduce((sum, { slots }) => sum + slots, 0),
    };
  const waiting = lost.filter(({ slots }) => slots > 0);
  if (waiting.length === 0) return undefined;
  return {
    type: 'WaitForFailover',
    message: `Replicas have not replaced their masters yet: ${waiting.map(({ id }) => id).join(', ')}`,
  };
}

/** Waits until each node knows every other one: a node follows only a master that it knows. */
function waitForGossip({ members }: Observed): Step | undefined {
  const unaware = members.filter((member) =>
    members.some(({ self, ip }) => {
      const seen = member.known.find(({ id }) => id === self.id);
      return seen === undefined || !seen.isLinked || seen.ip !== ip;
    }),
  );
  if (unaware.length === 0) return undefined;
  const names = unaware.map(({ name }) => name).join(', ');
  return { type: 'WaitForGossip', message: `Nodes do not know all others yet: ${names}` };
}

/** Makes a master of a shard whose nodes all follow masters of other shards. */
function resetNodes({ members, wanted }: Observed): Step | undefined {
  const without = wanted.filter((shard) => masterOf(members, shard) === undefined);
  const first = without.flatMap((shard) => members.find((member) => member.shard === shard) ?? []);
  return first.length > 0 ? { type: 'ResetNodes', members: first } : undefined;
}

function followMasters({ members }: Observed): Step | undefined {
  const followers = members.flatMap((replica) => {
    const master = masterOf(members, replica.shard);
    if (master === undefined || master === replica || hasSlots(replica)) return [];
    return replica.self.master === master.self.id ? [] : [{ replica, master }];
  });
  return followers.length > 0 ? { type: 'FollowMasters', followers } : undefined;
}

function assignSlots({ members, wanted }: Observed): Step | undefined {
  if (freeSlots(members).length === 0) return undefined;
  return { type: 'AssignSlots', shares: shareSlots(members, wanted) };
}

function finishMoves({ members }: Observed): Step | undefined {
  const { moves, stale } = openMoves(members);
  if (moves.length > 0) return { type: 'MoveSlots', moves };
  return stale.length > 0 ? { type: 'ClearMarks', marks: stale } : undefined;
}

/** Waits until all nodes see all slots served: a master takes keys only then. */
function waitForState({ members }: Observed): Step | undefined {
  const waiting = members.filter(({ isServing }) => !isServing).map(({ name }) => name);
  if (waiting.length === 0) return undefined;
  return { type: 'WaitForState', message: `Nodes do not see all slots served yet: ${waiting.join(', ')}` };
}

function moveSlots({ members, wanted }: Observed): Step | undefined {
  const moves = planMoves(members, wanted);
  return moves.length > 0 ? { type: 'MoveSlots', moves } : undefined;
}

function removeShards(observed: Observed): Step | undefined {
  const empty = emptyShards(observed);
  return empty.length > 0 ? { type: 'RemoveShards', shards: empty } : undefined;
}

function waitForReplicas({ members }: Observed): Step | undefined {
  const behind = members.filter(({ replication }) => !replication.isInSync).map(({ name }) => name);
  if (behind.length === 0) return undefined;
  return { type: 'WaitForReplicas', message: `Replicas do not have all data yet: ${behind.join(', ')}` };
}
