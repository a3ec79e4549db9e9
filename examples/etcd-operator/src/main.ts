import { createManager, operatorMain, type OperatorContext } from 'opsdk';
import { permissions } from './generated/rbac.ts';
import { etcdClusterController } from './controllers/etcd/etcd-cluster.ts';
import { etcdBackupController } from './controllers/etcd/etcd-backup.ts';
import { etcdRestoreController } from './controllers/etcd/etcd-restore.ts';
import { etcdClusterWebhook } from './webhooks/etcd/v1beta2/etcd-cluster.ts';
// +op-sdk:scaffold:imports

// Reads the command line, and stops cleanly on SIGTERM.
await operatorMain(runOperator, {
  // The Jobs of backups, and the init containers of restores, run this.
  commands: { backup: async (context) => (await import('./backup/main.ts')).backup(context) },
});

async function runOperator({ flags, signal }: OperatorContext): Promise<void> {
  const manager = await createManager({
    name: 'etcd-operator',
    permissions,
    ...flags,
    // With --leader-elect only the replica that holds this Lease works. Keep the id: it is how replicas of all versions find each other.
    leaderElection: flags.leaderElect && { id: 'ebed9a02.database.coreos.com' },
  });
  manager.add(etcdClusterController);
  manager.add(etcdBackupController);
  manager.add(etcdRestoreController);
  manager.add(etcdClusterWebhook);
  // +op-sdk:scaffold:controllers
  await manager.run({ signal });
}
