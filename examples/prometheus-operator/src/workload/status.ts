import type { Stored } from 'opsdk';
import type { StatefulSet } from 'opsdk/k8s/apps/v1';

/** Numbers of Pods. */
export interface PodCounts {
  readonly replicas: number;
  readonly updatedReplicas: number;
  readonly availableReplicas: number;
  readonly unavailableReplicas: number;
}

/** Returns the numbers of the Pods of a StatefulSet, of which there may be none yet. */
export function countPods(statefulSet: Stored<StatefulSet> | undefined): PodCounts {
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = statefulSet?.status ?? {};
  return {
    replicas,
    updatedReplicas,
    availableReplicas,
    unavailableReplicas: Math.max(0, replicas - availableReplicas),
  };
}

export function sumCounts(counts: readonly PodCounts[]): PodCounts {
  const sum = (field: keyof PodCounts): number => counts.reduce((total, each) => total + each[field], 0);
  return {
    replicas: sum('replicas'),
    updatedReplicas: sum('updatedReplicas'),
    availableReplicas: sum('availableReplicas'),
    unavailableReplicas: sum('unavailableReplicas'),
  };
}
