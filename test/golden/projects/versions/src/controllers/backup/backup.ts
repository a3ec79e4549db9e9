import { conditionsOf, defineController } from 'opsdk';
import { Backup, type BackupStatus } from '../../api/backup/v1/backup.ts';

/** The status of a Backup. Replace it by what your operator observes. */
export function observedStatus(backup: Backup): BackupStatus {
  const conditions = conditionsOf(backup, ['Ready']);
  conditions.true('Ready', 'Reconciled', 'The operator has seen the object');
  return { conditions: conditions.toJSON() };
}

export const backupController = defineController({
  for: Backup,
  // Called when a Backup was created or changed, with the object as it is now.
  async reconcile(backup, { client, key }) {
    // Create what backup.spec asks for, then report what you observe.
    await client.applyStatus(Backup, key, observedStatus(backup));
  },
  // Called when reconcile has failed. It is retried, and the status says why.
  async onError(backup, { message }, { client, key }) {
    const conditions = conditionsOf(backup, ['Ready']);
    conditions.false('Ready', 'ReconcileFailed', message);
    await client.applyStatus(Backup, key, { conditions: conditions.toJSON() });
  },
});
