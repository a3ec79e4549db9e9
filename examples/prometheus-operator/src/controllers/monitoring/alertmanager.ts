import { conditionsOf, defineController } from 'opsdk';
import { Alertmanager, type AlertmanagerStatus } from '../../api/monitoring/v1/alertmanager.ts';

/** The status of an Alertmanager. Replace it by what your operator observes. */
export function observedStatus(alertmanager: Alertmanager): AlertmanagerStatus {
  const conditions = conditionsOf(alertmanager, ['Ready']);
  conditions.true('Ready', 'Reconciled', 'The operator has seen the object');
  return { conditions: conditions.toJSON() };
}

export const alertmanagerController = defineController({
  for: Alertmanager,
  // Called when an Alertmanager was created or changed, with the object as it is now.
  async reconcile(alertmanager, { client, key }) {
    // Create what alertmanager.spec asks for, then report what you observe.
    await client.applyStatus(Alertmanager, key, observedStatus(alertmanager));
  },
  // Called when reconcile has failed. It is retried, and the status says why.
  async onError(alertmanager, { message }, { client, key }) {
    const conditions = conditionsOf(alertmanager, ['Ready']);
    conditions.false('Ready', 'ReconcileFailed', message);
    await client.applyStatus(Alertmanager, key, { conditions: conditions.toJSON() });
  },
});
