import { describe, expect, it } from 'vitest';
import { ConfigMap, Secret } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { isConflict, isInvalid, isNotFound } from '../../../../src/sdk/kube/index.ts';
import {
  cached,
  defineController,
  every,
  ownedBy,
  requeueAfter,
  terminalError,
  watch,
  type ClusterHandle,
} from '../../../../src/sdk/runtime/index.ts';
import { createTestApi, type TestApi } from '../../../../src/testing/index.ts';
import { Site, site, siteCrd } from './fixtures.ts';

const key = { name: 'a', namespace: 'default' };
const start = (options: Partial<Parameters<typeof createTestApi>[0]> = {}): Promise<TestApi> =>
  createTestApi({ kinds: [Site, ConfigMap], crds: [siteCrd], ...options });

/** Keeps a ConfigMap for each Site. */
const pages = defineController({
  name: 'pages',
  for: Site,
  owns: [ConfigMap],
  async reconcile(found, { client, events }) {
    const { name, namespace } = found.metadata;
    await client.apply(ConfigMap, {
      metadata: { name, namespace, ...ownedBy(found) },
      data: { pages: String(found.spec.pages) },
    });
    events.normal('Written', `${found.spec.pages} pages`);
    await client.applyStatus(Site, key, { pages: found.spec.pages ?? 0 });
  },
});

describe('createTestApi', () => {
  it('runs added controllers until nothing is left to do', async () => {
    await using api = await start({ objects: [site('a', { pages: 3 })] });
    api.add(pages);
    await api.settle();
    expect(await api.client.get(ConfigMap, key)).toMatchObject({ data: { pages: '3' } });
    expect(await api.client.get(Site, key)).toMatchObject({ status: { pages: 3 } });
    expect(api.events).toMatchObject([
      { type: 'Normal', reason: 'Written', note: '3 pages', regarding: { kind: 'Site', name: 'a' } },
    ]);
  });

  it('reconciles what the test changes, and what it breaks', async () => {
    await using api = await start({ objects: [site('a')] });
    api.add(pages);
    await api.settle();
    await api.client.patch(Site, key, { type: 'merge', body: { spec: { pages: 7 } } });
    await api.settle();
    expect(await api.client.get(ConfigMap, key)).toMatchObject({ data: { pages: '7' } });
    await api.client.delete(ConfigMap, key);
    await api.settle();
    expect(await api.client.get(ConfigMap, key)).toMatchObject({ data: { pages: '7' } });
  });

  it('collects what a deleted owner leaves behind', async () => {
    await using api = await start({ objects: [site('a')] });
    api.add(pages);
    await api.settle();
    await api.client.delete(Site, key);
    await api.settle();
    expect(await api.client.find(ConfigMap, key)).toBeUndefined();
  });

  it('reconciles once, and throws what the controller throws', async () => {
    await using api = await start({ objects: [site('a')] });
    const failing = defineController({
      for: Site,
      reconcile: () => {
        throw new Error('no pages today');
      },
    });
    await expect(api.reconcile(failing, 'a')).rejects.toThrow('no pages today');
    expect(await api.reconcile(pages, 'a')).toBeUndefined();
    const requests = api.requests.map(({ verb, resource, subresource }) => [
      verb,
      resource.kind,
      subresource,
    ]);
    // Events are written beside the reconcile.
    expect(requests.filter(([, kind]) => kind !== 'Event')).toEqual([
      ['apply', 'ConfigMap', undefined],
      ['apply', 'Site', 'status'],
    ]);
    expect(requests).toContainEqual(['create', 'Event', undefined]);
  });

  it('puts the finalizer in, runs finalize and lets the object go', async () => {
    const seen: string[] = [];
    const controller = defineController({
      for: Site,
      reconcile: () => void seen.push('reconcile'),
      finalize: () => void seen.push('finalize'),
    });
    await using api = await start({ objects: [site('a')] });
    api.add(controller);
    await api.settle();
    expect((await api.client.get(Site, key)).metadata.finalizers).toEqual(['web.example.com/site']);
    await api.client.delete(Site, key);
    await api.settle();
    // The finalizer itself is a change that counts.
    expect(seen).toEqual(['reconcile', 'reconcile', 'finalize']);
    expect(await api.client.find(Site, key)).toBeUndefined();
  });

  it('lets time pass for requeueAfter and every', async () => {
    let runs = 0;
    const controller = defineController({
      for: Site,
      watches: [every('1h', () => [key])],
      reconcile: () => {
        runs += 1;
        return requeueAfter('10m');
      },
    });
    await using api = await start({ objects: [site('a')] });
    const began = api.now;
    api.add(controller);
    await api.settle();
    expect(runs).toBe(1);
    await api.advance('9m');
    expect(runs).toBe(1);
    await api.advance('1m');
    expect(runs).toBe(2);
    await api.settle({ within: '20m' });
    expect(runs).toBe(4);
    await api.advance('30m');
    expect(runs).toBe(7);
    expect(api.now.getTime() - began.getTime()).toBe(60 * 60_000);
  });

  it('stops a reconcile that takes too long, by its timeout', async () => {
    const controller = defineController({
      for: Site,
      reconcileTimeout: '30s',
      reconcile: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    });
    await using api = await start({ objects: [site('a')] });
    api.add(controller);
    await expect(api.advance('30s')).rejects.toMatchObject({ code: 'testapi/reconcile-failed' });
  });

  it('throws the failures that are left, and none that a retry has cured', async () => {
    let fails = 2;
    const controller = defineController({
      for: Site,
      reconcile: () => {
        if (fails-- > 0) throw new Error('not yet');
      },
    });
    await using api = await start({ objects: [site('a')] });
    api.add(controller);
    await api.settle();
    const broken = defineController({
      for: Site,
      reconcile: () => {
        throw terminalError(new Error('never'));
      },
    });
    await using other = await start({ objects: [site('a')] });
    other.add(broken);
    await expect(other.settle()).rejects.toThrow('site: Site default/a: never');
  });

  it('notices controllers that never come to rest', async () => {
    let count = 0;
    const controller = defineController({
      for: Site,
      predicates: [],
      reconcile: async (_, { client }) => {
        count += 1;
        await client.applyStatus(Site, key, { pages: count });
      },
    });
    await using api = await start({ objects: [site('a')] });
    api.add(controller);
    await expect(api.settle()).rejects.toMatchObject({ code: 'testapi/not-settled' });
  });

  it('answers what a test has prepared, so often and no oftener', async () => {
    await using api = await start({ objects: [site('a')] });
    const conflict = api.intercept({ verb: 'apply', resource: ConfigMap }, { code: 409, reason: 'Conflict' });
    await expect(api.reconcile(pages, 'a')).rejects.toSatisfy(isConflict);
    expect(conflict.used).toBe(1);
    await api.reconcile(pages, 'a');
    expect(conflict.used).toBe(1);
    const seen: unknown[] = [];
    const spy = api.intercept(
      { verb: 'apply', resource: Site, subresource: 'status', times: 5 },
      ({ body }) => void seen.push(body),
    );
    await api.client.patch(Site, key, { type: 'merge', body: { spec: { pages: 2 } } });
    await api.reconcile(pages, 'a');
    expect(spy.used).toBe(1);
    expect(seen).toMatchObject([{ status: { pages: 2 } }]);
    api.intercept({ verb: 'apply', resource: ConfigMap }, new Error('connection lost'));
    await api.client.patch(Site, key, { type: 'merge', body: { spec: { pages: 3 } } });
    await expect(api.reconcile(pages, 'a')).rejects.toThrow('connection lost');
  });

  it('waits in virtual time where the server asks to try again later', async () => {
    await using api = await start({ objects: [site('a')] });
    api.intercept({ verb: 'apply', resource: ConfigMap }, { code: 429, retryAfterSeconds: 0 });
    api.add(pages);
    await api.settle();
    expect(await api.client.find(ConfigMap, key)).toBeDefined();
  });

  it('gives the test the client of a reconcile, with the errors of the server', async () => {
    await using api = await start();
    await expect(api.client.get(Site, key)).rejects.toSatisfy(isNotFound);
    await expect(api.client.create(Site, site('a', { pages: -1 }))).rejects.toSatisfy(isInvalid);
    await api.client.create(Site, site('a'));
    expect((await api.client.get(Site, key)).spec).toEqual({ pages: 1 });
  });

  it('refuses kinds without a schema, all at once', async () => {
    await expect(createTestApi({ kinds: [Site, Secret], crds: [] })).rejects.toMatchObject({
      findings: [
        {
          code: 'testapi/unknown-kind',
          message: 'kinds: the test API has no schema of web.example.com/v1 Site',
        },
      ],
    });
  });

  it('refuses objects that the server refuses', async () => {
    await expect(start({ objects: [site('a', { pages: -1 })] })).rejects.toMatchObject({
      code: 'testapi/invalid-object',
    });
    const elsewhere = { ...site('a'), metadata: { name: 'a', namespace: 'shop' } };
    await expect(start({ objects: [elsewhere] })).rejects.toThrow('namespaces "shop" not found');
  });

  it('reports what it does not support even if the controller swallows it', async () => {
    const controller = defineController({
      for: Site,
      reconcile: (_, { client }) =>
        client.patch(ConfigMap, key, { type: 'strategic', body: {} }).then(
          () => undefined,
          () => undefined,
        ),
    });
    await using api = await start({ objects: [site('a')] });
    api.add(controller);
    await expect(api.settle()).rejects.toMatchObject({ code: 'testapi/unsupported' });
  });

  it('refuses controllers that are added after the start', async () => {
    await using api = await start();
    await api.settle();
    expect(() => api.add(pages)).toThrow(expect.objectContaining({ code: 'testapi/started' }));
  });

  it('forgets the failure of an object that is gone', async () => {
    await using api = await start({ objects: [site('a'), site('b')] });
    const failing = defineController({
      for: Site,
      reconcile: (found) => {
        if (found.metadata.name === 'a') throw terminalError(new Error('never'));
      },
    });
    api.add(failing);
    await expect(api.settle()).rejects.toThrow('never');
    await api.client.delete(Site, key);
    await api.settle();
  });

  it('takes the end of many things that belong to an object that is gone for no endless work', async () => {
    const objects = Array.from({ length: 250 }, (_, i) => ({
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `of-a-${i}`, namespace: 'default' } },
    }));
    await using api = await start({ objects });
    api.add(
      defineController({
        ...{ name: 'sites', for: Site, reconcile: () => undefined },
        watches: [watch(ConfigMap, { map: () => [key] })],
      }),
    );
    api.add(
      defineController({
        for: ConfigMap,
        async reconcile({ metadata }, { client }) {
          await client.delete(ConfigMap, metadata);
        },
      }),
    );
    await api.settle();
    expect((await api.client.list(ConfigMap)).items).toEqual([]);
  });

  it('caches as it is asked to, whatever its name', async () => {
    const labelled = {
      ...site('b'),
      metadata: { name: 'b', namespace: 'default', labels: { shown: 'yes' } },
    };
    await using api = await start({
      ...{ name: 'test', objects: [site('a'), labelled] },
      cache: [cached(Site, { labelSelector: 'shown=yes' })],
    });
    const seen: string[] = [];
    api.add(defineController({ for: Site, reconcile: ({ metadata }) => void seen.push(metadata.name) }));
    await api.settle();
    expect(seen).toEqual(['b']);
  });

  it('refuses a controller that watches another cluster', async () => {
    await using api = await start();
    const cluster = { name: 'edge' } as ClusterHandle;
    const controller = defineController({
      name: 'far',
      for: Site,
      watches: [watch(Secret, { cluster, map: () => [] })],
      reconcile: () => undefined,
    });
    const refused = { findings: [{ code: 'testapi/unsupported' }] };
    expect(() => api.add(controller)).toThrow(/^\[testapi\/unsupported\] .*cluster edge$/m);
    await expect(api.reconcile(controller, 'a')).rejects.toMatchObject(refused);
  });
});
