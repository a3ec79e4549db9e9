// `mergeStatus` keeps what it does not name, owns what it has named, and touches nothing of other managers.
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  defineController,
  defineResource,
  type ControllerClient,
  type CustomResource,
} from '../../../../src/index.ts';
import { createClient, loadCluster, type KubeClient } from '../../../../src/sdk/kube/index.ts';
import { eventually } from '../../../../src/testing/index.ts';
import {
  sharedControlPlane,
  uniqueName,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../helpers/control-plane.ts';
import { serviceAccountToken, tokenKubeconfig } from '../../../helpers/service-account.ts';
import { needOf } from '../../../../src/compiler/manifests/rbac/method-verbs.ts';
import { runs } from '../../../helpers/thorough.ts';
import { runManager, type RunningManager } from './running-manager.ts';
import { slow } from './site-controller.ts';

interface Port {
  name: string;
  protocol: string;
  number?: number;
}

interface Status {
  phase?: string;
  count?: number;
  detail?: { a?: string | undefined; b?: string | undefined };
  /** Replaced as a whole. */
  labels?: Record<string, string>;
  tags?: string[];
  list?: string[];
  ports?: Port[];
  conditions?: { type: string; status: string; message?: string }[];
}

interface Machine extends CustomResource {
  status?: Status;
}

const group = `${uniqueName()}.example.com`;
const Machine = defineResource<Machine>({ group, version: 'v1', kind: 'Machine' });
const text = { type: 'string' };
const mapList = (keys: readonly string[], properties: object) => ({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
  items: { type: 'object', required: keys, properties },
});
const properties = {
  phase: text,
  count: { type: 'integer' },
  detail: { type: 'object', properties: { a: text, b: text } },
  labels: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: text },
  tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
  list: { type: 'array', items: text },
  ports: mapList(['name', 'protocol'], { name: text, protocol: text, number: { type: 'integer' } }),
  conditions: mapList(['type'], { type: text, status: text, message: text }),
};
const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `machines.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind: 'Machine', plural: 'machines' },
    versions: ['v1', 'v2'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      subresources: { status: {} },
      schema: { openAPIV3Schema: { type: 'object', properties: { status: { type: 'object', properties } } } },
    })),
  },
};

let server: KubeClient;
let plane: SharedControlPlane;
let namespace: string;
let running: RunningManager;
/** Clients of two controllers, and of one that has the first one's field manager in the second version. */
const clients = new Map<string, ControllerClient>();
beforeAll(async () => {
  plane = await sharedControlPlane();
  server = createClient({ cluster: await loadCluster(plane), fieldManager: 'test' });
  await server.raw.request({
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: crd,
  });
  namespace = await uniqueNamespace(plane);
  const controllers = ['one', 'two'].map((name) =>
    defineController({ name, for: Machine, reconcile: (_, { client }) => void clients.set(name, client) }),
  );
  running = await runManager({ kubeconfig: plane.kubeconfig, namespaces: [namespace] }, ...controllers);
  await eventually(async () => server.create(Machine, { metadata: { name: 'first', namespace } }), slow);
  await eventually(() => clients.size === 2, slow);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await server.close();
});

async function machine() {
  const key = { name: uniqueName(), namespace };
  const { metadata } = await server.create(Machine, { metadata: key });
  const read = async () => server.get(Machine, { ...key, namespace });
  return {
    key,
    uid: metadata.uid,
    merge: (who: string, change: Parameters<typeof merge>[2]) => merge(who, key, change),
    apply: (who: string, status: Status) => clients.get(who)!.applyStatus(Machine, key, status),
    status: async () => (await read()).status ?? {},
    owned: async (who: string) =>
      ((await read()).metadata.managedFields ?? []).find(({ manager = '' }) => manager.endsWith(who))
        ?.fieldsV1,
  };
}

const merge = (who: string, key: { name: string; namespace: string }, change: Nullable<Status>) =>
  clients.get(who)!.mergeStatus(Machine, key, change);
type Nullable<T> = { [K in keyof T]?: T[K] | null | undefined };

describe('a state machine', () => {
  test('keeps what it does not name, and removes what it says is null', async () => {
    const one = await machine();
    await one.merge('one', { phase: 'Creating', count: 1, detail: { a: 'x' } });
    await one.merge('one', { phase: 'Running', detail: { b: 'y' } });
    expect(await one.status()).toEqual({ phase: 'Running', count: 1, detail: { a: 'x', b: 'y' } });
    await one.merge('one', { count: null });
    expect(await one.status()).toEqual({ phase: 'Running', detail: { a: 'x', b: 'y' } });
    expect(await one.owned('one')).toEqual({
      'f:status': { 'f:phase': {}, 'f:detail': { 'f:a': {}, 'f:b': {} } },
    });
  });

  test('matches items of map lists by their keys, sets conditions beside those of others, and replaces other lists', async () => {
    const one = await machine();
    const port = { name: 'web', protocol: 'TCP', number: 80 };
    await one.merge('two', { conditions: [{ type: 'Scaled', status: 'True' }] });
    await one.merge('one', {
      conditions: [{ type: 'Ready', status: 'False', message: 'no' }],
      ports: [port],
      list: ['a', 'b'],
    });
    await one.merge('one', {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Done', status: 'False' },
      ],
      ports: [{ ...port, protocol: 'UDP' }],
      list: ['c'],
    });
    const { conditions, ports, list } = await one.status();
    expect(conditions).toEqual([
      { type: 'Scaled', status: 'True' },
      { type: 'Ready', status: 'True', message: 'no' },
      { type: 'Done', status: 'False' },
    ]);
    expect(ports).toEqual([port, { ...port, protocol: 'UDP' }]);
    expect(list).toEqual(['c']);
    await one.apply('one', {});
    expect(await one.status()).toEqual({ conditions: [{ type: 'Scaled', status: 'True' }] });
  });

  test('still owns after it what applyStatus has set before', async () => {
    const one = await machine();
    await one.apply('one', { phase: 'A', tags: ['x'], labels: { a: '1' } });
    await one.merge('one', { count: 1, labels: { b: '2' } });
    expect(await one.status()).toEqual({ phase: 'A', count: 1, tags: ['x'], labels: { a: '1', b: '2' } });
    await one.apply('one', { count: 1 });
    expect(await one.status()).toEqual({ count: 1 });
  });

  test('sends nothing if the status has the values already', async () => {
    const one = await machine();
    const { metadata } = await one.merge('one', {
      phase: 'A',
      conditions: [{ type: 'Ready', status: 'True' }],
    });
    const again = await one.merge('one', { count: null, conditions: [{ type: 'Ready', status: 'True' }] });
    expect(again.metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  test('loses nothing when the operator moves to another version of the API', async () => {
    const one = await machine();
    const v2 = defineResource<Machine>({ group, version: 'v2', kind: 'Machine' });
    await one.merge('two', { tags: ['theirs'] });
    await one.merge('one', { phase: 'A', detail: { a: 'x' } });
    await clients.get('one')!.mergeStatus(v2, one.key, { count: 2 });
    expect(await one.status()).toEqual({ phase: 'A', detail: { a: 'x' }, count: 2, tags: ['theirs'] });
    await clients.get('one')!.applyStatus(v2, one.key, {});
    expect(await one.status()).toEqual({ tags: ['theirs'] });
  });

  test('of an object that is gone is an error of a write', async () => {
    await expect(merge('one', { name: 'none', namespace }, { phase: 'A' })).rejects.toMatchObject({
      code: 'kube/not-found',
    });
  });
});

describe('the inferred role', () => {
  /** Merges a status as a ServiceAccount with some verbs on the status, and returns the error of the call. */
  async function mergeWith(verbs: readonly string[]): Promise<unknown> {
    const one = await machine();
    const token = await serviceAccountToken(server, namespace, [
      { apiGroups: [group], resources: ['machines'], verbs: ['list', 'watch'] },
      { apiGroups: [group], resources: ['machines/status'], verbs: [...verbs] },
    ]);
    const results: unknown[] = [];
    const controller = defineController({
      name: uniqueName('merging'),
      for: Machine,
      predicates: [({ object }) => object.metadata.name === one.key.name],
      reconcile: async (_, { client }) => {
        if (results.length > 0) return;
        results.push(
          await client.mergeStatus(Machine, one.key, { phase: 'A' }).catch((error: unknown) => error),
        );
      },
    });
    const kubeconfig = join(tmpdir(), uniqueName('kubeconfig'));
    writeFileSync(kubeconfig, tokenKubeconfig(plane, token), { mode: 0o600 });
    try {
      await using _ = await runManager({ kubeconfig, namespaces: [namespace] }, controller);
      await eventually(() => results.length > 0, slow);
    } finally {
      rmSync(kubeconfig);
    }
    return results[0];
  }

  test('suffices, and each of its verbs is needed', async () => {
    const need = needOf('ControllerClient', 'mergeStatus');
    if (need?.type !== 'request') throw new Error('expected verbs');
    expect(need).toMatchObject({ subresource: 'status' });
    expect(await mergeWith(need.verbs)).toMatchObject({ status: { phase: 'A' } });
    for (const missing of need.verbs) {
      const error = await mergeWith(need.verbs.filter((verb) => verb !== missing));
      expect(error, missing).toMatchObject({ code: 'kube/forbidden' });
    }
  });
});

const word = fc.constantFrom('a', 'b', 'c');
const someOf = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const changes: fc.Arbitrary<Nullable<Status>> = fc.record(
  {
    phase: fc.option(word),
    count: fc.option(fc.integer({ min: 0, max: 9 })),
    detail: fc.record({ a: someOf(word), b: someOf(word) }, { requiredKeys: [] }),
    labels: fc.dictionary(word, word, { minKeys: 1, maxKeys: 2 }),
    tags: fc.uniqueArray(word, { minLength: 1, maxLength: 2 }),
    list: fc.array(word, { maxLength: 2 }),
    conditions: fc.uniqueArray(fc.record({ type: word, status: word, message: word }), {
      selector: ({ type }) => type,
      minLength: 1,
      maxLength: 2,
    }),
  },
  { requiredKeys: [] },
);

/** The status as one manager alone leaves it: a merge patch, with conditions by type. */
function expected(before: Status, change: Nullable<Status>): Status {
  const after: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete after[name];
    else if (name === 'detail' || name === 'labels')
      after[name] = { ...(after[name] as object), ...defined(value) };
    else if (name === 'conditions')
      after[name] = byType([...(before.conditions ?? []), ...(change.conditions ?? [])]);
    else after[name] = value;
  }
  return defined(after);
}

function defined(value: unknown): object {
  return JSON.parse(JSON.stringify(value)) as object;
}

function byType(conditions: NonNullable<Status['conditions']>): NonNullable<Status['conditions']> {
  return [...new Map(conditions.map((each) => [each.type, each])).values()];
}

test('any sequence of changes by one manager leaves the status of a merge patch', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 5 }), async (all) => {
      const one = await machine();
      let status: Status = {};
      for (const change of all) {
        await one.merge('one', change);
        status = expected(status, change);
      }
      expect(await one.status()).toEqual(status);
      await one.apply('one', { phase: 'end' });
      expect(await one.status()).toEqual({ phase: 'end' });
    }),
    { numRuns: runs(50) },
  );
});

test('two managers lose nothing of each other that they do not name', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('one', 'two'), changes), { maxLength: 6 }),
      async (all) => {
        const both = await machine();
        for (const [who, change] of all) {
          const before = await both.status();
          await both.merge(who, change);
          const after = await both.status();
          for (const [name, value] of Object.entries(before) as [keyof Status, unknown][])
            if (!(name in change)) expect(after[name], name).toEqual(value);
          for (const [name, value] of Object.entries(change) as [keyof Status, unknown][])
            if (value !== null && typeof value !== 'object') expect(after[name], name).toEqual(value);
        }
        await both.apply('one', { phase: 'end' });
        await both.apply('two', { count: 0 });
        expect(await both.status()).toEqual({ phase: 'end', count: 0 });
      },
    ),
    { numRuns: runs(50) },
  );
});
