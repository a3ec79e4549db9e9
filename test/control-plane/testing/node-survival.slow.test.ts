// Nodes go on when the API server was away.
import { expect, test } from 'vitest';
import { createClient, loadCluster } from '../../../src/sdk/kube/index.ts';
import { Deployment } from '../../../src/sdk/k8s/generated/apps/v1.ts';
import { Node, Pod } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { eventually, startControlPlane } from '../../../src/testing/index.ts';

test('what happens while the API server is away is reported when it is back', async () => {
  await using plane = await startControlPlane({ nodes: { count: 1, restartBackOff: 300 } });
  const client = createClient({
    cluster: await loadCluster({ kubeconfig: plane.kubeconfig }),
    fieldManager: 'test',
  });
  try {
    const key = { name: 'web', namespace: 'default' };
    const deploy = (replicas: number) =>
      client.apply(Deployment, {
        metadata: key,
        spec: {
          replicas,
          selector: { matchLabels: { app: 'web' } },
          template: {
            metadata: { labels: { app: 'web' } },
            spec: { containers: [{ name: 'main', image: 'example.com/web:v1' }] },
          },
        },
      });
    const ready = async () => (await client.get(Deployment, key)).status?.readyReplicas ?? 0;
    await deploy(1);
    await eventually(async () => expect(await ready()).toBe(1));

    await plane.killApiServer('SIGKILL');
    plane.workloads.pods({ labels: 'app=web' }).crash({ exitCode: 9 });
    await plane.restartApiServer();

    await eventually(
      async () => {
        const [pod] = (await client.list(Pod, { namespace: 'default', labelSelector: 'app=web' })).items;
        expect(pod?.status?.containerStatuses?.[0]).toMatchObject({
          ...{ restartCount: 1, ready: true },
          lastState: { terminated: { exitCode: 9 } },
        });
      },
      { timeout: '60s' },
    );
    // As the controller manager does when it sees no lease in time.
    const lost = { type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown', message: '' };
    await client.patch(
      Node,
      { name: 'node-1' },
      { type: 'strategic', body: { status: { conditions: [lost] } } },
      { subresource: 'status' },
    );
    await deploy(3);
    await eventually(async () => expect(await ready()).toBe(3), { timeout: '60s' });
    await eventually(async () => {
      const [node] = (await client.list(Node)).items;
      expect(node?.status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True');
      expect(node?.spec?.taints ?? []).toEqual([]);
    });
    // As it does with the Pods of such a node.
    const unready = { status: { conditions: [{ type: 'Ready', status: 'False' }] } };
    for (const { metadata } of (await client.list(Pod, { namespace: 'default' })).items)
      await client.patch(Pod, metadata, { type: 'strategic', body: unready }, { subresource: 'status' });
    await eventually(async () => {
      const { items } = await client.list(Pod, { namespace: 'default' });
      const ready = items.map(({ status }) => status?.conditions?.find(({ type }) => type === 'Ready'));
      expect(ready.map((condition) => condition?.status)).toEqual(['True', 'True', 'True']);
    });
  } finally {
    await client.close();
  }
});
