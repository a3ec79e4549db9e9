import { conditionsOf, defineController } from 'opsdk';
import { ThanosRuler, type ThanosRulerStatus } from '../../api/monitoring/v1/thanos-ruler.ts';

/** The status of a ThanosRuler. Replace it by what your operator observes. */
export function observedStatus(thanosRuler: ThanosRuler): ThanosRulerStatus {
  const conditions = conditionsOf(thanosRuler, ['Ready']);
  conditions.true('Ready', 'Reconciled', 'The operator has seen the object');
  return { conditions: conditions.toJSON() };
}

export const thanosRulerController = defineController({
  for: ThanosRuler,
  // Called when a ThanosRuler was created or changed, with the object as it is now.
  async reconcile(thanosRuler, { client, key }) {
    // Create what thanosRuler.spec asks for, then report what you observe.
    await client.applyStatus(ThanosRuler, key, observedStatus(thanosRuler));
  },
  // Called when reconcile has failed. It is retried, and the status says why.
  async onError(thanosRuler, { message }, { client, key }) {
    const conditions = conditionsOf(thanosRuler, ['Ready']);
    conditions.false('Ready', 'ReconcileFailed', message);
    await client.applyStatus(ThanosRuler, key, { conditions: conditions.toJSON() });
  },
});
