// Tests that join the control plane of an audit, and ask for kube-controller-manager, which does not run there.
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Deployment, ReplicaSet } from '../../../src/sdk/k8s/generated/apps/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../../src/sdk/kube/index.ts';
import {
  joinControlPlane,
  shareControlPlane,
} from '../../../src/testing/control-plane/join-control-plane.ts';
import { bootControlPlane } from '../../../src/testing/control-plane/start-control-plane.ts';
import { eventually, resolveAssets } from '../../../src/testing/index.ts';
import { processesWith } from '../../helpers/processes.ts';

const slow = { timeout: 60_000 };

async function deploy(client: KubeClient, name: string): Promise<void> {
  const labels = { app: name };
  await client.create(Deployment, {
    metadata: { name, namespace: 'default' },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web' }] } },
    },
  });
}

function replicaSets(client: KubeClient, app: string): Promise<number> {
  const options = { namespace: 'default', labelSelector: `app=${app}` };
  return client.list(ReplicaSet, options).then(({ items }) => items.length);
}

test('each who asks runs one, one of them works, and the next one takes over', async () => {
  await using plane = await bootControlPlane();
  const shared = await shareControlPlane(
    plane.shared({ operatorKubeconfig: plane.kubeconfig, controllerManager: false }),
  );
  const cluster = await loadCluster({ kubeconfig: plane.kubeconfig, env: {} });
  const client = createClient({ cluster, fieldManager: 'test', onWarning: () => undefined });
  try {
    await using _other = await joinControlPlane(shared, {});
    await deploy(client, 'one');
    expect(await processesWith(`${plane.folder}/joined-`)).toEqual([]);
    const first = await joinControlPlane(shared, { controllerManager: true });
    const second = await joinControlPlane(shared, { controllerManager: true });
    await eventually(async () => expect(await replicaSets(client, 'one')).toBe(1), slow);
    await first.stop();
    await deploy(client, 'two');
    await eventually(async () => expect(await replicaSets(client, 'two')).toBe(1), slow);
    expect(await replicaSets(client, 'one')).toBe(1);
    await second.stop();
    expect(await processesWith(`${plane.folder}/joined-`)).toEqual([]);
  } finally {
    await client.close();
  }
});

test('it is not taken for granted that it is installed', async () => {
  await using plane = await bootControlPlane();
  const shared = await shareControlPlane(
    plane.shared({ operatorKubeconfig: plane.kubeconfig, controllerManager: false }),
  );
  const { folder } = await resolveAssets();
  const assets = await mkdtemp(join(tmpdir(), 'op-sdk-test-'));
  try {
    for (const name of ['etcd', 'kube-apiserver']) await copyFile(join(folder, name), join(assets, name));
    await expect(joinControlPlane(shared, { controllerManager: true, assets })).rejects.toMatchObject({
      findings: [
        {
          code: 'testenv/missing-binaries',
          message: expect.stringContaining('kube-controller-manager') as unknown,
        },
      ],
    });
  } finally {
    await rm(assets, { recursive: true });
  }
});
