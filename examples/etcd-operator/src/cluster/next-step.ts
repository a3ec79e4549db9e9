import type { Pod } from 'opsdk/k8s/core/v1';
import { peersOf, type MemberPod } from './desired.ts';
import type { Member } from '../etcd/member-api.ts';

/** State of a cluster, as its Pods and its members show it. */
export interface Observed {
  /** Name of the EtcdCluster. */
  readonly name: string;
  /** Number of members that the cluster should have. */
  readonly size: number;
  /** True if the cluster had members before. */
  readonly hasFormed: boolean;
  /** Pods of the cluster, also those that are being deleted. */
  readonly pods: readonly Pod[];
  readonly members: readonly Member[];
  /** Names of the Pods whose members are healthy. */
  readonly ready: readonly string[];
  /** Returns the peer URL of the member of a Pod, as etcd has it. */
  readonly urlOf: (pod: string) => string;
}

/** Change towards the desired size, or the reason to wait. */
export type Step =
  | { readonly reason: 'Ready' | 'WaitingForMembers' | 'AllMembersLost' }
  | { readonly reason: 'Bootstrapping' | 'StartingMember'; readonly create: readonly MemberPod[] }
  | { readonly reason: 'RemovingDeadPod' | 'RemovingStranger'; readonly evict: string }
  | { readonly reason: 'AddingMember'; readonly add: string }
  | { readonly reason: 'RemovingMember' | 'RemovingLostMember'; readonly remove: Member };

/** Returns the next step. It is one at a time: etcd wants each change of its members to be over before the next one. */
export function nextStep({ name, size, hasFormed, pods, members, ready, urlOf }: Observed): Step {
  const alive = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const names = new Set(alive.map(({ metadata }) => metadata.name ?? ''));
  // A Pod that is being deleted keeps its name until it is gone.
  const taken = new Set(pods.map(({ metadata }) => metadata.name ?? ''));
  const dead = alive.find(({ status }) => status?.phase === 'Failed' || status?.phase === 'Succeeded');
  if (dead !== undefined) return { reason: 'RemovingDeadPod', evict: dead.metadata.name ?? '' };
  // The data of an emptyDir is lost with its Pod.
  if (alive.length === 0 && hasFormed) return { reason: 'AllMembersLost' };
  if (members.length === 0 && !hasFormed) {
    // The first members start with the same list, also if the size changes before all of them are there.
    const first = Array.from({ length: size }, (_, index) => `${name}-${index}`);
    const [pod] = alive;
    const peers =
      pod === undefined ? Object.fromEntries(first.map((each) => [each, urlOf(each)])) : peersOf(pod);
    const missing = Object.keys(peers).filter((each) => !taken.has(each));
    if (missing.length > 0)
      return {
        reason: 'Bootstrapping',
        create: missing.map((each) => ({ name: each, state: 'new', peers })),
      };
  }
  if (members.length === 0) return { reason: 'WaitingForMembers' };

  // A member that was added, but has never started, has no name yet. Its Pod is missing if the operator was interrupted.
  const unnamed = members.find((member) => isUnnamed(member));
  if (unnamed !== undefined) {
    const free = Array.from({ length: taken.size + members.length }, (_, index) => `${name}-${index}`);
    const pod = [...taken, ...free].find((each) => unnamed.peerURLs.includes(urlOf(each)));
    // Somebody else added it.
    if (pod === undefined) return { reason: 'RemovingLostMember', remove: unnamed };
    if (taken.has(pod)) return { reason: 'WaitingForMembers' };
    const peers = Object.fromEntries(
      members.map((member) => [isUnnamed(member) ? pod : (member.name ?? ''), member.peerURLs[0] ?? '']),
    );
    return { reason: 'StartingMember', create: [{ name: pod, state: 'existing', peers }] };
  }
  const lost = members.find((member) => !names.has(member.name ?? ''));
  if (lost !== undefined) return { reason: 'RemovingLostMember', remove: lost };
  const stranger = [...names].find((pod) => !members.some((member) => member.name === pod));
  if (stranger !== undefined) return { reason: 'RemovingStranger', evict: stranger };
  if (ready.length < members.length) return { reason: 'WaitingForMembers' };
  for (const member of members) taken.add(member.name ?? '');
  if (members.length < size) return { reason: 'AddingMember', add: firstFree(name, (pod) => taken.has(pod)) };
  const [last] = [...members].sort((a, b) => indexOf(b) - indexOf(a));
  if (members.length > size && last !== undefined) return { reason: 'RemovingMember', remove: last };
  return { reason: 'Ready' };
}

function isUnnamed({ name = '' }: Member): boolean {
  return name === '';
}

/** Returns the number at the end of the name of a member. */
function indexOf({ name = '' }: Member): number {
  return Number(name.slice(name.lastIndexOf('-') + 1));
}

/** Returns the first of the names `NAME-0`, `NAME-1`, … that is not taken. */
function firstFree(name: string, isTaken: (pod: string) => boolean): string {
  for (let index = 0; ; index++) if (!isTaken(`${name}-${index}`)) return `${name}-${index}`;
}
