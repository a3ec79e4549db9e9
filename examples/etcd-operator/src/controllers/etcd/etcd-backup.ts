import { conditionsOf, defineController } from 'opsdk';
import { EtcdBackup, type EtcdBackupStatus } from '../../api/etcd/v1beta2/etcd-backup.ts';

/** The status of an EtcdBackup. Replace it by what your operator observes. */
export function observedStatus(etcdBackup: EtcdBackup): EtcdBackupStatus {
  const conditions = conditionsOf(etcdBackup, ['Ready']);
  conditions.true('Ready', 'Reconciled', 'The operator has seen the object');
  return { conditions: conditions.toJSON() };
}

export const etcdBackupController = defineController({
  for: EtcdBackup,
  // Called when an EtcdBackup was created or changed, with the object as it is now.
  async reconcile(etcdBackup, { client, key }) {
    // Create what etcdBackup.spec asks for, then report what you observe.
    await client.applyStatus(EtcdBackup, key, observedStatus(etcdBackup));
  },
  // Called when reconcile has failed. It is retried, and the status says why.
  async onError(etcdBackup, { message }, { client, key }) {
    const conditions = conditionsOf(etcdBackup, ['Ready']);
    conditions.false('Ready', 'ReconcileFailed', message);
    await client.applyStatus(EtcdBackup, key, { conditions: conditions.toJSON() });
  },
});
