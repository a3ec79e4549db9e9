import { createManager, operatorMain } from 'opsdk';
import { permissions } from './generated/rbac.ts';
import { podWebhook } from './webhooks/core/v1/pod.ts';
import { deploymentWebhook } from './webhooks/apps/v1/deployment.ts';
// +op-sdk:scaffold:imports

// Reads the command line, and stops cleanly on SIGTERM.
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({
    name: 'core-webhook',
    permissions,
    ...flags,
    // With --leader-elect only the replica that holds this Lease works. Keep the id: it is how replicas of all versions find each other.
    leaderElection: flags.leaderElect && { id: '39584102.example.com' },
  });
  manager.add(podWebhook);
  manager.add(deploymentWebhook);
  // +op-sdk:scaffold:controllers
  await manager.run({ signal });
});
