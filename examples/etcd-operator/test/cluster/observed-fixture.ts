import type { Stored } from 'opsdk';
import type { PersistentVolumeClaim, Pod } from 'opsdk/k8s/core/v1';
import type { EtcdClusterSpec, EtcdClusterStatus } from '../../src/api/etcd/v1beta2/etcd-cluster.ts';
import { annotations, votingLabel } from '../../src/cluster/names.ts';
import type { Instance, Observed } from '../../src/cluster/observed.ts';
import type { Member, MemberReport } from '../../src/etcd/etcd-api.ts';

export const now = Date.parse('2026-01-01T12:00:00Z');
const uid = 'c0ffee00-0000-4000-8000-000000000000';
const ownerReferences = [
  { apiVersion: 'etcd.database.coreos.com/v1beta2', kind: 'EtcdCluster', name: 'example', uid },
];

export interface InstanceOptions {
  /** Default: healthy. `none` is a Pod without an answer, `absent` no Pod. */
  readonly answer?: 'healthy' | 'sick' | 'none' | 'absent';
  readonly isLearner?: boolean;
  readonly version?: string;
  /** Version that the process runs, if it is another one than that of its Pod. */
  readonly runs?: string;
  readonly claim?: boolean | 'deleting';
  /** Seconds since when the Pod is deleted. */
  readonly deletedFor?: number;
  /** Seconds since when the Pod is not ready. */
  readonly unreadyFor?: number;
  readonly phase?: 'Failed' | 'Running' | 'Succeeded';
  readonly hash?: string;
  readonly token?: string;
  readonly isVoting?: boolean;
  readonly isOrphan?: boolean;
  readonly createdAt?: string;
}

/** Returns the time so many seconds ago. */
const ago = (seconds: number): string => new Date(now - seconds * 1000).toISOString();

export function instance(name: string, options: InstanceOptions = {}): Instance {
  const { answer = 'healthy', claim = false, token = uid } = options;
  return {
    name,
    pod: answer === 'absent' ? undefined : podOf(name, options),
    claim: claim === false ? undefined : claimOf(name, claim === 'deleting', token),
    report: answer === 'healthy' || answer === 'sick' ? reportOf(name, options) : undefined,
  };
}

function podOf(name: string, options: InstanceOptions): Stored<Pod> {
  const { version = '3.6.8', deletedFor, unreadyFor, token = uid, hash = 'hash', isVoting = true } = options;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      uid: name,
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: options.createdAt ?? ago(3600),
      labels: isVoting ? { [votingLabel.key]: votingLabel.value } : {},
      annotations: { [annotations.hash]: hash, [annotations.token]: token },
      ...(options.isOrphan === true ? {} : { ownerReferences }),
      ...(deletedFor === undefined ? {} : { deletionTimestamp: ago(deletedFor) }),
    },
    spec: { containers: [{ name: 'etcd', image: `quay.io/coreos/etcd:v${version}` }] },
    status: {
      phase: options.phase ?? 'Running',
      podIP: '10.0.0.1',
      conditions: [
        {
          type: 'Ready',
          status: unreadyFor === undefined ? 'True' : 'False',
          lastTransitionTime: ago(unreadyFor ?? 0),
        },
      ],
    },
  };
}

function claimOf(name: string, isDeleting: boolean, token: string): Stored<PersistentVolumeClaim> {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: `data-${name}`,
      namespace: 'default',
      uid: `data-${name}`,
      resourceVersion: '1',
      annotations: { [annotations.token]: token },
      ownerReferences,
      ...(isDeleting ? { deletionTimestamp: ago(1) } : {}),
    },
  } as unknown as Stored<PersistentVolumeClaim>;
}

function reportOf(
  name: string,
  { answer = 'healthy', isLearner = false, version, runs }: InstanceOptions,
): MemberReport {
  return {
    memberID: name,
    leader: 'a',
    version: runs ?? version ?? '3.6.8',
    isLearner,
    isHealthy: answer === 'healthy',
    dbSize: 0,
    dbSizeInUse: 0,
  };
}

export const urlOf = (name: string): string => `http://${name}.example.default.svc:2380`;

export function member(name: string, options: Partial<Member> = {}): Member {
  return { ID: name, name, peerURLs: [urlOf(name)], ...options };
}

interface ObservedOptions extends Partial<Omit<Observed, 'cluster'>> {
  readonly spec?: EtcdClusterSpec;
  readonly status?: EtcdClusterStatus;
}

/** Returns a cluster of three healthy members, but for what is given. */
export function observed({ spec, status, ...options }: ObservedOptions = {}): Observed {
  const instances = options.instances ?? ['a', 'b', 'c'].map((name) => instance(name));
  return {
    cluster: {
      apiVersion: 'etcd.database.coreos.com/v1beta2',
      kind: 'EtcdCluster',
      metadata: { name: 'example', namespace: 'default', uid, resourceVersion: '1', generation: 1 },
      spec: { size: 3, version: '3.6.8', repository: 'quay.io/coreos/etcd', ...spec },
      ...(status === undefined ? {} : { status }),
    },
    now,
    hasFormed: true,
    instances,
    members: 'members' in options ? options.members : instances.map(({ name }) => member(name)),
    recovery: options.recovery ?? 'forbidden',
    restore: options.restore,
    isLocalList: options.isLocalList,
    hash: 'hash',
    newMember: 'example-bcdfg',
    urlOf,
    ...('hasFormed' in options ? { hasFormed: options.hasFormed } : {}),
  };
}
