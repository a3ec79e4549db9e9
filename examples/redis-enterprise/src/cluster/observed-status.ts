import { conditionsOf } from 'opsdk';
import type { StatefulSet } from 'opsdk/k8s/apps/v1';
import type {
  RedisEnterpriseCluster,
  RedisEnterpriseClusterStatus,
} from '../api/app/v1alpha1/redis-enterprise-cluster.ts';
import type { Usage } from './usage.ts';

/** The status of a cluster, from its StatefulSet and from what its Pods use. */
export function observedStatus(
  cluster: RedisEnterpriseCluster,
  { metadata, spec, status }: StatefulSet,
  usage: Usage,
): RedisEnterpriseClusterStatus {
  const nodes = spec?.replicas ?? 1;
  const readyNodes = status?.readyReplicas ?? 0;
  const isSeen = status?.observedGeneration === metadata.generation;
  const isUpdated = status?.updateRevision === status?.currentRevision || status?.updatedReplicas === nodes;
  const isReady = isSeen && isUpdated && readyNodes === nodes && status?.replicas === nodes;
  const wasReady = cluster.status?.phase !== undefined && cluster.status.phase !== 'Creating';
  const message = `${readyNodes} of ${nodes} nodes are ready`;
  const conditions = conditionsOf(cluster, ['Ready']);
  if (isReady) conditions.true('Ready', 'NodesReady', message);
  else conditions.false('Ready', 'NodesNotReady', message);
  const phase = isReady ? 'Ready' : wasReady ? 'Restarting' : 'Creating';
  return { phase, message, readyNodes, ...definedOf(usage), conditions: conditions.toJSON() };
}

function definedOf<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
