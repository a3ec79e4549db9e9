// A pretended node writes the statuses that a real kubelet has written (test/cluster/agreement).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient, loadCluster } from '../../../src/sdk/kube/index.ts';
import { startControlPlane, type ControlPlane, type PodDemand } from '../../../src/testing/index.ts';
import { uniqueNamespace } from '../../helpers/control-plane.ts';
import { readRecordings } from '../../cluster/agreement/recordings.ts';
import { runScenario, type Side } from '../../cluster/agreement/run-scenario.ts';
import { scenarios } from '../../cluster/agreement/scenarios.ts';

let plane: ControlPlane;
let side: Side;
const recordings = readRecordings();

beforeAll(async () => {
  plane = await startControlPlane({ nodes: { restartBackOff: 1500 } });
  side = await pretendedSide(plane);
});
afterAll(async () => {
  await side?.client.close();
  await plane?.stop();
});

test('every scenario has a recording, and every recording a scenario', () => {
  expect(Object.keys(recordings)).toEqual(scenarios.map(({ name }) => name));
  expect(scenarios.length).toBeGreaterThanOrEqual(20);
});

for (const scenario of scenarios)
  test.concurrent(scenario.name, async () => {
    expect(await runScenario(side, scenario)).toEqual(recordings[scenario.name]);
  });

async function pretendedSide({ kubeconfig, workloads, ...plane }: ControlPlane): Promise<Side> {
  const client = createClient({ cluster: await loadCluster({ kubeconfig }), fieldManager: 'agreement' });
  const unpushed = new Map<string, PodDemand>();
  const failing = new Map<string, PodDemand>();
  return {
    client,
    nodeName: 'node-1',
    namespace: () => uniqueNamespace(plane, 'agree'),
    begin(namespace, scenario) {
      for (const image of scenario.unpushed ?? [])
        unpushed.set(image, workloads.pods({ namespace }).failImagePull());
      for (const name of scenario.probed ?? [])
        failing.set(`${namespace}/${name}`, workloads.pods({ namespace, name }).notReady());
    },
    async exit({ metadata: { namespace, name } }, container, exitCode) {
      workloads.pods({ namespace: namespace ?? '', name, container }).crash({ exitCode });
    },
    async probe({ metadata: { namespace = '', name } }, succeeds) {
      const key = `${namespace}/${name}`;
      if (succeeds) failing.get(key)?.release();
      else failing.set(key, workloads.pods({ namespace, name }).notReady());
    },
    async push(image) {
      unpushed.get(image)?.release();
    },
    quiet: 600,
    timeout: 30_000,
  };
}
