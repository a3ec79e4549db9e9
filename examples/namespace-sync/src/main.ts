import { createManager, operatorMain } from 'opsdk';
import { configMapController } from './controllers/core/config-map.ts';
// +op-sdk:scaffold:imports

// Reads the command line, and stops cleanly on SIGTERM.
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({ name: 'namespace-sync', ...flags });
  manager.add(configMapController);
  // +op-sdk:scaffold:controllers
  await manager.run({ signal });
});
