import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  conditionsOf,
  defineResource,
  isInvalid,
  isNotFound,
  type CachedReader,
  type Condition,
  type CustomResource,
  type ListMap,
} from '../../../../src/index.ts';
import { CustomResourceDefinition } from '../../../../src/sdk/k8s/generated/apiextensions/v1.ts';
import { Pod } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../../../src/sdk/kube/index.ts';
import { assertConditionsAreAMap } from '../../../../src/sdk/runtime/applied-conditions.ts';
import { CacheBackedClient } from '../../../../src/sdk/runtime/client/index.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { sharedControlPlane, uniqueName } from '../../../helpers/control-plane.ts';
import { runs } from '../../../helpers/thorough.ts';
import { noWrites } from '../../../unit/sdk/runtime/no-writes.ts';

interface Site extends CustomResource {
  status?: { conditions?: ListMap<Condition, 'type'> };
}

const group = `${uniqueName('sites')}.example.com`;
const Site = defineResource<Site>({ group, version: 'v1', kind: 'Site' });
/** Of the same shape, but its conditions are one value. */
const Whole = defineResource<Site>({ group, version: 'v1', kind: 'Whole', plural: 'wholes' });
/** Without a schema for its status. */
const Loose = defineResource<Site>({ group, version: 'v1', kind: 'Loose', plural: 'looses' });
const namespace = 'default';

const text = { type: 'string' };
const asMap = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] };
const statusWith = (listType: object, status: object = text) => ({
  type: 'object',
  properties: {
    conditions: {
      type: 'array',
      ...listType,
      items: {
        type: 'object',
        required: ['type', 'status'],
        properties: {
          ...{ type: text, status, reason: text, message: text },
          ...{ lastTransitionTime: text, observedGeneration: { type: 'integer' } },
        },
      },
    },
  },
});
const statusOf = new Map<typeof Site, object>([
  [Site, statusWith(asMap, { ...text, enum: ['True', 'False'] })],
  [Whole, statusWith({})],
  [Loose, { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
]);

let server: KubeClient;

beforeAll(async () => {
  const { kubeconfig } = await sharedControlPlane();
  server = createClient({ cluster: await loadCluster({ kubeconfig }), fieldManager: 'test' });
  for (const [resource, status] of statusOf) await install(resource, status);
});
afterAll(() => server.close());

async function install(resource: typeof Site, status: object): Promise<void> {
  const { plural, kind } = resource;
  const schema = { openAPIV3Schema: { type: 'object', properties: { status } } };
  await server.apply(CustomResourceDefinition, {
    metadata: { name: `${plural}.${group}` },
    spec: {
      ...{ group, scope: 'Namespaced', names: { plural, kind, singular: kind.toLowerCase() } },
      versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} }, schema }],
    },
  });
  await eventually(() => server.list(resource), { timeout: 60_000 });
}

async function created(resource: typeof Site): Promise<Site> {
  return server.create(resource, { metadata: { name: uniqueName(), namespace } });
}

const ready: Condition = {
  ...{ type: 'Ready', status: 'True', reason: 'Fine', message: '' },
  lastTransitionTime: '2026-01-02T03:04:05Z',
};

/** A server of its own for what is remembered of it, which counts the dry runs. */
function counting() {
  const count = { dryRuns: 0 };
  const applyStatus: KubeClient['applyStatus'] = (resource, key, status, options) => {
    if (options?.dryRun === true) count.dryRuns += 1;
    return server.applyStatus(resource, key, status, options);
  };
  return Object.assign(count, { applyStatus });
}

const options = { fieldManager: 'op/c' };

describe('two controllers that set conditions of one object', () => {
  const names = { a: ['Ready', 'Available'], b: ['Degraded', 'Progressing'] } as const;
  const step = fc.record({
    who: fc.constantFrom('a', 'b'),
    /** Whether its cache has caught up with what the other has written. */
    reads: fc.boolean(),
    which: fc.nat(1),
    becomes: fc.constantFrom('True', 'False', 'removed'),
  });

  test('never undo each other, whatever they have not seen yet', async () => {
    const clientOf = (fieldManager: string) =>
      new CacheBackedClient({
        source: 'cache',
        cached: {} as CachedReader,
        live: server,
        writes: noWrites,
        fieldManager,
      });
    const clients = { a: clientOf('op/a'), b: clientOf('op/b') };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
        const site = await created(Site);
        const key = site.metadata;
        // The API server fails when an apply removes the last item of a list that somebody else wrote empty.
        const others = { conditions: [{ ...ready, type: 'Others' }] };
        await server.applyStatus(Site, key, others, { fieldManager: 'op/others' });
        const seen = { a: site, b: site };
        const expected = new Map<string, string>([['Others', 'True']]);
        for (const { who, reads, which, becomes } of steps) {
          if (reads) seen[who] = await server.get(Site, key);
          const type = names[who][which] ?? 'Ready';
          const conditions = conditionsOf<string>(seen[who], names[who]);
          if (becomes === 'removed') conditions.remove(type);
          else if (becomes === 'True') conditions.true(type, 'Set');
          else conditions.false(type, 'Set');
          seen[who] = await clients[who].applyStatus(Site, key, { conditions: conditions.toJSON() });
          if (becomes === 'removed') expected.delete(type);
          else expected.set(type, becomes);
          const stored = seen[who].status?.conditions ?? [];
          expect(new Map(stored.map((c) => [c.type, c.status]))).toEqual(expected);
        }
      }),
      { numRuns: runs(1000) },
    );
    // Some 7,000 requests one after another, beside the other files' requests to the same server.
  }, 900_000);
});

describe('a kind whose conditions are not a map by type', () => {
  test.each([
    ['atomic', Whole],
    ['unknown to the schema', Loose],
  ])('is refused by applyStatus: %s', async (_, resource) => {
    const { metadata: key } = await created(resource);
    const theirs = { conditions: [{ ...ready, type: 'Theirs' }] };
    await server.applyStatus(resource, key, theirs, { fieldManager: 'op/other' });
    const client = new CacheBackedClient({
      source: 'cache',
      cached: {} as CachedReader,
      live: server,
      writes: noWrites,
      fieldManager: 'op/c',
    });
    for (const conditions of [[ready], []]) {
      await expect(client.applyStatus(resource, key, { conditions })).rejects.toMatchObject({
        code: 'runtime/conditions-not-a-map',
        findings: [{ where: { object: `${resource.kind} default/${key.name}`, path: '.status.conditions' } }],
      });
    }
    expect((await server.get(resource, key)).status).toEqual(theirs);
  });

  test('is accepted once its CRD makes it one', async () => {
    const Mended = defineResource<Site>({ group, version: 'v1', kind: 'Mended', plural: 'mendeds' });
    await install(Mended, statusWith({}));
    const { metadata: key } = await created(Mended);
    const client = counting();
    const check = () => assertConditionsAreAMap(client, Mended, key, { conditions: [ready] }, options);
    await expect(check()).rejects.toThrow(/conditions-not-a-map/);
    await install(Mended, statusWith(asMap));
    await eventually(check, { timeout: 60_000 });
  });
});

describe('a kind whose conditions are a map by type', () => {
  test('is looked at once, also where the first list is empty', async () => {
    for (const conditions of [[ready], []]) {
      const { metadata: key } = await created(Site);
      const client = counting();
      const check = (status: object) => assertConditionsAreAMap(client, Site, key, status, options);
      await check({});
      expect(client.dryRuns).toBe(0);
      // The enum of this kind refuses the condition that stands for those of an empty list: nothing is known then, and nothing refused.
      await check({ conditions });
      await check({ conditions: [ready] });
      await check({ conditions: [ready] });
      expect(client.dryRuns).toBe(conditions.length === 0 ? 2 : 1);
      expect((await server.get(Site, key)).status).toBeUndefined();
    }
  });

  test('may be a built-in one', async () => {
    const { metadata: key } = await server.create(Pod, {
      metadata: { name: uniqueName(), namespace },
      spec: { containers: [{ name: 'web', image: 'nginx' }] },
    });
    await assertConditionsAreAMap(counting(), Pod, key, { conditions: [ready] }, options);
  });

  test('fails as the write itself would: an absent object, an invalid status', async () => {
    const client = counting();
    const absent = assertConditionsAreAMap(
      client,
      Site,
      { name: 'absent', namespace },
      { conditions: [ready] },
      options,
    );
    await expect(absent).rejects.toSatisfy(isNotFound);
    const { metadata: key } = await created(Site);
    const invalid = { conditions: [{ ...ready, status: 'Unknown' }] };
    await expect(assertConditionsAreAMap(client, Site, key, invalid, options)).rejects.toSatisfy(isInvalid);
  });
});
