import { ownedBy, type ApplyObject } from 'opsdk';
import type { Service } from 'opsdk/k8s/core/v1';
import type { PodDisruptionBudget } from 'opsdk/k8s/policy/v1';
import type { EtcdCluster } from '../api/etcd/v1beta2/etcd-cluster.ts';
import {
  clientPort,
  clientServiceName,
  labelsOf,
  metricsPort,
  peerPort,
  selectorOf,
  votingLabel,
} from './names.ts';
import { quorumOf } from './observed.ts';

const votersOf = (cluster: EtcdCluster) => ({ ...selectorOf(cluster), [votingLabel.key]: votingLabel.value });

/**
 * Annotation of the Service for clients once the cluster has had a healthy member: a cluster without Pods is then one that has lost them.
 * It is there before clients are sent to the first member.
 */
export const formedAnnotation = 'etcd.database.coreos.com/formed';

/** Returns a headless Service for the names of the members, and one for clients. */
export function desiredServices(cluster: EtcdCluster, hasFormed: boolean): readonly ApplyObject<Service>[] {
  const selector = selectorOf(cluster);
  const metadata = { labels: labelsOf(cluster), ...ownedBy(cluster) };
  const client = { name: 'client', port: clientPort };
  return [
    {
      metadata: { ...metadata, name: cluster.metadata.name },
      spec: {
        clusterIP: 'None',
        // A member has to be found before it can become ready.
        publishNotReadyAddresses: true,
        selector,
        ports: [client, { name: 'peer', port: peerPort }, { name: 'metrics', port: metricsPort }],
      },
    },
    {
      metadata: {
        ...metadata,
        name: clientServiceName(cluster),
        annotations: hasFormed ? { [formedAnnotation]: 'true' } : {},
      },
      spec: { selector: votersOf(cluster), ports: [client] },
    },
  ];
}

/**
 * Returns the budget that keeps a quorum while nodes are drained. That of one or two members allows no eviction at all: draining their node
 * would end the cluster for as long, or without storage for good.
 */
export function desiredBudget(cluster: EtcdCluster): ApplyObject<PodDisruptionBudget> {
  return {
    metadata: { name: cluster.metadata.name, labels: labelsOf(cluster), ...ownedBy(cluster) },
    spec: {
      minAvailable: quorumOf(cluster.spec.size ?? 3),
      selector: { matchLabels: votersOf(cluster) },
    },
  };
}
