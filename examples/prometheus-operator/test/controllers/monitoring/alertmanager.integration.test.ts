// The controller on a real API server: etcd and kube-apiserver, without a cluster behind them.
import { createClusterClient, createManager, loadCluster, type ClusterClient } from 'opsdk';
import { eventually, startControlPlane, type ControlPlane } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Alertmanager } from '../../../src/api/monitoring/v1/alertmanager.ts';
import { alertmanagerController } from '../../../src/controllers/monitoring/alertmanager.ts';

expect.extend(kubernetesMatchers);

const key = { name: 'alertmanager-sample', namespace: 'default' };
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
  const manager = await createManager({
    name: 'prometheus-operator',
    kubeconfig,
    health: '0',
    logLevel: 'error',
  });
  manager.add(alertmanagerController);
  running = manager.run({ signal: stop.signal });
}, 900_000);

afterAll(async () => {
  stop.abort();
  await running;
  await client?.close();
  await controlPlane?.stop();
});

it('reports that the object is ready', async () => {
  await client.create(Alertmanager, { metadata: key, spec: {} });
  await eventually(async () => {
    expect(await client.get(Alertmanager, key)).toHaveCondition('Ready', 'True');
  });
});
