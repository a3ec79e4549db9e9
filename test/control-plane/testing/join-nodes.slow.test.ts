// Tests that join the control plane of an audit, and bring nodes.
import { expect, test } from 'vitest';
import { Deployment } from '../../../src/sdk/k8s/generated/apps/v1.ts';
import { Node } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../../src/sdk/kube/index.ts';
import {
  joinControlPlane,
  shareControlPlane,
} from '../../../src/testing/control-plane/join-control-plane.ts';
import { NodeTurns } from '../../../src/testing/control-plane/node-turns.ts';
import { bootControlPlane } from '../../../src/testing/control-plane/start-control-plane.ts';
import { eventually } from '../../../src/testing/index.ts';
import { processesWith } from '../../helpers/processes.ts';

const slow = { timeout: 60_000 };

/** Creates a Deployment and waits until its Pods are ready. */
async function deploy(client: KubeClient, name: string, replicas: number): Promise<void> {
  const labels = { app: name };
  await client.create(Deployment, {
    metadata: { name, namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web' }] } },
    },
  });
  await ready(client, name, replicas);
}

async function ready(client: KubeClient, name: string, replicas: number): Promise<void> {
  await eventually(async () => {
    const { status } = await client.get(Deployment, { name, namespace: 'default' });
    expect(status).toMatchObject({ availableReplicas: replicas });
  }, slow);
}

async function nodeNames(client: KubeClient): Promise<readonly string[]> {
  const { items } = await client.list(Node);
  return items.map(({ metadata }) => metadata.name).sort();
}

test('one after the other has nodes, and leaves none behind', async () => {
  await using plane = await bootControlPlane({ nodesMayJoin: true });
  await using turns = await NodeTurns.open();
  const shared = await shareControlPlane(
    plane.shared({
      operatorKubeconfig: plane.kubeconfig,
      controllerManager: false,
      nodeTurns: turns.port,
    }),
  );
  const cluster = await loadCluster({ kubeconfig: plane.kubeconfig, env: {} });
  const client = createClient({ cluster, fieldManager: 'test', onWarning: () => undefined });
  try {
    const first = await joinControlPlane(shared, { nodes: 2 });
    await deploy(client, 'one', 2);
    expect(first.workloads.nodes.map(({ name }) => name)).toEqual(['node-1', 'node-2']);
    expect(await nodeNames(client)).toEqual(['node-1', 'node-2']);

    // Not beside each other.
    await expect(joinControlPlane(shared, { nodes: 1, startTimeout: '1s' })).rejects.toMatchObject({
      code: 'testenv/cannot-join',
      message: expect.stringContaining('another test has nodes there') as unknown,
    });
    const waiting = joinControlPlane(shared, { nodes: 1 });
    // Whoever has no nodes does not wait.
    await using _other = await joinControlPlane(shared, {});
    await first.stop();
    const second = await waiting;
    expect(await nodeNames(client)).toEqual(['node-1']);
    await deploy(client, 'two', 1);
    await ready(client, 'one', 2);

    await second.stop();
    expect(await nodeNames(client)).toEqual([]);
    expect(await processesWith(`${plane.folder}/joined-`)).toEqual([]);
  } finally {
    await client.close();
  }
});
