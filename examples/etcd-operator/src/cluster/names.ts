import { hashOf, type Stored } from 'opsdk';
import type { EtcdCluster } from '../api/etcd/v1beta2/etcd-cluster.ts';

export const clientPort = 2379;
export const peerPort = 2380;
/** Port for metrics and probes, without TLS. */
export const metricsPort = 2381;

const prefix = 'etcd.database.coreos.com';

/** Annotations of a member's Pod and claim. */
export const annotations = {
  /** `--initial-cluster-token`: Pods of one token are of one cluster. */
  token: `${prefix}/cluster-token`,
  /** Hash of all that a change of restarts the member for. */
  hash: `${prefix}/pod-hash`,
} as const;

/** Label of Pods whose members vote: clients are sent to these. Learners refuse what clients ask. */
export const votingLabel = { key: `${prefix}/voting`, value: 'true' } as const;

/** Returns the labels by which all that belongs to a cluster is found. */
export function selectorOf({ metadata }: EtcdCluster): Readonly<Record<string, string>> {
  return { app: 'etcd', etcd_cluster: metadata.name ?? '' };
}

/** Returns the labels of objects that the operator makes. */
export function labelsOf(cluster: EtcdCluster): Readonly<Record<string, string>> {
  return {
    'app.kubernetes.io/name': 'etcd',
    'app.kubernetes.io/instance': cluster.metadata.name ?? '',
    'app.kubernetes.io/managed-by': 'etcd-operator',
    ...selectorOf(cluster),
  };
}

export function clientServiceName({ metadata }: EtcdCluster): string {
  return `${metadata.name}-client`;
}

/** Returns the name of the claim of a member. */
export function claimNameOf(member: string): string {
  return `data-${member}`;
}

/** Returns the host of a member, by which the other members and its clients find it. */
export function hostOf({ metadata }: EtcdCluster, member: string): string {
  return `${member}.${metadata.name}.${metadata.namespace}.svc`;
}

export function schemeOf({ spec }: EtcdCluster): 'http' | 'https' {
  return spec.TLS === undefined ? 'http' : 'https';
}

export function peerUrlOf(cluster: EtcdCluster, host: string): string {
  return `${schemeOf(cluster)}://${host}:${peerPort}`;
}

const letters = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * Returns a name for a new member: that of the cluster, and five characters without words in them. It is the same until the object changes,
 * which it does with each member, and then another one.
 */
export function newMemberName({ metadata }: Stored<EtcdCluster>): string {
  const hash = hashOf([metadata.uid, metadata.resourceVersion]);
  let rest = Number.parseInt(hash.slice(0, 12), 16);
  const suffix = Array.from({ length: 5 }, () => {
    const letter = letters[rest % letters.length];
    rest = Math.floor(rest / letters.length);
    return letter;
  }).join('');
  return `${metadata.name}-${suffix}`;
}

/** Returns the member to which a peer URL belongs, by its host; undefined if it is none of the cluster. */
export function memberOf(cluster: string, peerURL: string): string | undefined {
  const [label = ''] = URL.canParse(peerURL) ? new URL(peerURL).hostname.split('.') : [];
  return label.startsWith(`${cluster}-`) && /^[a-z0-9]{5}$/.test(label.slice(cluster.length + 1))
    ? label
    : undefined;
}
