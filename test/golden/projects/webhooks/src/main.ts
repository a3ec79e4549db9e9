import { createManager, operatorMain } from 'opsdk';
import { permissions } from './generated/rbac.ts';
import { memcachedController } from './controllers/cache/memcached.ts';
import { memcachedWebhook } from './webhooks/cache/v1/memcached.ts';
import { memcachedWebhook as memcachedV2Webhook } from './webhooks/cache/v2/memcached.ts';
import { backupWebhook } from './webhooks/backup/v1/backup.ts';
// +op-sdk:scaffold:imports

// Reads the command line, and stops cleanly on SIGTERM.
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({
    name: 'webhooks',
    permissions,
    ...flags,
    // With --leader-elect only the replica that holds this Lease works. Keep the id: it is how replicas of all versions find each other.
    leaderElection: flags.leaderElect && { id: 'a84720cf.example.com' },
  });
  manager.add(memcachedController);
  manager.add(memcachedWebhook);
  manager.add(memcachedV2Webhook);
  manager.add(backupWebhook);
  // +op-sdk:scaffold:controllers
  await manager.run({ signal });
});
