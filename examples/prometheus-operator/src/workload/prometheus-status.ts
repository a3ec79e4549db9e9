import { conditionsOf, type Stored } from 'opsdk';
import type { StatefulSet } from 'opsdk/k8s/apps/v1';
import type { Prometheus, PrometheusStatus } from '../api/monitoring/v1/prometheus.ts';
import { reportConditions, type Outcome } from './conditions.ts';
import { selectorOf } from './own-objects.ts';
import { prometheusLabels, shardLabel } from './prometheus.ts';
import { countPods, sumCounts } from './status.ts';

/** Returns the status of a Prometheus, with the numbers of all of its shards. */
export function observedStatus(
  prometheus: Stored<Prometheus>,
  statefulSets: readonly Stored<StatefulSet>[],
  outcome: Outcome,
): PrometheusStatus {
  const { paused = false, replicas = 1, shards = 1 } = prometheus.spec;
  const shardStatuses = [...statefulSets]
    .map((each) => ({ shardID: each.metadata.labels?.[shardLabel] ?? '', ...countPods(each) }))
    .sort((a, b) => Number(a.shardID) - Number(b.shardID));
  const counts = sumCounts(shardStatuses);
  const conditions = conditionsOf(prometheus, ['Available', 'Reconciled', 'ConfigurationComplete']);
  reportConditions(conditions, {
    ...outcome,
    paused,
    wanted: replicas * shards,
    available: counts.availableReplicas,
  });
  return {
    paused,
    ...counts,
    shards: statefulSets.length,
    shardStatuses,
    selector: selectorOf(prometheusLabels(prometheus)),
    conditions: conditions.toJSON(),
  };
}
