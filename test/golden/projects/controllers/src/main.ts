import { createManager, operatorMain } from 'opsdk';
import { permissions } from './generated/rbac.ts';
import { memcachedController } from './controllers/cache/memcached.ts';
import { memcachedBackupController } from './controllers/cache/memcached-backup.ts';
import { redisFailoverController } from './controllers/cache/redis-failover-controller.ts';
// +op-sdk:scaffold:imports

// Reads the command line, and stops cleanly on SIGTERM.
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({
    name: 'controllers',
    permissions,
    ...flags,
    // With --leader-elect only the replica that holds this Lease works. Keep the id: it is how replicas of all versions find each other.
    leaderElection: flags.leaderElect && { id: 'ed45c0f6.example.com' },
  });
  manager.add(memcachedController);
  manager.add(memcachedBackupController);
  manager.add(redisFailoverController);
  // +op-sdk:scaffold:controllers
  await manager.run({ signal });
});
