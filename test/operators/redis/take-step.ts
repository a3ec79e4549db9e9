import type { Pod } from 'opsdk/k8s/core/v1';
import { shardLabel } from './desired.ts';
import type { ClusterNode, RedisAdmin } from './redis-admin.ts';

const slotCount = 16_384;

/** Slots that are moved in one step. */
const batchSize = 1024;

/** A node with the Pod that runs it. */
export interface PlacedNode extends ClusterNode {
  readonly pod: string;
  readonly shard: string;
}

export interface StepOutcome {
  /** Reason to come again; undefined if nothing is left to do. */
  readonly reason: string | undefined;
  /** Nodes whose Pods run, as they were before the step. Undefined if they were not asked. */
  readonly nodes: readonly PlacedNode[] | undefined;
}

/** Pods that run, and the shards that they should serve. */
interface Placement {
  /** Address of a Pod of a wanted shard, whose view of the cluster counts. */
  readonly seed: string;
  readonly pods: readonly Pod[];
  readonly wanted: readonly string[];
  /** True if all Pods are there, also those of shards that leave. */
  readonly isComplete: boolean;
}

/**
 * Takes one step towards a cluster of the wanted shards: its nodes know each other, each shard has one master that the others of the shard
 * follow, and each master has the same share of the slots.
 */
export async function takeStep(
  admin: RedisAdmin,
  { seed, pods, wanted, isComplete }: Placement,
): Promise<StepOutcome & { readonly nodes: readonly PlacedNode[] }> {
  const known = await admin.nodes(seed);
  const seen = placeNodes(known, pods);
  const strangers = pods.filter(
    (pod) => wanted.includes(shardOf(pod)) && seen.every(({ ip }) => ip !== addressOf(pod)),
  );
  for (const pod of strangers) await admin.meet(seed, addressOf(pod));
  if (strangers.length > 0) return { reason: 'MeetingNodes', nodes: seen };
  const gone = known.filter((node) => seen.every(({ id }) => id !== node.id));
  // The slots of a node may come back with its Pod, or are taken over by a replica.
  const lost = gone.filter(
    (node) =>
      isLost(node) &&
      (isComplete || node.slots.length === 0) &&
      known.every(({ master }) => master !== node.id),
  );
  for (const node of lost) await admin.forget(node, seen);
  const views = await Promise.all(seen.map(({ ip }) => admin.nodes(ip)));
  // What a node says about itself is true before the others know it.
  const nodes = seen.map((node, index) => ({ ...node, ...views[index]?.find(isMyself) }));
  // Before a node becomes a replica, it has to know its master.
  if (seen.some(({ isLinked }) => !isLinked) || views.some(({ length }) => length !== known.length))
    return { reason: 'WaitingForGossip', nodes };
  if (gone.length > lost.length) return { reason: 'WaitingForLostNodes', nodes };

  const masters = mastersOf(nodes);
  const followers = nodes.filter(
    (node) => masters.get(node.shard) !== node && node.master !== masters.get(node.shard)?.id,
  );
  for (const { ip, shard } of followers) await admin.replicate(ip, masters.get(shard)?.id ?? '');
  if (followers.length > 0) return { reason: 'ReplicatingMasters', nodes };
  const targets = wanted.flatMap((shard) => masters.get(shard) ?? []);
  if (await assignSlots(admin, targets, [...masters.values()])) return { reason: 'AssigningSlots', nodes };
  // A master takes keys only once it knows that all slots are served.
  const serve = await Promise.all(nodes.map(({ ip }) => admin.isServing(ip)));
  if (serve.includes(false)) return { reason: 'WaitingForState', nodes };
  if (await moveSlots(admin, targets, [...masters.values()])) return { reason: 'MovingSlots', nodes };
  return { reason: undefined, nodes };
}

/** Returns true for a node that the others have given up, or that has lost its address to another one. */
function isLost({ flags }: ClusterNode): boolean {
  return flags.includes('fail') || flags.includes('noaddr');
}

function isMyself({ flags }: ClusterNode): boolean {
  return flags.includes('myself');
}

export function shardOf({ metadata }: Pod): string {
  return metadata.labels?.[shardLabel] ?? '';
}

export function addressOf({ status }: Pod): string {
  return status?.podIP ?? '';
}

function placeNodes(known: readonly ClusterNode[], pods: readonly Pod[]): readonly PlacedNode[] {
  return known.flatMap((node) => {
    const pod = pods.find((each) => addressOf(each) === node.ip);
    return pod === undefined ? [] : [{ ...node, pod: pod.metadata.name ?? '', shard: shardOf(pod) }];
  });
}

/** Returns the master of each shard: the node with slots, else that of the first Pod. */
function mastersOf(nodes: readonly PlacedNode[]): ReadonlyMap<string, PlacedNode> {
  const masters = new Map<string, PlacedNode>();
  for (const node of nodes.filter(({ pod, shard }) => pod === `${shard}-0`)) masters.set(node.shard, node);
  for (const node of nodes.filter(({ slots }) => slots.length > 0)) masters.set(node.shard, node);
  return masters;
}

/** Gives slots that no master has to the wanted shards. @returns false if there were none */
async function assignSlots(
  admin: RedisAdmin,
  targets: readonly PlacedNode[],
  masters: readonly PlacedNode[],
): Promise<boolean> {
  const assigned = new Set(masters.flatMap(({ slots }) => slots));
  const free = Array.from({ length: slotCount }, (_, slot) => slot).filter((slot) => !assigned.has(slot));
  let start = 0;
  for (const [index, { ip, slots }] of targets.entries()) {
    const end = start + Math.max(quotaOf(index, targets.length) - slots.length, 0);
    const share = free.slice(start, end);
    if (share.length > 0) await admin.addSlots(ip, share);
    start = end;
  }
  return free.length > 0;
}

/** Moves slots from masters that have more than their share to those that have less. @returns false if there were none */
async function moveSlots(
  admin: RedisAdmin,
  targets: readonly PlacedNode[],
  masters: readonly PlacedNode[],
): Promise<boolean> {
  const surplus = masters.flatMap((from) => {
    const index = targets.indexOf(from);
    const quota = index === -1 ? 0 : quotaOf(index, targets.length);
    return from.slots.slice(quota).map((slot) => ({ slot, from }));
  });
  const lacking = targets.flatMap((to, index) =>
    Array.from({ length: Math.max(quotaOf(index, targets.length) - to.slots.length, 0) }, () => to),
  );
  const moves = surplus.slice(0, batchSize).flatMap(({ slot, from }, index) => {
    const to = lacking[index];
    return to === undefined ? [] : [{ slot, from, to }];
  });
  await Promise.all(moves.map(({ slot, from, to }) => admin.moveSlot(slot, from, to, masters)));
  return moves.length > 0;
}

/** Returns the number of slots of one of several masters. The first ones get what is left over. */
function quotaOf(index: number, masters: number): number {
  return Math.floor(slotCount / masters) + (index < slotCount % masters ? 1 : 0);
}
