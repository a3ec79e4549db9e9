import { conditionsOf, defineController } from 'opsdk';
import { Prometheus, type PrometheusStatus } from '../../api/monitoring/v1/prometheus.ts';

/** The status of a Prometheus. Replace it by what your operator observes. */
export function observedStatus(prometheus: Prometheus): PrometheusStatus {
  const conditions = conditionsOf(prometheus, ['Ready']);
  conditions.true('Ready', 'Reconciled', 'The operator has seen the object');
  return { conditions: conditions.toJSON() };
}

export const prometheusController = defineController({
  for: Prometheus,
  // Called when a Prometheus was created or changed, with the object as it is now.
  async reconcile(prometheus, { client, key }) {
    // Create what prometheus.spec asks for, then report what you observe.
    await client.applyStatus(Prometheus, key, observedStatus(prometheus));
  },
  // Called when reconcile has failed. It is retried, and the status says why.
  async onError(prometheus, { message }, { client, key }) {
    const conditions = conditionsOf(prometheus, ['Ready']);
    conditions.false('Ready', 'ReconcileFailed', message);
    await client.applyStatus(Prometheus, key, { conditions: conditions.toJSON() });
  },
});
