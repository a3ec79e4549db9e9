import { createManager, operatorMain } from 'opsdk';
import { permissions } from './generated/rbac.ts';
import { prometheusController } from './controllers/monitoring/prometheus.ts';
import { alertmanagerController } from './controllers/monitoring/alertmanager.ts';
import { thanosRulerController } from './controllers/monitoring/thanos-ruler.ts';
import { prometheusRuleWebhook } from './webhooks/monitoring/v1/prometheus-rule.ts';
// +op-sdk:scaffold:imports

// Reads the command line, and stops cleanly on SIGTERM.
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({
    name: 'prometheus-operator',
    permissions,
    ...flags,
    // With --leader-elect only the replica that holds this Lease works. Keep the id: it is how replicas of all versions find each other.
    leaderElection: flags.leaderElect && { id: 'e13ba50c.coreos.com' },
  });
  manager.add(prometheusController);
  manager.add(alertmanagerController);
  manager.add(thanosRulerController);
  manager.add(prometheusRuleWebhook);
  // +op-sdk:scaffold:controllers
  await manager.run({ signal });
});
