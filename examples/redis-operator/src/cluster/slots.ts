import { slotCount } from '../redis/cluster-node.ts';
import { hasSlots, masterOf, type Member } from './observed.ts';

/** Slots that are moved in one step. A reconcile ends after them, so that the operator can react to something else. */
export const batchSize = 512;

/** Slot that goes from one master to another. */
export interface SlotMove {
  readonly slot: number;
  readonly from: Member;
  readonly to: Member;
}

/** Slots that a master gets. */
export interface SlotShare {
  readonly member: Member;
  readonly slots: readonly number[];
}

/** Returns the number of slots of one of several masters. The first ones get what is left over. */
export function quotaOf(index: number, masters: number): number {
  return Math.floor(slotCount / masters) + (index < slotCount % masters ? 1 : 0);
}

/** Returns the slots that no member has. */
export function freeSlots(members: readonly Member[]): readonly number[] {
  const owned = new Set(members.flatMap(({ self }) => self.slots));
  return Array.from({ length: slotCount }, (_, slot) => slot).filter((slot) => !owned.has(slot));
}

/** Shares slots that no master has among the masters of the wanted shards, up to their quota. */
export function shareSlots(members: readonly Member[], wanted: readonly string[]): readonly SlotShare[] {
  const targets = mastersOf(members, wanted);
  const free = [...freeSlots(members)];
  const shares = targets.map((member, index) => ({
    member,
    slots: free.splice(0, Math.max(quotaOf(index, targets.length) - member.self.slots.length, 0)),
  }));
  return shares.filter(({ slots }) => slots.length > 0);
}

/** Plans moves of slots from masters that have more than their share to those that have less. @returns at most a batch */
export function planMoves(members: readonly Member[], wanted: readonly string[]): readonly SlotMove[] {
  const targets = mastersOf(members, wanted);
  const surplus = members.filter(hasSlots).flatMap((from) => {
    const index = targets.findIndex(({ self }) => self.id === from.self.id);
    return from.self.slots
      .slice(index === -1 ? 0 : quotaOf(index, targets.length))
      .map((slot) => ({ slot, from }));
  });
  const lacking = targets.flatMap((to, index) =>
    Array.from({ length: Math.max(quotaOf(index, targets.length) - to.self.slots.length, 0) }, () => to),
  );
  return surplus.slice(0, batchSize).flatMap(({ slot, from }, index) => {
    const to = lacking[index];
    return to === undefined ? [] : [{ slot, from, to }];
  });
}

/** Moves that were begun and not ended: those that can go on, and marks of those whose other node is not there any more. */
export interface OpenMoves {
  readonly moves: readonly SlotMove[];
  readonly stale: readonly { readonly slot: number; readonly member: Member }[];
}

/**
 * Finds the moves that were interrupted. They have to end with the same two shards, as keys may lie on both: a node that has lost its role
 * meanwhile is replaced by the master that has it now.
 */
export function openMoves(members: readonly Member[]): OpenMoves {
  const moves = new Map<number, SlotMove>();
  const stale: { slot: number; member: Member }[] = [];
  const masterFor = (id: string | undefined): Member | undefined => {
    const member = members.find(({ self }) => self.id === id);
    return member?.self.master === undefined ? member : masterFor(member.self.master);
  };
  for (const member of members)
    for (const { slot, direction, peer } of member.self.moving) {
      const from = members.find(({ self }) => self.slots.includes(slot));
      const to = direction === 'migrating' ? masterFor(peer) : masterFor(member.self.id);
      if (from === undefined || to === undefined || from === to) stale.push({ slot, member });
      else moves.set(slot, { slot, from, to });
    }
  return { moves: [...moves.values()], stale: stale.filter(({ slot }) => !moves.has(slot)) };
}

function mastersOf(members: readonly Member[], wanted: readonly string[]): readonly Member[] {
  return wanted.flatMap((shard) => masterOf(members, shard) ?? []);
}
