// The controller on a real API server: etcd and kube-apiserver, without a cluster behind them.
import { createManager, type Manager } from 'opsdk';
import { eventually, startControlPlane, type ControlPlane } from 'opsdk/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Ingress } from 'opsdk/k8s/networking/v1';
import { ingressController } from '../../../src/controllers/networking/ingress.ts';

const stop = new AbortController();
let controlPlane: ControlPlane | undefined;
let manager: Manager;
let running: Promise<void> | undefined;

// The first start downloads or builds the control plane.
beforeAll(async () => {
  controlPlane = await startControlPlane();
  // Under `op-sdk rbac audit` the operator has the rights of its own role here.
  const kubeconfig = controlPlane.operatorKubeconfig;
  manager = await createManager({ name: 'core', kubeconfig, health: '0', logLevel: 'error' });
  manager.add(ingressController);
  running = manager.run({ signal: stop.signal });
}, 900_000);

afterAll(async () => {
  stop.abort();
  await running;
  await controlPlane?.stop();
});

// Create an object here, and expect what your controller does about it.
it('watches the kind', async () => {
  await eventually(async () => {
    expect((await manager.client.list(Ingress)).items).toBeDefined();
  });
});
