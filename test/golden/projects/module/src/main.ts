import { createManager, operatorMain } from 'opsdk';
import { permissions } from './generated/rbac.ts';
import { widgetController } from './controllers/parts/widget.ts';
// +op-sdk:scaffold:imports

// Reads the command line, and stops cleanly on SIGTERM.
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({
    name: 'module',
    permissions,
    ...flags,
    // With --leader-elect only the replica that holds this Lease works. Keep the id: it is how replicas of all versions find each other.
    leaderElection: flags.leaderElect && { id: 'd79f909d.example.com' },
  });
  manager.add(widgetController);
  // +op-sdk:scaffold:controllers
  await manager.run({ signal });
});
