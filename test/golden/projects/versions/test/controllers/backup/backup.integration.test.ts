// The controller on a real API server: etcd and kube-apiserver, without a cluster behind them.
import { createClusterClient, createManager, loadCluster, type ClusterClient } from 'opsdk';
import { eventually, startControlPlane, type ControlPlane } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Backup } from '../../../src/api/backup/v1/backup.ts';
import { backupController } from '../../../src/controllers/backup/backup.ts';

expect.extend(kubernetesMatchers);

const key = { name: 'backup-sample', namespace: 'default' };
const stop = new AbortController();
let controlPlane: ControlPlane | undefined;
/** The administrator, who does what users of the operator do. */
let client: ClusterClient;
let running: Promise<void> | undefined;

// The first start downloads or builds the control plane.
beforeAll(async () => {
  controlPlane = await startControlPlane({ crds: ['config/crd/bases'] });
  client = createClusterClient({
    cluster: await loadCluster({ kubeconfig: controlPlane.kubeconfig }),
    fieldManager: 'test',
  });
  // Under `op-sdk rbac audit` the operator has the rights of its own role here.
  const kubeconfig = controlPlane.operatorKubeconfig;
  const manager = await createManager({ name: 'versions', kubeconfig, health: '0', logLevel: 'error' });
  manager.add(backupController);
  running = manager.run({ signal: stop.signal });
}, 900_000);

afterAll(async () => {
  stop.abort();
  await running;
  await client?.close();
  await controlPlane?.stop();
});

it('reports that the object is ready', async () => {
  await client.create(Backup, { metadata: key, spec: {} });
  await eventually(async () => {
    expect(await client.get(Backup, key)).toHaveCondition('Ready', 'True');
  });
});
