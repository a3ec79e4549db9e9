import { createManager, operatorMain } from 'opsdk';
import { permissions } from './generated/rbac.ts';
import { memcachedController } from './controllers/cache/memcached.ts';
import { memcachedController as legacyCacheMemcachedController } from './controllers/legacy.cache/memcached.ts';
import { httpProxyController } from './controllers/network/http-proxy.ts';
// +op-sdk:scaffold:imports

// Reads the command line, and stops cleanly on SIGTERM.
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({
    name: 'kinds',
    permissions,
    ...flags,
    // With --leader-elect only the replica that holds this Lease works. Keep the id: it is how replicas of all versions find each other.
    leaderElection: flags.leaderElect && { id: 'ea4d1190.example.com' },
  });
  manager.add(memcachedController);
  manager.add(legacyCacheMemcachedController);
  manager.add(httpProxyController);
  // +op-sdk:scaffold:controllers
  await manager.run({ signal });
});
