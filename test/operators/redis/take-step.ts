import type { Pod } from 'opsdk/k8s/core/v1';
import { shardLabel } from './desired.ts';
import { redisPort, type ClusterNode, type RedisAdmin } from './redis-admin.ts';

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
  /** Nodes whose Pods run, as they were before the step. */
  readonly nodes: readonly PlacedNode[];
}

/**
 * Takes one step towards a cluster of the wanted shards: its nodes know each other, each shard has one master that the others of the shard
 * follow, and each master has the same share of the slots.
 */
export async function takeStep(
  admin: RedisAdmin,
  pods: readonly Pod[],
  wanted: readonly string[],
): Promise<StepOutcome> {
  const [seed] = pods.filter((pod) => shardOf(pod) === wanted[0]).map(addressOf);
  if (seed === undefined) return { reason: 'WaitingForPods', nodes: [] };
  const known = await admin.nodes(seed);
  const seen = placeNodes(known, pods);
  const strangers = pods.filter(
    (pod) => wanted.includes(shardOf(pod)) && seen.every(({ ip }) => ip !== addressOf(pod)),
  );
  for (const pod of strangers) await admin.call(seed, 'CLUSTER', 'MEET', addressOf(pod), redisPort);
  if (strangers.length > 0) return { reason: 'MeetingNodes', nodes: seen };
  const lost = known.filter((node) => node.flags.includes('fail') && seen.every(({ id }) => id !== node.id));
  for (const node of lost) await forget(admin, node, seen);
  const views = await Promise.all(seen.map(({ ip }) => admin.nodes(ip)));
  // What a node says about itself is true before the others know it.
  const nodes = seen.map((node, index) => ({ ...node, ...views[index]?.find(isMyself) }));
  // Before a node becomes a replica, it has to know its master.
  if (seen.some(({ isLinked }) => !isLinked) || views.some(({ length }) => length !== known.length))
    return { reason: 'WaitingForGossip', nodes };

  const masters = mastersOf(nodes);
  const followers = nodes.filter(
    (node) => masters.get(node.shard) !== node && node.master !== masters.get(node.shard)?.id,
  );
  for (const { ip, shard } of followers)
    await admin.call(ip, 'CLUSTER', 'REPLICATE', masters.get(shard)?.id ?? '');
  if (followers.length > 0) return { reason: 'ReplicatingMasters', nodes };
  if (await assignSlots(admin, [...masters.values()], wanted)) return { reason: 'AssigningSlots', nodes };
  // A master takes keys only once it knows that all slots are served.
  const serve = await Promise.all(nodes.map(({ ip }) => admin.isServing(ip)));
  if (serve.includes(false)) return { reason: 'WaitingForState', nodes };
  if (await moveSlots(admin, [...masters.values()], wanted)) return { reason: 'MovingSlots', nodes };
  return { reason: undefined, nodes };
}

/** Lets all nodes forget one that leaves the cluster. A node that has forgotten it before refuses. */
export async function forget(
  admin: RedisAdmin,
  { id }: ClusterNode,
  nodes: readonly ClusterNode[],
): Promise<void> {
  await Promise.all(nodes.map(({ ip }) => admin.call(ip, 'CLUSTER', 'FORGET', id).catch(() => undefined)));
}

function isMyself({ flags }: ClusterNode): boolean {
  return flags.includes('myself');
}

function shardOf({ metadata }: Pod): string {
  return metadata.labels?.[shardLabel] ?? '';
}

function addressOf({ status }: Pod): string {
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
  masters: readonly PlacedNode[],
  wanted: readonly string[],
): Promise<boolean> {
  const assigned = new Set(masters.flatMap(({ slots }) => slots));
  const free = Array.from({ length: slotCount }, (_, slot) => slot).filter((slot) => !assigned.has(slot));
  const targets = masters.filter(({ shard }) => wanted.includes(shard));
  const share = Math.ceil(free.length / targets.length);
  for (const [index, { ip }] of targets.entries()) {
    const slots = free.slice(index * share, (index + 1) * share);
    if (slots.length > 0) await admin.call(ip, 'CLUSTER', 'ADDSLOTS', ...slots);
  }
  return free.length > 0;
}

/** Moves slots from masters that have more than their share to those that have less. @returns false if there were none */
async function moveSlots(
  admin: RedisAdmin,
  masters: readonly PlacedNode[],
  wanted: readonly string[],
): Promise<boolean> {
  const targets = wanted.flatMap((shard) => masters.filter((master) => master.shard === shard));
  const quotaOf = (master: PlacedNode): number => {
    const index = targets.indexOf(master);
    if (index === -1) return 0;
    return Math.floor(slotCount / targets.length) + (index < slotCount % targets.length ? 1 : 0);
  };
  const surplus = masters.flatMap((from) => from.slots.slice(quotaOf(from)).map((slot) => ({ slot, from })));
  const lacking = targets.flatMap((to) =>
    Array.from({ length: Math.max(quotaOf(to) - to.slots.length, 0) }, () => to),
  );
  const moves = surplus.slice(0, batchSize).flatMap(({ slot, from }, index) => {
    const to = lacking[index];
    return to === undefined ? [] : [{ slot, from, to }];
  });
  await Promise.all(moves.map(({ slot, from, to }) => admin.moveSlot(slot, from, to, masters)));
  return moves.length > 0;
}
