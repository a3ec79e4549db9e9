// The operator on a real API server, with a node that pretends to run the scheduler.
import { join } from 'node:path';
import { createClusterClient, createManager, loadCluster, type ClusterClient } from 'opsdk';
import { Namespace, ServiceAccount } from 'opsdk/k8s/core/v1';
import { eventually, startControlPlane, type ControlPlane } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KubeScheduler } from '../../../src/api/scheduling/v1alpha1/kube-scheduler.ts';
import { Scheduler } from '../../../src/api/scheduling/v1alpha1/scheduler.ts';
import { kubeSchedulerController } from '../../../src/controllers/scheduling/kube-scheduler.ts';
import { operandKey } from '../../../src/operand/desired.ts';

expect.extend(kubernetesMatchers);

const crds = join(import.meta.dirname, '../../../config/crd/bases');
const key = { name: 'cluster' };

describe('KubeScheduler', () => {
  const stop = new AbortController();
  let controlPlane: ControlPlane | undefined;
  /** The administrator, who does what users of the operator do. */
  let client: ClusterClient;
  let running: Promise<void> | undefined;

  beforeAll(async () => {
    controlPlane = await startControlPlane({ crds: [crds], nodes: 1 });
    client = createClusterClient({
      cluster: await loadCluster({ kubeconfig: controlPlane.kubeconfig }),
      fieldManager: 'test',
    });
    // config/operand makes them in a cluster.
    await client.create(Namespace, { metadata: { name: operandKey.namespace } });
    await client.create(ServiceAccount, { metadata: operandKey });
    const kubeconfig = controlPlane.operatorKubeconfig;
    const manager = await createManager({
      name: 'scheduler-operator',
      kubeconfig,
      health: '0',
      logLevel: 'error',
    });
    manager.add(kubeSchedulerController);
    running = manager.run({ signal: stop.signal });
  }, 900_000);

  afterAll(async () => {
    stop.abort();
    await running;
    await client?.close();
    await controlPlane?.stop();
  });

  it('is available, with the profile of the Scheduler', async () => {
    await client.create(Scheduler, { metadata: key, spec: { profile: 'HighNodeUtilization' } });
    await client.create(KubeScheduler, { metadata: key, spec: { image: 'kube-scheduler:v1.37.2' } });
    await eventually(
      async () => {
        const scheduler = await client.get(KubeScheduler, key);
        expect(scheduler).toHaveCondition('Available', 'True');
        expect(scheduler).toHaveCondition('Progressing', 'False');
        expect(scheduler.status?.profile).toBe('HighNodeUtilization');
      },
      { timeout: '60s' },
    );
  });

  it('is the only one of its kind', async () => {
    const second = { metadata: { name: 'second' }, spec: { image: 'kube-scheduler:v1.37.2' } };
    await expect(client.create(KubeScheduler, second)).rejects.toThrow('its name is cluster');
  });
});
