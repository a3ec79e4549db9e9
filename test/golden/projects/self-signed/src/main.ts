import { createManager, operatorMain } from 'opsdk';
import { permissions } from './generated/rbac.ts';
import { memcachedWebhook } from './webhooks/cache/v1/memcached.ts';
// +op-sdk:scaffold:imports

// Reads the command line, and stops cleanly on SIGTERM.
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({
    name: 'self-signed',
    permissions,
    ...flags,
    // With --leader-elect only the replica that holds this Lease works. Keep the id: it is how replicas of all versions find each other.
    leaderElection: flags.leaderElect && { id: 'b239e0fa.example.com' },
  });
  manager.add(memcachedWebhook);
  // +op-sdk:scaffold:controllers
  await manager.run({ signal });
});
