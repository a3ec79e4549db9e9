import { createManager, operatorMain } from 'opsdk';
import { permissions } from './generated/rbac.ts';
import { memcachedConversion } from './conversions/cache/memcached.ts';
// +op-sdk:scaffold:imports

// Reads the command line, and stops cleanly on SIGTERM.
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({
    name: 'conversion',
    permissions,
    ...flags,
    // With --leader-elect only the replica that holds this Lease works. Keep the id: it is how replicas of all versions find each other.
    leaderElection: flags.leaderElect && { id: '8cdfbd85.example.com' },
  });
  manager.add(memcachedConversion);
  // +op-sdk:scaffold:controllers
  await manager.run({ signal });
});
