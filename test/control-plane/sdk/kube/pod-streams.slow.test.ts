// Commands, logs and ports of Pods, and evictions: our client, a real API server, and processes as containers.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ApiClient,
  createClient,
  isTooManyRequests,
  loadCluster,
  type KubeClient,
} from '../../../../src/sdk/kube/index.ts';
import { ConfigMap, Pod } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { PodDisruptionBudget } from '../../../../src/sdk/k8s/generated/policy/v1.ts';
import { systemClock } from '../../../../src/sdk/net/index.ts';
import { Fence } from '../../../../src/sdk/runtime/election/fence.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../../src/testing/index.ts';
import { podStreamCases } from '../../../helpers/pod-streams.ts';
import { container, namespace, shell, startShell, type PodStreams } from '../../../helpers/shell-pod.ts';

const pretended = { name: 'pretended', namespace };

describe.skipIf(process.platform !== 'linux')('streams of Pods', () => {
  let plane: ControlPlane;
  let client: KubeClient;

  beforeAll(async () => {
    plane = await startControlPlane({
      nodes: {
        runProcesses: {
          shell: ({ command: [file = '', ...args] }) => ({
            file: file === 'node' ? process.execPath : file,
            args,
          }),
        },
      },
    });
    client = createClient({
      cluster: await loadCluster({ kubeconfig: plane.kubeconfig }),
      fieldManager: 'test',
    });
    await startShell(streams(), shell.name);
    await pretend(pretended.name);
  });
  afterAll(async () => {
    await client?.close();
    await plane?.stop();
  });

  const streams = (): PodStreams => ({
    client,
    kubeconfig: plane.kubeconfig,
    image: 'shell',
    address: '$(POD_IP)',
  });
  /** Creates a Pod that has no process. */
  async function pretend(name: string): Promise<void> {
    const labels = { app: name };
    const containers = [{ name: container, image: 'nginx' }];
    await client.create(Pod, { metadata: { name, namespace, labels }, spec: { containers } });
    await eventually(async () => {
      const { status } = await client.get(Pod, { name, namespace });
      expect(status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True');
    });
  }

  podStreamCases(streams, { onItsWay: 8 * 1024 * 1024 });

  test('a command ends when the operator no longer leads', async () => {
    const fence = new Fence('default/lease', systemClock, () => undefined);
    const guarded = new ApiClient(fence.guard(client.connection), 'test');
    await expect(guarded.exec(shell, { command: ['ls'] })).rejects.toMatchObject({
      code: 'runtime/not-leader',
    });
    fence.open(systemClock.now() + 60_000);
    const running = guarded.exec(shell, { command: ['sleep', '1000'] });
    setTimeout(() => fence.close(new Error('lost')), 300);
    await expect(running).rejects.toThrow('lost');
  });

  test('refusals say what is missing', async () => {
    await expect(client.exec(pretended, { container, command: ['ls'] })).rejects.toThrow(
      'pretends to run and has no process',
    );
    await expect(client.exec(shell, { command: [] })).rejects.toMatchObject({ code: 'kube/invalid-request' });
  });

  test('a budget forbids an eviction, which callers can tell', async () => {
    await pretend('guarded');
    const guarded = { name: 'guarded', namespace };
    await client.create(PodDisruptionBudget, {
      metadata: { name: 'guarded', namespace },
      spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'guarded' } } },
    });
    const refusal = await eventually(async () => {
      const error: unknown = await client.evict(guarded, { dryRun: true }).catch((thrown: unknown) => thrown);
      expect(isTooManyRequests(error)).toBe(true);
      return error;
    });
    expect(refusal).toMatchObject({ code: 'kube/too-many-requests' });
    await client.delete(PodDisruptionBudget, guarded);
    await eventually(() => client.evict(guarded, { gracePeriodSeconds: 0 }));
    await eventually(async () => expect(await client.find(Pod, guarded)).toBeUndefined());
    await client.delete(Pod, guarded, { ignoreNotFound: true });
    await expect(client.delete(Pod, guarded)).rejects.toMatchObject({ code: 'kube/not-found' });
  });

  test('a merge patch removes a field by null', async () => {
    const settings = { name: 'settings', namespace };
    await client.mergePatch(ConfigMap, settings, { metadata: { labels: { a: '1' } }, data: { more: 'x' } });
    const { data } = await client.mergePatch(ConfigMap, settings, { data: { more: null } });
    expect(data).toEqual({ color: 'red' });
  });
});
