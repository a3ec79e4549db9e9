import { createManager, operatorMain } from 'opsdk';
import { permissions } from './generated/rbac.ts';
import { memcachedWebhook } from './webhooks/cache/v1/memcached.ts';
import { memcachedConversion } from './conversions/cache/memcached.ts';
import { podWebhook } from './webhooks/core/v1/pod.ts';
// +op-sdk:scaffold:imports

// Reads the command line, and stops cleanly on SIGTERM.
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({
    name: 'all-webhooks',
    permissions,
    ...flags,
    // With --leader-elect only the replica that holds this Lease works. Keep the id: it is how replicas of all versions find each other.
    leaderElection: flags.leaderElect && { id: 'bc3996bd.example.com' },
  });
  manager.add(memcachedWebhook);
  manager.add(memcachedConversion);
  manager.add(podWebhook);
  // +op-sdk:scaffold:controllers
  await manager.run({ signal });
});
