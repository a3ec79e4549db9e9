// The controller on a real API server: etcd and kube-apiserver, without a cluster behind them.
import { createClusterClient, createManager, loadCluster, type ClusterClient } from 'opsdk';
import { eventually, startControlPlane, type ControlPlane } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ThanosRuler } from '../../../src/api/monitoring/v1/thanos-ruler.ts';
import { thanosRulerController } from '../../../src/controllers/monitoring/thanos-ruler.ts';

expect.extend(kubernetesMatchers);

const key = { name: 'thanosruler-sample', namespace: 'default' };
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
  manager.add(thanosRulerController);
  running = manager.run({ signal: stop.signal });
}, 900_000);

afterAll(async () => {
  stop.abort();
  await running;
  await client?.close();
  await controlPlane?.stop();
});

it('reports that the object is ready', async () => {
  await client.create(ThanosRuler, { metadata: key, spec: {} });
  await eventually(async () => {
    expect(await client.get(ThanosRuler, key)).toHaveCondition('Ready', 'True');
  });
});
