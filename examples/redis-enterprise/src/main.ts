import { createManager, operatorMain } from 'opsdk';
import { permissions } from './generated/rbac.ts';
import { redisEnterpriseClusterController } from './controllers/app/redis-enterprise-cluster.ts';
// +op-sdk:scaffold:imports

// Reads the command line, and stops cleanly on SIGTERM.
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({
    name: 'redis-enterprise',
    permissions,
    ...flags,
    // With --leader-elect only the replica that holds this Lease works. Keep the id: it is how replicas of all versions find each other.
    leaderElection: flags.leaderElect && { id: 'd3c51218.redislabs.com' },
  });
  manager.add(redisEnterpriseClusterController);
  // +op-sdk:scaffold:controllers
  await manager.run({ signal });
});
