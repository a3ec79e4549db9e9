import { createManager, operatorMain } from 'opsdk';
import { permissions } from './generated/rbac.ts';
import { deploymentController } from './controllers/apps/deployment.ts';
import { deploymentAuditController } from './controllers/apps/deployment-audit.ts';
import { ingressController } from './controllers/networking/ingress.ts';
import { podController } from './controllers/core/pod.ts';
// +op-sdk:scaffold:imports

// Reads the command line, and stops cleanly on SIGTERM.
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({
    name: 'core',
    permissions,
    ...flags,
    // With --leader-elect only the replica that holds this Lease works. Keep the id: it is how replicas of all versions find each other.
    leaderElection: flags.leaderElect && { id: 'dd5e607e.example.com' },
  });
  manager.add(deploymentController);
  manager.add(deploymentAuditController);
  manager.add(ingressController);
  manager.add(podController);
  // +op-sdk:scaffold:controllers
  await manager.run({ signal });
});
