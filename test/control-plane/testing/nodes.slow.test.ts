import { request } from 'node:https';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient, loadCluster, type KubeClient } from '../../../src/sdk/kube/index.ts';
import { Deployment, StatefulSet } from '../../../src/sdk/k8s/generated/apps/v1.ts';
import { Job } from '../../../src/sdk/k8s/generated/batch/v1.ts';
import {
  Event,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Secret,
  Service,
} from '../../../src/sdk/k8s/generated/core/v1.ts';
import { EndpointSlice } from '../../../src/sdk/k8s/generated/discovery/v1.ts';
import { Ingress } from '../../../src/sdk/k8s/generated/networking/v1.ts';
import { PodDisruptionBudget } from '../../../src/sdk/k8s/generated/policy/v1.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../src/testing/index.ts';

let plane: ControlPlane;
let client: KubeClient;

beforeAll(async () => {
  plane = await startControlPlane({ nodes: { count: 3, restartBackOff: 300 } });
  client = createClient({
    cluster: await loadCluster({ kubeconfig: plane.kubeconfig }),
    fieldManager: 'test',
  });
});
afterAll(async () => {
  await client?.close();
  await plane?.stop();
});

const namespace = 'default';
const containers = [{ name: 'main', image: 'example.com/app:v1' }];
const podsOf = async (app: string): Promise<readonly Pod[]> =>
  (await client.list(Pod, { namespace, labelSelector: `app=${app}` })).items;

async function deploy(app: string, replicas: number, more: object = {}): Promise<void> {
  await client.apply(Deployment, {
    metadata: { name: app, namespace },
    spec: {
      replicas,
      selector: { matchLabels: { app } },
      template: { metadata: { labels: { app } }, spec: { containers, ...more } },
    },
  });
}
const readyReplicas = async (app: string): Promise<number> =>
  (await client.get(Deployment, { name: app, namespace })).status?.readyReplicas ?? 0;

test('the nodes are ready', async () => {
  const { items } = await client.list(Node);
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['node-1', 'node-2', 'node-3']);
});

test('a Deployment becomes ready, spread over the nodes, and its Pods go with it', async () => {
  await deploy('web', 3);
  await eventually(async () => expect(await readyReplicas('web')).toBe(3));
  const pods = await podsOf('web');
  expect(new Set(pods.map(({ spec }) => spec?.nodeName)).size).toBe(3);
  expect(new Set(pods.map(({ status }) => status?.podIP)).size).toBe(3);
  await client.delete(Deployment, { name: 'web', namespace });
  await eventually(async () => expect(await podsOf('web')).toEqual([]));
});

test('a StatefulSet starts its Pods in order', async () => {
  await client.apply(StatefulSet, {
    metadata: { name: 'db', namespace },
    spec: {
      replicas: 2,
      serviceName: 'db',
      selector: { matchLabels: { app: 'db' } },
      template: { metadata: { labels: { app: 'db' } }, spec: { containers } },
    },
  });
  await eventually(async () =>
    expect((await client.get(StatefulSet, { name: 'db', namespace })).status?.readyReplicas).toBe(2),
  );
  await client.delete(StatefulSet, { name: 'db', namespace });
});

test('a Job completes, after its init container', async () => {
  await client.apply(Job, {
    metadata: { name: 'work', namespace },
    spec: {
      template: {
        metadata: { labels: { app: 'work' } },
        spec: {
          restartPolicy: 'Never',
          containers,
          initContainers: [{ name: 'first', image: 'example.com/init:v1' }],
        },
      },
    },
  });
  await eventually(async () => {
    const { status } = await client.get(Job, { name: 'work', namespace });
    expect(status?.conditions?.find(({ type }) => type === 'Complete')?.status).toBe('True');
  });
  const [pod] = await podsOf('work');
  expect(pod?.status).toMatchObject({ phase: 'Succeeded', initContainerStatuses: [{ ready: true }] });
});

test('a container that crashes is started again, and ends in CrashLoopBackOff if it crashes on', async () => {
  await deploy('crashing', 1);
  await eventually(async () => expect(await readyReplicas('crashing')).toBe(1));
  const selected = plane.workloads.pods({ labels: 'app=crashing' });
  selected.crash({ exitCode: 3, message: 'no memory left' });
  await eventually(async () => {
    const [status] = (await podsOf('crashing'))[0]?.status?.containerStatuses ?? [];
    expect(status).toMatchObject({
      restartCount: 1,
      ready: true,
      lastState: { terminated: { exitCode: 3, reason: 'Error', message: 'no memory left' } },
    });
  });
  using _ = selected.crashLoop();
  await eventually(async () => {
    const [status] = (await podsOf('crashing'))[0]?.status?.containerStatuses ?? [];
    expect(status?.state?.waiting?.reason).toBe('CrashLoopBackOff');
  });
});

test('an image that cannot be pulled keeps the Deployment from progressing, until it can', async () => {
  const failing = plane.workloads.pods({ labels: 'app=unpulled' }).failImagePull();
  await deploy('unpulled', 1);
  await eventually(async () => {
    const [pod] = await podsOf('unpulled');
    expect(pod?.status?.containerStatuses?.[0]?.state?.waiting?.reason).toBe('ImagePullBackOff');
  });
  failing.release();
  await eventually(async () => expect(await readyReplicas('unpulled')).toBe(1));
});

test('a StatefulSet gets volumes with its Pods, which can grow', async () => {
  await client.apply(StatefulSet, {
    metadata: { name: 'store', namespace },
    spec: {
      replicas: 1,
      serviceName: 'store',
      selector: { matchLabels: { app: 'store' } },
      template: { metadata: { labels: { app: 'store' } }, spec: { containers } },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' },
    },
  });
  const key = { name: 'data-store-0', namespace };
  await eventually(async () => {
    expect((await client.get(StatefulSet, { name: 'store', namespace })).status?.readyReplicas).toBe(1);
    expect((await client.get(PersistentVolumeClaim, key)).status).toMatchObject({
      phase: 'Bound',
      capacity: { storage: '1Gi' },
    });
  });
  await client.patch(PersistentVolumeClaim, key, {
    type: 'merge',
    body: { spec: { resources: { requests: { storage: '2Gi' } } } },
  });
  await eventually(async () =>
    expect((await client.get(PersistentVolumeClaim, key)).status?.capacity).toEqual({ storage: '2Gi' }),
  );
  await client.delete(StatefulSet, { name: 'store', namespace });
  await eventually(async () => expect((await client.list(PersistentVolume)).items).toEqual([]));
});

test('a Pod whose claim is missing waits for it, and says so', async () => {
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'late' } }];
  await client.create(Pod, { metadata: { name: 'patient', namespace }, spec: { containers, volumes } });
  await eventually(async () => {
    const { status } = await client.get(Pod, { name: 'patient', namespace });
    expect(status?.conditions?.[0]?.message).toBe(
      '0/3 nodes are available: persistentvolumeclaim "late" not found. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    );
  });
  await client.create(PersistentVolumeClaim, {
    metadata: { name: 'late', namespace },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });
  await eventually(async () =>
    expect((await client.get(Pod, { name: 'patient', namespace })).status?.phase).toBe('Running'),
  );
});

test('Services get endpoints, and those of type LoadBalancer an address, as Ingresses do', async () => {
  await deploy('served', 2);
  await client.apply(Service, {
    metadata: { name: 'served', namespace },
    spec: { type: 'LoadBalancer', selector: { app: 'served' }, ports: [{ port: 80 }] },
  });
  await client.apply(Ingress, {
    metadata: { name: 'served', namespace },
    spec: { defaultBackend: { service: { name: 'served', port: { number: 80 } } } },
  });
  await eventually(async () => {
    const { items } = await client.list(EndpointSlice, {
      namespace,
      labelSelector: 'kubernetes.io/service-name=served',
    });
    expect(
      items.flatMap(({ endpoints }) => endpoints ?? []).filter(({ conditions }) => conditions?.ready),
    ).toHaveLength(2);
    const service = await client.get(Service, { name: 'served', namespace });
    expect(service.status?.loadBalancer?.ingress?.[0]?.ip).toMatch(/^192\.0\.2\./);
    const ingress = await client.get(Ingress, { name: 'served', namespace });
    expect(ingress.status?.loadBalancer?.ingress?.[0]?.ip).toMatch(/^192\.0\.2\./);
  });
});

test('a Pod that fits on no node is unschedulable, in the words of the scheduler', async () => {
  await deploy('large', 1, {
    containers: [{ ...containers[0], resources: { requests: { cpu: '64' } } }],
  });
  await eventually(async () => {
    const [pod] = await podsOf('large');
    const scheduled = pod?.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    expect(scheduled).toMatchObject({
      status: 'False',
      reason: 'Unschedulable',
      message:
        '0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    });
  });
});

test('a Pod waits for its Secret, and its Events say so', async () => {
  const volumes = [{ name: 'login', secret: { secretName: 'login' } }];
  await client.create(Pod, { metadata: { name: 'waiting', namespace }, spec: { containers, volumes } });
  const notes = async (): Promise<readonly string[]> =>
    (await client.list(Event, { namespace })).items
      .filter(({ involvedObject }) => involvedObject.name === 'waiting')
      .map(({ reason, message, reportingComponent }) => `${reportingComponent} ${reason}: ${message}`);
  await eventually(async () =>
    expect(await notes()).toContain(
      'kubelet FailedMount: MountVolume.SetUp failed for volume "login" : secret "login" not found',
    ),
  );
  expect((await client.get(Pod, { name: 'waiting', namespace })).status?.phase).toBe('Pending');
  await client.create(Secret, { metadata: { name: 'login', namespace } });
  await eventually(async () =>
    expect(await notes()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^default-scheduler Scheduled: Successfully assigned default\/waiting to node-/,
        ),
        'kubelet Started: Container started',
      ]),
    ),
  );
});

test('logs are what a test writes, and are followed until the container ends', async () => {
  await client.create(Pod, { metadata: { name: 'talking', namespace }, spec: { containers } });
  const path = `/api/v1/namespaces/${namespace}/pods/talking/log`;
  const read = async (query = ''): Promise<string> =>
    (await client.raw.request({ method: 'GET', path: `${path}${query}` })).text();
  await eventually(async () =>
    expect((await client.get(Pod, { name: 'talking', namespace })).status?.phase).toBe('Running'),
  );
  const pod = plane.workloads.pods({ name: 'talking' });
  pod.log('one');
  pod.log('two\nthree\n');
  expect(await read()).toBe('one\ntwo\nthree\n');
  expect(await read('?tailLines=1')).toBe('three\n');
  expect(await read('?limitBytes=5')).toBe('one\nt');
  const { certificate: cert, key } = plane.credentials;
  const options = { cert, key, ca: plane.caCertificate };
  const followed = await new Promise((resolve, reject) => {
    let text = '';
    const asked = request(`${plane.url}${path}?follow=true`, options, (response) => {
      response.on('data', (data: Buffer) => {
        // What is there comes at once; then the container ends.
        if (text === '') {
          pod.log('four');
          pod.crash();
        }
        text += data.toString();
      });
      response.on('end', () => resolve(text));
    });
    asked.on('error', reject).end();
  });
  expect(followed).toBe('one\ntwo\nthree\nfour\n');
  await eventually(async () => expect(await read('?previous=true')).toBe('one\ntwo\nthree\nfour\n'));
  await expect(read('?container=other')).rejects.toThrow('container other is not valid for pod talking');
});

test('a kubelet answers the API server alone', async () => {
  const [node] = (await client.list(Node)).items;
  const port = node?.status?.daemonEndpoints?.kubeletEndpoint?.Port;
  const url = `https://127.0.0.1:${port}/containerLogs/default/talking/main`;
  await expect(fetch(url)).rejects.toThrow();
  const { certificate: cert, key } = plane.credentials;
  const status = await new Promise((resolve, reject) => {
    const asked = request(url, { cert, key, ca: plane.caCertificate }, ({ statusCode }) =>
      resolve(statusCode),
    );
    asked.on('error', reject).end();
  });
  expect(status).toBe(403);
});

test('a Pod that a node gives up is replaced', async () => {
  await deploy('evicted', 1);
  await eventually(async () => expect(await readyReplicas('evicted')).toBe(1));
  plane.workloads.pods({ labels: 'app=evicted' }).fail();
  await eventually(async () => {
    const pods = await podsOf('evicted');
    expect(pods.find(({ status }) => status?.phase === 'Failed')?.status?.reason).toBe('Evicted');
    expect(await readyReplicas('evicted')).toBe(1);
  });
});

test('a node is drained, as far as disruption budgets let it', async () => {
  const spread = { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule' };
  const labelSelector = { matchLabels: { app: 'kept' } };
  await deploy('kept', 2, { topologySpreadConstraints: [{ ...spread, labelSelector }] });
  await client.create(PodDisruptionBudget, {
    metadata: { name: 'kept', namespace },
    spec: { maxUnavailable: 0, selector: labelSelector },
  });
  await eventually(async () => {
    expect(await readyReplicas('kept')).toBe(2);
    const budget = await client.get(PodDisruptionBudget, { name: 'kept', namespace });
    expect(budget.status?.currentHealthy).toBe(2);
  });
  const [pod] = await podsOf('kept');
  const node = plane.workloads.nodes.find(({ name }) => name === pod?.spec?.nodeName);
  await expect(node?.drain({ timeout: '1s' })).rejects.toThrow(
    "it would violate the pod's disruption budget",
  );
  await client.delete(PodDisruptionBudget, { name: 'kept', namespace });
  await node?.drain();
  expect((await client.list(Pod)).items.filter(({ spec }) => spec?.nodeName === node?.name)).toEqual([]);
  await node?.uncordon();
  await client.delete(Deployment, { name: 'kept', namespace });
});

test('a node that goes down loses its Pods, and gets others when it is up', async () => {
  await deploy('moving', 3);
  await eventually(async () => expect(await readyReplicas('moving')).toBe(3));
  const [node] = plane.workloads.nodes;
  node?.down();
  await eventually(
    async () => {
      const running = (await podsOf('moving')).filter(
        ({ spec, metadata }) => spec?.nodeName !== node?.name && metadata.deletionTimestamp === undefined,
      );
      expect(running).toHaveLength(3);
    },
    { timeout: '60s' },
  );
  expect((await podsOf('moving')).some(({ metadata }) => metadata.deletionTimestamp !== undefined)).toBe(
    true,
  );
  node?.up();
  await eventually(async () => expect(await podsOf('moving')).toHaveLength(3), { timeout: '60s' });
});
