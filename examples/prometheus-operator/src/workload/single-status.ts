import { conditionsOf, type KubeObject, type Stored } from 'opsdk';
import type { StatefulSet } from 'opsdk/k8s/apps/v1';
import type { WorkloadSpec, WorkloadStatus } from '../api/monitoring/v1/workload.ts';
import { reportConditions, type Outcome } from './conditions.ts';
import { countPods } from './status.ts';

/** An Alertmanager or a ThanosRuler. */
type Workload = KubeObject & {
  readonly spec: WorkloadSpec & { readonly replicas?: number };
  readonly status?: WorkloadStatus;
};

/** Returns the status of an object with one StatefulSet. */
export function singleStatus(
  object: Workload,
  statefulSet: Stored<StatefulSet> | undefined,
  outcome: Outcome,
): WorkloadStatus {
  const { paused = false, replicas = 1 } = object.spec;
  const counts = countPods(statefulSet);
  const conditions = conditionsOf(object, ['Available', 'Reconciled', 'ConfigurationComplete']);
  reportConditions(conditions, { ...outcome, paused, wanted: replicas, available: counts.availableReplicas });
  return { paused, ...counts, conditions: conditions.toJSON() };
}
