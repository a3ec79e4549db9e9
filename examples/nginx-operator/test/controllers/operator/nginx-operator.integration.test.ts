// The controller on a real API server: etcd and kube-apiserver, without a cluster behind them.
import { join } from 'node:path';
import { createClusterClient, createManager, loadCluster, type ClusterClient } from 'opsdk';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { eventually, startControlPlane, type ControlPlane } from 'opsdk/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NginxOperator } from '../../../src/api/operator/v1alpha1/nginx-operator.ts';
import { nginxOperatorController } from '../../../src/controllers/operator/nginx-operator.ts';

const crds = join(import.meta.dirname, '../../../config/crd/bases');
const key = { namespace: 'default', name: 'web' };
const stop = new AbortController();
let controlPlane: ControlPlane | undefined;
/** The administrator, who does what users of the operator do. */
let client: ClusterClient;
let running: Promise<void> | undefined;

beforeAll(async () => {
  controlPlane = await startControlPlane({ crds: [crds] });
  const cluster = await loadCluster({ kubeconfig: controlPlane.kubeconfig });
  client = createClusterClient({ cluster, fieldManager: 'test' });
  const manager = await createManager({
    name: 'nginx-operator',
    // Under `op-sdk rbac audit` the operator has the rights of its own role here.
    kubeconfig: controlPlane.operatorKubeconfig,
    health: '0',
    logLevel: 'error',
  });
  manager.add(nginxOperatorController);
  running = manager.run({ signal: stop.signal });
}, 600_000);

afterAll(async () => {
  stop.abort();
  await running;
  await client?.close();
  await controlPlane?.stop();
});

it('creates the Deployment, and follows the replicas', async () => {
  await client.create(NginxOperator, { metadata: key, spec: { replicas: 2 } });
  await eventually(async () => expect((await client.get(Deployment, key)).spec?.replicas).toBe(2));
  await client.patch(NginxOperator, key, { type: 'merge', body: { spec: { replicas: 0 } } });
  await eventually(async () => expect((await client.get(Deployment, key)).spec?.replicas).toBe(0));
});
