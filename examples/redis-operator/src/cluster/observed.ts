import type { ClusterNode } from '../redis/cluster-node.ts';
import type { NodeLoad, Replication } from '../redis/node-info.ts';

/** A Pod of the cluster. */
export interface PodView {
  readonly name: string;
  readonly shard: string;
  readonly ip: string;
  /** Node of Kubernetes; empty until it has one. */
  readonly nodeName: string;
  /** True if it can serve and is not under deletion. */
  readonly isReady: boolean;
  /** True if the StatefulSet has a newer template. */
  readonly isOutdated: boolean;
}

/** A node of Redis, with the Pod that runs it, as it answers itself. */
export interface Member extends PodView {
  /** The node as it sees itself. */
  readonly self: ClusterNode;
  /** All nodes that it knows, itself included. */
  readonly known: readonly ClusterNode[];
  /** True if it sees all slots served. */
  readonly isServing: boolean;
  readonly replication: Replication;
  readonly load: NodeLoad;
}

/** A shard: a StatefulSet with a master and its replicas. */
export interface ShardView {
  readonly name: string;
  /** Number of Pods that it should have. */
  readonly size: number;
}

/** All that a step depends on: Kubernetes' side and Redis'. */
export interface Observed {
  /** Names of the shards that the cluster should have, in their order. */
  readonly wanted: readonly string[];
  /** Shards that exist, also those that are to be removed. */
  readonly shards: readonly ShardView[];
  readonly pods: readonly PodView[];
  /** Nodes of ready Pods that have answered. */
  readonly members: readonly Member[];
  /** Ready Pods whose node has not answered, with the error. */
  readonly unreachable: readonly { readonly pod: string; readonly error: string }[];
  /** True if a node that is replaced comes back with its data. */
  readonly hasClaims: boolean;
}

/** Returns the member that has the slots of a shard, or the one that is to get them. Undefined if all follow other shards. */
export function masterOf(members: readonly Member[], shard: string): Member | undefined {
  const own = members.filter((member) => member.shard === shard);
  const [owner] = own.filter(hasSlots).sort((a, b) => b.self.slots.length - a.self.slots.length);
  const masters = own.filter(({ self }) => self.master === undefined);
  return (
    owner ?? masters.find(({ self }) => own.some((other) => other.self.master === self.id)) ?? masters[0]
  );
}

export function hasSlots({ self }: Member): boolean {
  return self.slots.length > 0;
}

/** Returns the members by whose view the cluster is judged first: those with slots, then those that know most. */
export function bySeniority(members: readonly Member[]): readonly Member[] {
  return [...members].sort(
    (a, b) => b.self.slots.length - a.self.slots.length || b.known.length - a.known.length,
  );
}
