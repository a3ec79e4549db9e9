import { createManager, operatorMain } from 'opsdk';
import { permissions } from './generated/rbac.ts';
import { distributedRedisClusterController } from './controllers/redis/distributed-redis-cluster.ts';
import { redisClusterBackupController } from './controllers/redis/redis-cluster-backup.ts';
import { distributedRedisClusterWebhook } from './webhooks/redis/v1alpha1/distributed-redis-cluster.ts';
// +op-sdk:scaffold:imports

// Reads the command line, and stops cleanly on SIGTERM.
await operatorMain(
  async ({ flags, signal }) => {
    const manager = await createManager({
      name: 'redis-operator',
      permissions,
      ...flags,
      // With --leader-elect only the replica that holds this Lease works. Keep the id: it is how replicas of all versions find each other.
      leaderElection: flags.leaderElect && { id: '6cab913b.kun' },
    });
    manager.add(distributedRedisClusterController);
    manager.add(redisClusterBackupController);
    manager.add(distributedRedisClusterWebhook);
    // +op-sdk:scaffold:controllers
    await manager.run({ signal });
  },
  {
    // What the Jobs of backups and restores run.
    commands: {
      backup: async (context) => (await import('./backup/tool.ts')).backup(context),
      restore: async (context) => (await import('./backup/tool.ts')).restore(context),
    },
  },
);
