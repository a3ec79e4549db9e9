import { createManager, operatorMain } from 'opsdk';
import { permissions } from './generated/rbac.ts';
import { memcachedController } from './controllers/cache/memcached.ts';
import { backupController } from './controllers/backup/backup.ts';
// +op-sdk:scaffold:imports

// Reads the command line, and stops cleanly on SIGTERM.
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({
    name: 'versions',
    permissions,
    ...flags,
    // With --leader-elect only the replica that holds this Lease works. Keep the id: it is how replicas of all versions find each other.
    leaderElection: flags.leaderElect && { id: 'c8f650ec.example.com' },
  });
  manager.add(memcachedController);
  manager.add(backupController);
  // +op-sdk:scaffold:controllers
  await manager.run({ signal });
});
