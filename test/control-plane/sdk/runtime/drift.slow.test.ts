// What others change of an applied object is put right by the next apply, for maps that are one value and for fields that are only written.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  defineResource,
  type ApplyObject,
  type CustomResource,
  type KubeObject,
  type Resource,
} from '../../../../src/index.ts';
import { CustomResourceDefinition } from '../../../../src/sdk/k8s/generated/apiextensions/v1.ts';
import { Service } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { NetworkPolicy } from '../../../../src/sdk/k8s/generated/networking/v1.ts';
import { createClient, isInvalid, loadCluster, type KubeClient } from '../../../../src/sdk/kube/index.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../../../helpers/control-plane.ts';
import { runs } from '../../../helpers/thorough.ts';
import { content, startCountingOperator } from './counting-operator.ts';
import { anyEdit, builtIn, labels, port } from './drifting-kinds.ts';

interface Mixed extends CustomResource<'drift.example.com/v1', 'Mixed'> {
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
}
const Mixed = defineResource<Mixed>({
  group: 'drift.example.com',
  version: 'v1',
  kind: 'Mixed',
  plural: 'mixeds',
});

let server: KubeClient;
let kubeconfig: string;
let namespace: string;

const words = { type: 'object', additionalProperties: { type: 'string' } };
const atomic = { 'x-kubernetes-map-type': 'atomic' };
const pair = {
  type: 'object',
  properties: { a: { type: 'string' }, b: { type: 'string', default: 'by default' }, c: { type: 'integer' } },
};
const items = { type: 'array', items: { ...pair, required: ['a'] } };
/** Each way in which a schema may keep a value. */
const fields: Readonly<Record<string, object>> = {
  granular: words,
  atomic: { ...words, ...atomic },
  struct: pair,
  atomicStruct: { ...pair, ...atomic },
  list: items,
  listMap: { ...items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] },
  set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
  open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  either: { 'x-kubernetes-int-or-string': true },
  nullable: { type: 'string', nullable: true },
};
const nested = {
  type: 'object',
  properties: {
    ...fields,
    inner: { type: 'object', properties: fields },
    whole: { type: 'object', ...atomic, properties: fields },
  },
};

beforeAll(async () => {
  const plane = await sharedControlPlane();
  ({ kubeconfig } = plane);
  server = createClient({ cluster: await loadCluster({ kubeconfig }), fieldManager: 'editor' });
  namespace = await uniqueNamespace(plane);
  await server.apply(CustomResourceDefinition, {
    metadata: { name: 'mixeds.drift.example.com' },
    spec: {
      group: 'drift.example.com',
      scope: 'Namespaced',
      names: { kind: 'Mixed', plural: 'mixeds' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: nested, status: nested } } },
        },
      ],
    },
  });
  await eventually(() => server.list(Mixed, { namespace }), { timeout: 60_000 });
});
afterAll(async () => {
  await server.delete(CustomResourceDefinition, { name: 'mixeds.drift.example.com' });
  await server.close();
});

type Operator = Awaited<ReturnType<typeof startCountingOperator>>;

/** Applies, and compares what is there then with what the API server would have answered to a sent apply. */
async function expectAsSent(
  operator: Operator,
  resource: Resource,
  object: ApplyObject<KubeObject>,
): Promise<void> {
  const key = object.metadata as { name: string; namespace: string };
  await operator.caughtUp(resource, key.name);
  await operator.client.apply(resource, object);
  await eventually(
    async () => {
      const present = await server.get(resource, key);
      const answer = await server.apply(resource, object, { fieldManager: 'op/c', dryRun: true });
      expect(answer.metadata.resourceVersion).toBe(present.metadata.resourceVersion);
      expect(content(answer)).toEqual(content(present));
    },
    { timeout: 30_000 },
  );
}

test('an apply of a built-in kind puts right what others did to maps that are one value and to fields that are only written', async () => {
  const kinds = builtIn.map(({ resource }) => resource);
  await using operator = await startCountingOperator({ kubeconfig, server, namespace, kinds });
  await Promise.all(
    builtIn.map(async ({ resource, fields: wanted, edits }) => {
      const key = { name: uniqueName('drift'), namespace };
      const object = { metadata: { ...key, labels, annotations: {} }, ...wanted } as ApplyObject<KubeObject>;
      await expectAsSent(operator, resource, object);
      for (const body of [...edits, anyEdit]) {
        await server.patch(resource, key, { type: 'merge', body });
        await expectAsSent(operator, resource, object);
      }
    }),
  );
}, 300_000);

const text = fc.constantFrom('', 'a', 'b', 'c');
const map = fc.dictionary(
  text.filter((key) => key !== ''),
  text,
  { maxKeys: 2 },
);
const struct = fc.record({ a: text, b: text, c: fc.nat(2) }, { requiredKeys: [] });
const item = fc.record({ a: text, b: text, c: fc.nat(2) }, { requiredKeys: ['a'] });
const flat = {
  granular: map,
  atomic: map,
  struct,
  atomicStruct: struct,
  list: fc.array(item, { maxLength: 2 }),
  listMap: fc.uniqueArray(item, { maxLength: 2, selector: ({ a }) => a }),
  set: fc.uniqueArray(text, { maxLength: 2 }),
  open: fc.dictionary(
    text.filter((key) => key !== ''),
    fc.oneof(text, map, fc.array(map, { maxLength: 2 })),
    { maxKeys: 2 },
  ),
  either: fc.constantFrom<unknown>(0, 1, '1', '10%'),
  nullable: fc.constantFrom(null, '', 'a'),
};
const some = fc.record(flat, { requiredKeys: [] });
const value = fc.record({ ...flat, inner: some, whole: some }, { requiredKeys: [] });
const anyChange = fc.record({
  how: fc.constantFrom('update', 'apply', 'merge', 'disown'),
  value,
  part: fc.constantFrom('spec', 'status'),
});
const plan = fc.record({
  spec: value,
  status: value,
  changes: fc.array(anyChange, { minLength: 1, maxLength: 5 }),
});

type Change = typeof anyChange extends fc.Arbitrary<infer C> ? C : never;

/** Somebody else writes. */
async function change(
  key: { readonly name: string; readonly namespace: string },
  how: Change['how'],
  part: Change['part'],
  other: Record<string, unknown>,
): Promise<unknown> {
  const isStatus = part === 'status';
  const byForce = { force: true, fieldManager: 'other' };
  switch (how) {
    case 'merge': {
      const body = { [part]: other };
      return server.patch(Mixed, key, { type: 'merge', body }, isStatus ? { subresource: 'status' } : {});
    }
    case 'disown':
      return server.patch(Mixed, key, { type: 'merge', body: { metadata: { managedFields: [{}] } } });
    case 'apply':
      return isStatus
        ? server.applyStatus(Mixed, key, other, byForce)
        : server.apply(Mixed, { metadata: key, spec: other }, byForce);
    case 'update': {
      const present = await server.get(Mixed, key);
      return isStatus
        ? server.updateStatus(Mixed, { ...present, status: other })
        : server.update(Mixed, { ...present, spec: other });
    }
  }
}

function ignoreInvalid(error: unknown): void {
  if (!isInvalid(error)) throw error;
}

test('an apply of a custom kind, or of its status, ends with what a sent one gives, whatever others change', async () => {
  await using operator = await startCountingOperator({ kubeconfig, server, namespace, kinds: [Mixed] });
  await fc.assert(
    fc.asyncProperty(plan, async ({ spec, status, changes }) => {
      const key = { name: uniqueName('mixed'), namespace };
      const object: ApplyObject<Mixed> = { metadata: key, spec };
      const settle = async (): Promise<void> => {
        await expectAsSent(operator, Mixed, object);
        await operator.caughtUp(Mixed, key.name);
        await operator.client.applyStatus(Mixed, key, status);
        const present = await server.get(Mixed, key);
        const answer = await server.applyStatus(Mixed, key, status, { fieldManager: 'op/c', dryRun: true });
        expect(answer.status).toEqual(present.status);
      };
      await settle();
      for (const { how, value: other, part } of changes) {
        // The API server refuses, as null, a map of which an apply takes away the last field.
        await change(key, how, part, other).catch(ignoreInvalid);
        await settle().catch(ignoreInvalid);
      }
    }),
    { numRuns: runs(100) },
  );
}, 300_000);

test('what others put into a map of several owners that was applied empty costs one request, and no more', async () => {
  await using operator = await startCountingOperator({ kubeconfig, server, namespace, kinds: [Mixed] });
  const key = { name: uniqueName('shared'), namespace };
  const object: ApplyObject<Mixed> = {
    metadata: { ...key, annotations: {} },
    spec: { granular: {}, listMap: [] },
  };
  const counts: number[] = [];
  for (const n of [0, 1, 2, 3]) {
    const body = {
      metadata: { annotations: { [`n${n}`]: 'x' } },
      spec: { granular: { [`n${n}`]: 'x' }, listMap: [{ a: `n${n}` }] },
    };
    counts.push(await operator.sent(() => operator.client.apply(Mixed, object)));
    await server.patch(Mixed, key, { type: 'merge', body });
    await operator.caughtUp(Mixed, key.name);
  }
  expect(counts).toEqual([1, 1, 0, 0]);
  expect(Object.keys((await server.get(Mixed, key)).spec?.['granular'] as object)).toHaveLength(4);
});

test('createOrUpdate replaces what others did to a selector, and keeps their fields of other maps', async () => {
  await using operator = await startCountingOperator({
    kubeconfig,
    server,
    namespace,
    kinds: [Service, NetworkPolicy],
  });
  const key = { name: uniqueName('created'), namespace };
  const write = async (client = operator.client): Promise<string[]> => {
    await operator.caughtUp(Service, key.name);
    await operator.caughtUp(NetworkPolicy, key.name);
    const results = [
      await client.createOrUpdate(Service, key, () => ({
        metadata: { ...key, labels: {} },
        spec: { selector: labels, ports: [port] },
      })),
      await client.createOrUpdate(NetworkPolicy, key, () => ({ metadata: key, spec: { podSelector: {} } })),
    ];
    return results.map(({ operation }) => operation);
  };
  const drift = async (): Promise<void> => {
    const metadata = { labels: { other: 'x' } };
    await server.patch(Service, key, {
      type: 'merge',
      body: { metadata, spec: { selector: { color: 'blue' } } },
    });
    await server.patch(NetworkPolicy, key, {
      type: 'merge',
      body: { metadata, spec: { podSelector: { matchLabels: { a: 'b' } } } },
    });
  };
  const expectRight = async (): Promise<void> => {
    const service = await server.get(Service, key);
    expect(service.spec?.selector).toEqual(labels);
    expect(service.metadata.labels).toEqual({ other: 'x' });
    expect((await server.get(NetworkPolicy, key)).spec?.podSelector).toEqual({});
  };
  expect(await write()).toEqual(['created', 'created']);
  expect(await write()).toEqual(['unchanged', 'unchanged']);
  await drift();
  expect(await write()).toEqual(['updated', 'updated']);
  await expectRight();
  expect(await write()).toEqual(['unchanged', 'unchanged']);
  await drift();
  await using restarted = await startCountingOperator({
    kubeconfig,
    server,
    namespace,
    kinds: [Service, NetworkPolicy],
  });
  expect(await write(restarted.client)).toEqual(['updated', 'updated']);
  await expectRight();
});
