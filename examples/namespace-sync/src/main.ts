import { createManager, operatorMain } from 'opsdk';
import { permissions } from './generated/rbac.ts';
import { configMapController } from './controllers/core/config-map.ts';
// +op-sdk:scaffold:imports

// Reads the command line, and stops cleanly on SIGTERM.
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({
    name: 'namespace-sync',
    permissions,
    ...flags,
    // With --leader-elect only the replica that holds this Lease works. Keep the id: it is how replicas of all versions find each other.
    leaderElection: flags.leaderElect && { id: '9c94fd50.example.com' },
  });
  manager.add(configMapController);
  // +op-sdk:scaffold:controllers
  await manager.run({ signal });
});
