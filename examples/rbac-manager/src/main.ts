import { createManager, operatorMain } from 'opsdk';
import { permissions } from './generated/rbac.ts';
import { rbacDefinitionController } from './controllers/access/rbac-definition.ts';
// +op-sdk:scaffold:imports

// Reads the command line, and stops cleanly on SIGTERM.
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({
    name: 'rbac-manager',
    permissions,
    ...flags,
    // With --leader-elect only the replica that holds this Lease works. Keep the id: it is how replicas of all versions find each other.
    leaderElection: flags.leaderElect && { id: '9d75b67f.example.com' },
  });
  manager.add(rbacDefinitionController);
  // +op-sdk:scaffold:controllers
  await manager.run({ signal });
});
