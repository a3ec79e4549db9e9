import { createManager, operatorMain } from 'opsdk';
import { permissions } from './generated/rbac.ts';
import { widgetController } from './controllers/shop/widget.ts';
import { widgetController as partsWidgetController } from './controllers/parts/widget.ts';
import { gadgetsController } from './controllers/parts/gadgets.ts';
// +op-sdk:scaffold:imports

// Reads the command line, and stops cleanly on SIGTERM.
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({
    name: 'external',
    permissions,
    ...flags,
    // With --leader-elect only the replica that holds this Lease works. Keep the id: it is how replicas of all versions find each other.
    leaderElection: flags.leaderElect && { id: '331d748a.example.com' },
  });
  manager.add(widgetController);
  manager.add(partsWidgetController);
  manager.add(gadgetsController);
  // +op-sdk:scaffold:controllers
  await manager.run({ signal });
});
