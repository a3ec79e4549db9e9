// The operator on a real API server, with nodes that pretend to run Pods and a JobManager that answers as Flink's REST API does. Both
// versions are used: the API server asks the operator to convert them.
import { join } from 'node:path';
import { createClusterClient, createManager, loadCluster, type ClusterClient } from 'opsdk';
import { ConfigMap } from 'opsdk/k8s/core/v1';
import { eventually, startControlPlane, type ControlPlane } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FlinkCluster as FlinkClusterV1alpha1 } from '../../../src/api/flink/v1alpha1/flink-cluster.ts';
import { FlinkCluster } from '../../../src/api/flink/v1beta1/flink-cluster.ts';
import { createFlinkClusterController } from '../../../src/controllers/flink/flink-cluster.ts';
import { flinkClusterConversion } from '../../../src/conversions/flink/flink-cluster.ts';
import { httpFlink } from '../../../src/flink/flink-api.ts';
import { key } from '../../fixtures/cluster.ts';
import { ScriptedFlink } from '../../fixtures/scripted-flink.ts';

expect.extend(kubernetesMatchers);

const crds = join(import.meta.dirname, '../../../config/crd/bases');

describe('FlinkCluster', () => {
  const stop = new AbortController();
  let flink: ScriptedFlink;
  let controlPlane: ControlPlane | undefined;
  /** The administrator, who does what users of the operator do. */
  let client: ClusterClient;
  let running: Promise<void> | undefined;

  beforeAll(async () => {
    flink = await ScriptedFlink.start();
    controlPlane = await startControlPlane({ crds: [crds], nodes: 1, webhooks: { paths: [] } });
    const { kubeconfig, operatorKubeconfig, webhooks } = controlPlane;
    client = createClusterClient({ cluster: await loadCluster({ kubeconfig }), fieldManager: 'test' });
    const manager = await createManager({
      name: 'flink-operator',
      kubeconfig: operatorKubeconfig,
      webhooks,
      health: '0',
      logLevel: 'error',
    });
    const connect: typeof httpFlink = (_address, signal) => httpFlink(flink.address, signal);
    manager.add(createFlinkClusterController({ connect }));
    manager.add(flinkClusterConversion);
    running = manager.run({ signal: stop.signal });
    await eventually(() => expect(manager.ports.webhooks).toBeDefined());
  }, 900_000);

  afterAll(async () => {
    stop.abort();
    await running;
    await client?.close();
    await controlPlane?.stop();
    await flink?.[Symbol.asyncDispose]();
  });

  it('starts the processes of a cluster of the first version', async () => {
    const settings = { metadata: { ...key, name: 'flink' }, data: { 'flink.properties': '' } };
    await client.create(ConfigMap, settings);
    await client.create(FlinkClusterV1alpha1, {
      metadata: key,
      spec: {
        image: 'flink:1.20',
        parallelism: 2,
        jobmanagerMemoryMB: 1024,
        taskManagerMemoryMB: 2048,
        configMap: 'flink',
        logLevel: 'INFO',
      },
    });
    await eventually(
      async () =>
        expect(await client.get(FlinkCluster, key)).toHaveCondition('Ready', 'True', {
          reason: 'SessionReady',
        }),
      { timeout: '60s' },
    );
    const { spec, status } = await client.get(FlinkCluster, key);
    expect(spec.taskManagers).toEqual({ memoryMB: 2048, slots: 1 });
    expect(status?.taskManagers).toBe(2);
  });

  it('runs a job of the second version, which an edit of the first one does not lose', async () => {
    await client.mergePatch(FlinkCluster, key, { spec: { job: { jar: 'wordcount.jar' } } });
    await eventually(() => expect(flink.submissions).toHaveLength(1), { timeout: '30s' });
    await client.mergePatch(FlinkClusterV1alpha1, key, { spec: { logLevel: 'DEBUG' } });
    const { spec } = await client.get(FlinkCluster, key);
    expect(spec).toMatchObject({ logLevel: 'DEBUG', job: { jar: 'wordcount.jar' } });
  });
});
