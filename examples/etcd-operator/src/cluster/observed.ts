import type { KubeObject, Stored } from 'opsdk';
import type { PersistentVolumeClaim, Pod } from 'opsdk/k8s/core/v1';
import type { EtcdCluster } from '../api/etcd/v1beta2/etcd-cluster.ts';
import type { Member, MemberReport } from '../etcd/etcd-api.ts';
import type { RestoreSource } from '../etcd/restore-source.ts';
import { compareVersions } from '../etcd/version.ts';
import { annotations } from './names.ts';

/** All that exists under the name of one member. At least one of Pod and claim is there. */
export interface Instance {
  readonly name: string;
  readonly pod?: Stored<Pod> | undefined;
  readonly claim?: Stored<PersistentVolumeClaim> | undefined;
  /** Answer of the etcd in the Pod. */
  readonly report?: MemberReport | undefined;
}

/** Restore that the operator may ask for by itself: not at all, now, when it has asked already, or not again after a failure. */
export type Recovery = 'forbidden' | 'allowed' | 'running' | 'failed';

/** State of a cluster, as Kubernetes and etcd show it. */
export interface Observed {
  readonly cluster: Stored<EtcdCluster>;
  /** Current time, in milliseconds. */
  readonly now: number;
  /** True if the cluster has had a healthy member. */
  readonly hasFormed: boolean;
  readonly instances: readonly Instance[];
  /** Members as etcd lists them; undefined while nobody answers. */
  readonly members?: readonly Member[] | undefined;
  /** True if the list is that of one member, which may be behind the others. Nothing that follows from it may be deleted. */
  readonly isLocalList?: boolean | undefined;
  /** Snapshot that the cluster has to begin with. */
  readonly restore?: RestoreSource | undefined;
  /** Restore that the spec allows after the loss of a quorum. */
  readonly recovery: Recovery;
  /** Hash that the Pods of the members should have. */
  readonly hash: string;
  /** Name for a member that is created next. */
  readonly newMember: string;
  /** Returns the peer URL of a member, as etcd has it. */
  readonly urlOf: (member: string) => string;
}

/** Time after which a member that does not become ready is replaced, in milliseconds. */
export const replaceAfter = 300_000;
/** Time after which a Pod whose grace period is over is taken for lost with its node, in milliseconds. */
const lostAfter = 60_000;

export function quorumOf(voters: number): number {
  return Math.floor(voters / 2) + 1;
}

export function isUnnamed({ name = '' }: Member): boolean {
  return name === '';
}

/** Returns the instance of a member. One that has never started has no name yet, but the URL that it was added with. */
export function instanceOf({ instances, urlOf }: Observed, member: Member): Instance | undefined {
  return instances.find(({ name }) =>
    isUnnamed(member) ? member.peerURLs.includes(urlOf(name)) : name === member.name,
  );
}

export function isDeleting({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Returns true if the data of an instance is there, or in a Pod that may come back. */
export function isRecoverable({ pod, claim }: Instance, now: number): boolean {
  if (claim !== undefined && !isDeleting(claim)) return true;
  return pod !== undefined && !isLost(pod, now) && !hasEnded(pod) && !isDeleting(pod);
}

/** Returns true if a Pod should have ended, and nobody says so: its node is gone. */
export function isLost({ metadata }: Stored<Pod>, now: number): boolean {
  return metadata.deletionTimestamp !== undefined && now - Date.parse(metadata.deletionTimestamp) > lostAfter;
}

export function hasEnded({ status }: Stored<Pod>): boolean {
  return status?.phase === 'Failed' || status?.phase === 'Succeeded';
}

/** Returns true if a Pod has not been ready for so long that it will not become so. */
export function isFailing({ metadata, status }: Stored<Pod>, now: number): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status === 'True') return false;
  return now - Date.parse(ready?.lastTransitionTime ?? metadata.creationTimestamp ?? '') > replaceAfter;
}

/** Returns the token of the cluster that an instance belongs to. */
export function tokenOf({ pod, claim }: Instance): string {
  return (
    pod?.metadata.annotations?.[annotations.token] ?? claim?.metadata.annotations?.[annotations.token] ?? ''
  );
}

/** Name of etcd's container. Others may come before it: an admission webhook of the cluster may add some to every Pod. */
export const etcdContainer = 'etcd';

/** Returns the version in the image of a Pod. */
export function versionOf({ spec }: Stored<Pod>): string {
  const image = spec?.containers.find(({ name }) => name === etcdContainer)?.image ?? '';
  return image.slice(image.lastIndexOf(':v') + 2);
}

/** Returns the lowest version that a member runs. */
export function lowestVersion({ instances, cluster }: Observed): string {
  const [lowest] = instances
    .flatMap(({ report }) => (report === undefined ? [] : [report.version]))
    .sort(compareVersions);
  return lowest ?? (cluster.status?.currentVersion || wantedVersion(cluster));
}

export function wantedVersion({ spec }: EtcdCluster): string {
  return spec.version ?? '3.6.8';
}

export function wantedSize({ spec }: EtcdCluster): number {
  return spec.size ?? 3;
}
