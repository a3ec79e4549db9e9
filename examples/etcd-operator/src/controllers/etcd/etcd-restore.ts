import { conditionsOf, defineController } from 'opsdk';
import { EtcdRestore, type EtcdRestoreStatus } from '../../api/etcd/v1beta2/etcd-restore.ts';

/** The status of an EtcdRestore. Replace it by what your operator observes. */
export function observedStatus(etcdRestore: EtcdRestore): EtcdRestoreStatus {
  const conditions = conditionsOf(etcdRestore, ['Ready']);
  conditions.true('Ready', 'Reconciled', 'The operator has seen the object');
  return { conditions: conditions.toJSON() };
}

export const etcdRestoreController = defineController({
  for: EtcdRestore,
  // Called when an EtcdRestore was created or changed, with the object as it is now.
  async reconcile(etcdRestore, { client, key }) {
    // Create what etcdRestore.spec asks for, then report what you observe.
    await client.applyStatus(EtcdRestore, key, observedStatus(etcdRestore));
  },
  // Called when reconcile has failed. It is retried, and the status says why.
  async onError(etcdRestore, { message }, { client, key }) {
    const conditions = conditionsOf(etcdRestore, ['Ready']);
    conditions.false('Ready', 'ReconcileFailed', message);
    await client.applyStatus(EtcdRestore, key, { conditions: conditions.toJSON() });
  },
});
