import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient, loadCluster, type KubeClient } from '../../../../src/sdk/kube/index.ts';
import { tooOldForBundle } from '../../../../src/olm/run/run-names.ts';
import { startControlPlane, type ControlPlane } from '../../../../src/testing/index.ts';

let plane: ControlPlane;
let client: KubeClient;
beforeAll(async () => {
  plane = await startControlPlane();
  client = createClient({
    cluster: await loadCluster({ kubeconfig: plane.kubeconfig }),
    fieldManager: 'test',
  });
}, 180_000);
afterAll(async () => {
  await client?.close();
  await plane?.stop();
});

const { signal } = new AbortController();

test.each(['', '1.20.0', ' v1.20.0 ', 'soon'])(
  'a bundle for Kubernetes %j needs no warning',
  async (minKubeVersion) => {
    expect(await tooOldForBundle(client, { csv: 'web.v0.1.0', minKubeVersion }, signal)).toBeUndefined();
  },
);

test('a bundle that needs a newer API server is warned about, with both versions', async () => {
  const found = await tooOldForBundle(client, { csv: 'web.v0.1.0', minKubeVersion: '1.99.0' }, signal);
  expect(found).toMatchObject({
    code: 'olm/min-kube-version',
    message: expect.stringMatching(
      /^web\.v0\.1\.0 needs Kubernetes 1\.99\.0 or newer, but the cluster has v1\.\d+/,
    ),
  });
});
