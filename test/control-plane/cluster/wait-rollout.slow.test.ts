import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { externalResource, type KubeObject } from '../../../src/sdk/api/index.ts';
import { applyObjects, waitRollout, type RolloutRequest } from '../../../src/cluster/index.ts';
import { ResourceQuota } from '../../../src/sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import { eventually } from '../../../src/testing/index.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../../helpers/control-plane.ts';
import { clientOf, deployment, findingsOf, manifest } from './helpers.ts';

interface Pod extends KubeObject {
  status?: object;
}
const Pod = externalResource<Pod>({
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  scope: 'Namespaced',
});
const Event = externalResource({
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  scope: 'Namespaced',
});
const Deployment = externalResource({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  scope: 'Namespaced',
});
const DaemonSet = externalResource({
  group: 'apps',
  version: 'v1',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  scope: 'Namespaced',
});

let client: KubeClient;
let namespace: string;
beforeAll(async () => {
  const plane = await sharedControlPlane();
  client = await clientOf(plane);
  namespace = await uniqueNamespace(plane, 'rollout');
});
afterAll(() => client.close());

/** Applies objects and waits for them; what was told on the way. */
async function rollOut(objects: readonly object[], options: Partial<RolloutRequest> = {}): Promise<string[]> {
  const lines: string[] = [];
  const applied = await applyObjects({ client, objects: manifest(...objects) });
  await waitRollout({
    client,
    objects: applied.map(({ object }) => object),
    timeout: 60_000,
    interval: 30,
    onProgress: (line) => lines.push(line),
    ...options,
  });
  return lines;
}

/** The Pod that the controllers make for an application. */
async function podOf(app: string): Promise<Pod> {
  return eventually(
    async () => (await client.list(Pod, { namespace, labelSelector: `app=${app}` })).items[0] ?? false,
    { timeout: 60_000, interval: 30 },
  );
}

/** Writes the status of a Pod, as its node would. */
async function setPodStatus({ metadata }: Pod, status: object): Promise<void> {
  const { name } = metadata;
  await client.patch(
    Pod,
    { name, namespace },
    { type: 'merge', body: { status } },
    { subresource: 'status' },
  );
}

const container = (state: object, more: object = {}): object => ({
  containerStatuses: [
    {
      name: 'main',
      image: 'example.com/none:v1',
      imageID: '',
      ready: false,
      restartCount: 0,
      state,
      ...more,
    },
  ],
});

describe('waiting for a rollout', () => {
  test('ends when the Pods are available', async () => {
    const name = uniqueName('ready');
    const waiting = rollOut([deployment(name, namespace)]);
    const ready = { type: 'Ready', status: 'True', lastTransitionTime: new Date(0).toISOString() };
    await setPodStatus(await podOf(name), { phase: 'Running', conditions: [ready] });
    const lines = await waiting;
    expect(lines.at(-1)).toBe(`deployment.apps/${name} is rolled out`);
    expect(lines.some((line) => line.startsWith(`waiting for deployment.apps/${name}: `))).toBe(true);
  });

  test('has nothing to wait for without a workload, or without a replica', async () => {
    const name = uniqueName('none');
    const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } };
    const nodes = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name, namespace },
      spec: {
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name } },
          spec: { containers: [{ name: 'main', image: 'example.com/none:v1' }] },
        },
      },
    };
    const lines = await rollOut([settings, nodes, deployment(name, namespace, { replicas: 0 })]);
    expect(lines.filter((line) => line.endsWith('is rolled out')).sort()).toEqual([
      `daemonset.apps/${name} is rolled out`,
      `deployment.apps/${name} is rolled out`,
    ]);
    await client.delete(DaemonSet, { name, namespace });
  });

  test('gives up after the timeout and says what the Pod waits for', async () => {
    const name = uniqueName('image');
    const failing = findingsOf(rollOut([deployment(name, namespace)], { timeout: 3_000 }));
    const pod = await podOf(name);
    await setPodStatus(
      pod,
      container({ waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image' } }),
    );
    const [finding, ...others] = await failing;
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      code: 'cluster/rollout-timeout',
      where: { file: 'all.yaml', line: 1, column: 1 },
    });
    expect(finding?.message).toContain(
      `deployment.apps/${name} is not rolled out after 3s: 0 of 1 new replicas`,
    );
    expect(finding?.message).toContain(
      `Pod ${pod.metadata.name}: container main: ImagePullBackOff of example.com/none:v1: Back-off pulling image`,
    );
    expect(finding?.fix?.[0]).toBe('push the image, and check its name: op-sdk deploy --image REF');
  });

  const notFound =
    'rpc error: code = NotFound desc = failed to resolve reference "example.com/none:v1": not found';
  // Nothing of what is waited for here is waited for by its time.
  const hasty = { image: 0, noNodes: 0, unreadyNodes: 0 };
  const patient = { image: 600_000, noNodes: 600_000, unreadyNodes: 600_000 };

  test('ends early with an image that is not there', async () => {
    const name = uniqueName('absent');
    const patience = { ...patient, image: 0 };
    const failing = findingsOf(rollOut([deployment(name, namespace)], { patience }));
    const pod = await podOf(name);
    await setPodStatus(pod, container({ waiting: { reason: 'ErrImagePull', message: notFound } }));
    const [finding, ...others] = await failing;
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ code: 'cluster/image-not-pulled', where: { file: 'all.yaml' } });
    expect(finding?.message).toContain(
      `deployment.apps/${name} cannot be rolled out: example.com/none:v1 cannot be pulled\nPod ${pod.metadata.name}: container main: ErrImagePull of example.com/none:v1: ${notFound}`,
    );
    expect(finding?.fix?.[0]).toBe('push the image, and check its name: op-sdk deploy --image REF');
  });

  test('does not end for the image of a former deploy', async () => {
    const name = uniqueName('former');
    await applyObjects({ client, objects: manifest(deployment(name, namespace)) });
    const former = await podOf(name);
    const failed = { waiting: { reason: 'ErrImagePull', message: notFound } };
    await setPodStatus(former, container(failed));
    const template = {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'main', image: 'example.com/none:v2' }] },
    };
    const patience = { ...patient, image: 0 };
    const waiting = rollOut([deployment(name, namespace, { template })], { patience });
    const isNew = ({ metadata }: Pod): boolean => metadata.uid !== former.metadata.uid;
    const fresh = await eventually(
      async () =>
        (await client.list(Pod, { namespace, labelSelector: `app=${name}` })).items.find(isNew) ?? false,
      { timeout: 60_000, interval: 30 },
    );
    const ready = { type: 'Ready', status: 'True', lastTransitionTime: new Date(0).toISOString() };
    await setPodStatus(fresh, { phase: 'Running', conditions: [ready] });
    expect((await waiting).at(-1)).toBe(`deployment.apps/${name} is rolled out`);
  });

  test('ends early on a cluster without nodes', async () => {
    const name = uniqueName('nodes');
    const patience = { ...patient, noNodes: 0 };
    const [finding, ...others] = await findingsOf(rollOut([deployment(name, namespace)], { patience }));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ code: 'cluster/no-nodes', where: { file: 'all.yaml' } });
    expect(finding?.message).toContain(
      `deployment.apps/${name} cannot be rolled out: the cluster has no nodes\nPod ${name}-`,
    );
    expect(finding?.fix).toContain('to apply the objects all the same: --no-wait');
  });

  test('does not end early while an autoscaler adds a node', async () => {
    const name = uniqueName('scaled');
    await applyObjects({ client, objects: manifest(deployment(name, namespace)) });
    const pod = await podOf(name);
    const event = {
      metadata: { name: uniqueName(), namespace },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', name: pod.metadata.name, namespace },
      type: 'Normal',
      reason: 'TriggeredScaleUp',
      message: 'pod triggered scale-up',
    };
    await client.create(Event, event);
    const failing = findingsOf(rollOut([deployment(name, namespace)], { patience: hasty, timeout: 3_000 }));
    expect((await failing)[0]?.code).toBe('cluster/rollout-timeout');
  });

  test('says at its end that there are no nodes', async () => {
    const name = uniqueName('late');
    await applyObjects({ client, objects: manifest(deployment(name, namespace)) });
    await podOf(name);
    const failing = rollOut([deployment(name, namespace)], { patience: patient, timeout: 3_000 });
    const [finding] = await findingsOf(failing);
    expect(finding?.code).toBe('cluster/rollout-timeout');
    expect(finding?.message).toContain('\nthe cluster has no nodes\n');
    expect(finding?.fix?.join('\n')).toContain('wait longer with --timeout');
  });

  test('says that a container crashes, and what the events say', async () => {
    const name = uniqueName('crash');
    const failing = findingsOf(rollOut([deployment(name, namespace)], { timeout: 3_000 }));
    const pod = await podOf(name);
    const event = {
      metadata: { name: uniqueName(), namespace },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', name: pod.metadata.name, namespace },
      type: 'Warning',
      reason: 'BackOff',
      message: 'Back-off restarting failed container',
    };
    await client.create(Event, event);
    await setPodStatus(
      pod,
      container(
        { waiting: { reason: 'CrashLoopBackOff' } },
        { restartCount: 3, lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } } },
      ),
    );
    const [finding] = await failing;
    expect(finding?.message).toContain(
      'container main: CrashLoopBackOff, it ended with exit code 137 (OOMKilled: it used more memory than its limit)',
    );
    expect(finding?.message).toContain('event: BackOff: Back-off restarting failed container');
  });

  test('ends at once when the controller gives up', async () => {
    const name = uniqueName('deadline');
    const failing = findingsOf(rollOut([deployment(name, namespace, { progressDeadlineSeconds: 1 })]));
    const [finding] = await failing;
    expect(finding?.code).toBe('cluster/rollout-failed');
    expect(finding?.message).toMatch(/cannot be rolled out: ReplicaSet "[\w-]+" has timed out progressing/);
  });

  test('says why no Pod is made', async () => {
    const name = uniqueName('quota');
    const quota = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'no-pods', namespace: name },
      spec: { hard: { pods: '0' } },
    };
    const space = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await applyObjects({ client, objects: manifest(space, quota) });
    // Without it the API server does not know yet what is used, and lets the first Pod pass.
    await eventually(async () => {
      const found = await client.get(ResourceQuota, { name: 'no-pods', namespace: name });
      expect(found.status?.hard).toEqual({ pods: '0' });
    });
    const [finding] = await findingsOf(rollOut([deployment('web', name)], { timeout: 5_000 }));
    expect(finding?.message).toContain('exceeded quota: no-pods');
  });

  test('notices that the workload is deleted, and ends with the signal', async () => {
    const name = uniqueName('gone');
    const failing = findingsOf(rollOut([deployment(name, namespace)]));
    await podOf(name);
    await client.delete(Deployment, { name, namespace });
    expect((await failing)[0]?.message).toContain('was deleted during the wait');

    const stop = new AbortController();
    const other = uniqueName('stopped');
    const stopped = rollOut([deployment(other, namespace)], { signal: stop.signal });
    await podOf(other);
    const reason = new Error('stop');
    stop.abort(reason);
    await expect(stopped).rejects.toBe(reason);
  });
});
