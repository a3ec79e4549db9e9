import { createManager, operatorMain } from 'opsdk';
import { permissions } from './generated/rbac.ts';
import { flinkClusterController } from './controllers/flink/flink-cluster.ts';
import { flinkClusterConversion } from './conversions/flink/flink-cluster.ts';
// +op-sdk:scaffold:imports

// Reads the command line, and stops cleanly on SIGTERM.
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({
    name: 'flink-operator',
    permissions,
    ...flags,
    // With --leader-elect only the replica that holds this Lease works. Keep the id: it is how replicas of all versions find each other.
    leaderElection: flags.leaderElect && { id: 'a0f1b130.apache.org' },
  });
  manager.add(flinkClusterController);
  manager.add(flinkClusterConversion);
  // +op-sdk:scaffold:controllers
  await manager.run({ signal });
});
