import type { RedisAdmin } from '../redis/redis-admin.ts';
import type { Step } from './next-step.ts';
import type { Member, Observed } from './observed.ts';

/** Steps that Redis takes. The others are those of Kubernetes. */
export type RedisStep = Exclude<Step, { readonly type: 'RemoveShards' | 'ReplacePod' }>;

/** Takes a step. It may be interrupted anywhere, and taken again. */
export async function takeStep(step: RedisStep, { members }: Observed, admin: RedisAdmin): Promise<void> {
  switch (step.type) {
    case 'TakeOver':
      return admin.takeOver(step.replica.ip);
    case 'MeetNodes':
      for (const stranger of step.strangers) await admin.meet(step.seed.ip, stranger.ip);
      return;
    case 'ForgetNodes':
      for (const id of step.ids)
        await admin.forget(
          id,
          step.by.map(({ ip }) => ip),
        );
      return;
    case 'ResetNodes':
      for (const { ip } of step.members) await admin.call(ip, 'CLUSTER', 'RESET', 'SOFT');
      return;
    case 'FollowMasters':
      for (const { replica, master } of step.followers) await admin.replicate(replica.ip, master.self.id);
      return;
    case 'AssignSlots':
      for (const { member, slots } of step.shares) await admin.addSlots(member.ip, slots);
      return;
    case 'MoveSlots':
      return moveSlots(step.moves, members, admin);
    case 'ClearMarks':
      for (const mark of step.marks) await clearMark(mark, members, admin);
      return;
    case 'FailOver':
      return admin.failOver(step.replica.ip);
    case 'Done':
    case 'WaitForPods':
    case 'WaitForNodes':
    case 'WaitForFailover':
    case 'WaitForGossip':
    case 'WaitForState':
    case 'WaitForReplicas':
    case 'UpdateBlocked':
      return;
  }
}

/** Moves slots at the same time: a node writes its file once for all commands that it has got, which is what takes long. */
async function moveSlots(
  moves: Extract<Step, { readonly type: 'MoveSlots' }>['moves'],
  members: readonly Member[],
  admin: RedisAdmin,
): Promise<void> {
  const masters = members.filter(({ self }) => self.master === undefined).map(nodeOf);
  await Promise.all(
    moves.map(({ slot, from, to }) => admin.moveSlot(slot, nodeOf(from), nodeOf(to), masters)),
  );
}

/** Ends a move whose other node has gone. If its keys have got to another master since, the slot follows them. */
async function clearMark(
  { slot, member }: { readonly slot: number; readonly member: Member },
  members: readonly Member[],
  admin: RedisAdmin,
): Promise<void> {
  const masters = members.filter(({ self }) => self.master === undefined);
  const owner = members.find(({ self }) => self.slots.includes(slot));
  for (const holder of masters.filter((each) => each !== owner)) {
    if (owner === undefined || Number(await admin.call(holder.ip, 'CLUSTER', 'COUNTKEYSINSLOT', slot)) === 0)
      continue;
    return admin.moveSlot(slot, nodeOf(owner), nodeOf(holder), masters.map(nodeOf));
  }
  await admin.stabilize(member.ip, slot);
}

const nodeOf = ({ self }: Member): Member['self'] => self;
