import { createManager, operatorMain } from 'opsdk';
import { permissions } from './generated/rbac.ts';
import { kubeSchedulerController } from './controllers/scheduling/kube-scheduler.ts';
// +op-sdk:scaffold:imports

// Reads the command line, and stops cleanly on SIGTERM.
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({
    name: 'scheduler-operator',
    permissions,
    ...flags,
    // With --leader-elect only the replica that holds this Lease works. Keep the id: it is how replicas of all versions find each other.
    leaderElection: flags.leaderElect && { id: '6157578d.example.com' },
  });
  manager.add(kubeSchedulerController);
  // +op-sdk:scaffold:controllers
  await manager.run({ signal });
});
