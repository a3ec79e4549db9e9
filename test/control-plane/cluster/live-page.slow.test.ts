// What the page of `op-sdk dev --ui` gets and does: Pods below their owners, logs, and actions on dev's own nodes alone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { externalResource, type KubeObject } from '../../../src/sdk/api/index.ts';
import { createClient, loadCluster, type KubeClient } from '../../../src/sdk/kube/index.ts';
import { Deployment } from '../../../src/sdk/k8s/generated/apps/v1.ts';
import { Job } from '../../../src/sdk/k8s/generated/batch/v1.ts';
import { CustomResourceDefinition } from '../../../src/sdk/k8s/generated/apiextensions/v1.ts';
import { Pod } from '../../../src/sdk/k8s/generated/core/v1.ts';
import type { PageServer } from '../../../src/base/pages/index.ts';
import { LiveSession, serveLive } from '../../../src/cluster/index.ts';
import type { LiveNews } from '../../../src/cluster/live/live-session.ts';
import type { ObjectRow } from '../../../src/cluster/live/objects/object-row.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../src/testing/index.ts';

const namespace = 'default';
const containers = [{ name: 'main', image: 'example.com/app:v1' }];
const own = externalResource<KubeObject>({
  ...{ group: 'example.com', version: 'v1', kind: 'App', plural: 'apps', scope: 'Namespaced' },
});
const strange = externalResource<KubeObject>({
  ...{ group: 'other.example', version: 'v1', kind: 'Rollout', plural: 'rollouts', scope: 'Namespaced' },
});

/** A page that is open: its rows, and the server behind it. */
class OpenPage implements AsyncDisposable {
  readonly rows = new Map<string, ObjectRow>();
  readonly forbidden: string[] = [];
  readonly #session: LiveSession;
  readonly #server: PageServer;

  private constructor(session: LiveSession, server: PageServer) {
    this.#session = session;
    this.#server = server;
    session.join((news) => this.#take(news));
  }

  static async open(nodes: ControlPlane['workloads'] | undefined): Promise<OpenPage> {
    const session = await LiveSession.open('test', client, nodes);
    session.follow([own]);
    return new OpenPage(session, await serveLive(session));
  }

  get url(): string {
    return this.#server.url;
  }

  #take({ objects = [], gone = [] }: LiveNews): void {
    for (const row of objects) this.rows.set(row.id, row);
    for (const id of gone) this.rows.delete(id);
  }

  /** The row of an object, whose name may begin with the given one. */
  row(kind: string, name: string): ObjectRow | undefined {
    return [...this.rows.values()].find((each) => each.kind === kind && each.name.startsWith(name));
  }

  words(kind: string, name: string): string {
    return (this.row(kind, name)?.words ?? []).map(({ text }) => text).join(', ');
  }

  /** The kinds of an object's owners, up to one that the page shows at its top. */
  owners(kind: string, name: string): readonly string[] {
    const kinds: string[] = [];
    for (let at = this.row(kind, name); at?.owner !== undefined; at = this.rows.get(at.owner))
      kinds.push(this.rows.get(at.owner)?.kind ?? '');
    return kinds;
  }

  async act(body: object): Promise<number> {
    const answer = await fetch(`${this.url}act`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: new URL(this.url).origin },
      body: JSON.stringify(body),
    });
    return answer.status;
  }

  async log(query: Readonly<Record<string, string>>): Promise<unknown> {
    const answer = await fetch(`${this.url}log?${new URLSearchParams(query).toString()}`);
    return answer.ok ? answer.json() : answer.status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.close();
    await this.#session.close();
  }
}

let plane: ControlPlane;
let client: KubeClient;

beforeAll(async () => {
  plane = await startControlPlane({ nodes: { count: 1, restartBackOff: 300 } });
  client = createClient({
    cluster: await loadCluster({ kubeconfig: plane.kubeconfig }),
    fieldManager: 'test',
  });
  for (const { group, kind, plural } of [own, strange])
    await client.apply(CustomResourceDefinition, {
      metadata: { name: `${plural}.${group}` },
      spec: {
        ...{ group, scope: 'Namespaced', names: { kind, plural } },
        versions: [
          {
            ...{ name: 'v1', served: true, storage: true },
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    });
});
afterAll(async () => {
  await client?.close();
  await plane?.stop();
});

async function create(resource: typeof own, name: string, owner?: KubeObject): Promise<KubeObject> {
  return eventually(() => client.create(resource, { metadata: { name, namespace, ...ownedBy(owner) } }));
}

function ownedBy(owner: KubeObject | undefined) {
  if (owner === undefined) return {};
  const { apiVersion, kind, metadata } = owner;
  return { ownerReferences: [{ apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '' }] };
}

async function deploy(name: string, owner?: KubeObject): Promise<void> {
  const labels = { app: name };
  await client.apply(Deployment, {
    metadata: { name, namespace, ...ownedBy(owner) },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  });
}

test('Pods are shown below the objects that lead to them, and others not at all', async () => {
  await using page = await OpenPage.open(plane.workloads);
  const app = await create(own, 'shown');
  await deploy('shown', app);
  await deploy('foreign');
  await client.create(Job, {
    metadata: { name: 'shown-job', namespace, ...ownedBy(app) },
    spec: { template: { spec: { containers, restartPolicy: 'Never' } } },
  });
  // A kind that is neither the project's nor Kubernetes' own owns Pods, too.
  const rollout = await create(strange, 'shown-rollout', app);
  await client.create(Pod, {
    metadata: { name: 'direct', namespace, ...ownedBy(rollout) },
    spec: { containers },
  });

  await eventually(() => {
    expect(page.words('Pod', 'shown-')).toBe('Running, 1/1 ready');
    expect(page.owners('Pod', 'direct')).toEqual(['Rollout', 'App']);
    expect(page.words('Deployment', 'shown')).toBe('1/1 ready');
  });
  const pods = [...page.rows.values()].filter(({ kind }) => kind === 'Pod').map(({ id }) => id);
  expect(pods).toHaveLength(3);
  expect(page.row('Deployment', 'foreign')).toBeUndefined();
  const [deployed] = pods.filter((id) => id.includes('shown-') && !id.includes('job'));
  expect(page.owners('Pod', deployed?.split('/').at(-1) ?? '')).toEqual(['ReplicaSet', 'Deployment', 'App']);
  expect(page.owners('Pod', 'shown-job')).toEqual(['Job', 'App']);
  expect(page.words('Node', 'node-1')).toBe('Ready');

  await client.delete(own, { name: 'shown', namespace });
  await eventually(() => expect([...page.rows.values()].map(({ kind }) => kind)).toEqual(['Node']));
  expect((await client.get(Deployment, { name: 'foreign', namespace })).metadata.name).toBe('foreign');
});

test('Pods and the node fail as the page asks, and recover', async () => {
  await using page = await OpenPage.open(plane.workloads);
  await deploy('web', await create(own, 'web'));
  await eventually(() => expect(page.words('Pod', 'web-')).toBe('Running, 1/1 ready'));
  const { id = '', actions = [] } = page.row('Pod', 'web-') ?? {};
  expect(actions.map(({ name, pressed }) => [name, pressed])).toEqual([
    ['crash', undefined],
    ['crash-loop', false],
    ['not-ready', false],
    ['fail-image', false],
    ['evict', undefined],
  ]);
  const pressed = (name: string) => page.rows.get(id)?.actions?.find((each) => each.name === name)?.pressed;

  expect(await page.act({ id, action: 'crash' })).toBe(204);
  await eventually(() => expect(page.words('Pod', 'web-')).toBe('Running, 1/1 ready, 1 restart'));
  for (const [action, words] of [
    ['not-ready', 'its readiness probe does not succeed'],
    ['crash-loop', 'CrashLoopBackOff'],
    ['fail-image', 'ImagePullBackOff'],
  ] as const) {
    expect(await page.act({ id, action, pressed: true })).toBe(204);
    expect(await page.act({ id, action, pressed: true })).toBe(204);
    await eventually(() => expect(page.words('Pod', 'web-')).toContain(words));
    expect(pressed(action)).toBe(true);
    expect(await page.act({ id, action, pressed: false })).toBe(204);
    await eventually(() => expect(page.words('Pod', 'web-')).toContain('Running, 1/1 ready'), {
      timeout: '30s',
    });
    expect(pressed(action)).toBe(false);
  }

  // Another Pod takes the place of one that was evicted, for which nothing can be done any more.
  expect(await page.act({ id, action: 'evict' })).toBe(204);
  await eventually(() => {
    expect(
      page.rows
        .get(id)
        ?.words?.map(({ text }) => text)
        .join(', '),
    ).toMatch(/^Failed, .*Evicted/);
    expect([...page.rows.values()].filter(({ kind }) => kind === 'Pod')).toHaveLength(2);
  });
  expect(page.rows.get(id)?.actions).toBeUndefined();
  expect(await page.act({ id, action: 'crash' })).toBe(400);

  const node = page.row('Node', 'node-1')?.id ?? '';
  expect(page.rows.get(node)?.actions).toMatchObject([{ name: 'stop' }]);
  expect(await page.act({ id: node, action: 'stop' })).toBe(204);
  await eventually(() => expect(page.words('Node', 'node-1')).toContain('NotReady'), { timeout: '60s' });
  expect(page.rows.get(node)?.actions).toMatchObject([{ name: 'start' }]);
  expect(await page.act({ id: node, action: 'start' })).toBe(204);
  await eventually(() => expect(page.words('Node', 'node-1')).toBe('Ready'));
  await client.delete(own, { name: 'web', namespace });
});

test('actions on unknown objects, of other kinds and of unknown names are refused', async () => {
  await using page = await OpenPage.open(plane.workloads);
  await deploy('refused', await create(own, 'refused'));
  await eventually(() => expect(page.words('Pod', 'refused-')).toContain('Running'));
  const id = page.row('Pod', 'refused-')?.id ?? '';
  expect(await page.act({ id: 'v1 pods default/absent', action: 'crash' })).toBe(404);
  // A Pod of others, which the page does not show.
  await deploy('others');
  const ofOthers = await eventually(async () => {
    const [pod] = (await client.list(Pod, { namespace, labelSelector: 'app=others' })).items;
    return pod?.metadata.name;
  });
  expect(await page.act({ id: `v1 pods default/${ofOthers}`, action: 'crash' })).toBe(404);
  expect(await page.log({ id: `v1 pods default/${ofOthers}`, container: 'main' })).toBe(404);
  expect(await page.act({ id: page.row('App', 'refused')?.id, action: 'crash' })).toBe(400);
  expect(await page.act({ id, action: 'constructor' })).toBe(400);
  expect(await page.act({ id, action: 'stop' })).toBe(400);
  expect(await page.act({ id: page.row('Node', 'node-1')?.id, action: 'crash' })).toBe(400);
  expect(await page.act({ id })).toBe(400);
  expect(await page.act({ id: { toString: 'x' }, action: 'crash' })).toBe(400);
  expect(await page.log({ id, container: 'other' })).toBe(404);
  await client.delete(own, { name: 'refused', namespace });
});

test('the last 200 lines of a log are shown, also on a cluster that dev has not started, where nothing can be done', async () => {
  await using page = await OpenPage.open(undefined);
  await deploy('logs', await create(own, 'logs'));
  await eventually(() => expect(page.words('Pod', 'logs-')).toBe('Running, 1/1 ready'));
  const id = page.row('Pod', 'logs-')?.id ?? '';
  const lines = Array.from({ length: 250 }, (_, index) => `<b>line ${index}</b>`);
  plane.workloads.pods({ labels: 'app=logs' }).log(lines.join('\n'));
  expect(await page.log({ id, container: 'main' })).toEqual({ text: `${lines.slice(-200).join('\n')}\n` });
  expect(await page.log({ id, container: 'main', previous: 'true' })).toMatchObject({
    problem: expect.stringContaining('previous terminated container'),
  });
  for (const { id: each, actions } of page.rows.values()) {
    expect(actions).toBeUndefined();
    for (const action of ['crash', 'crash-loop', 'evict', 'stop'])
      expect(await page.act({ id: each, action, pressed: true })).toBe(400);
  }
  expect(page.words('Pod', 'logs-')).toBe('Running, 1/1 ready');
  await client.delete(own, { name: 'logs', namespace });
});
