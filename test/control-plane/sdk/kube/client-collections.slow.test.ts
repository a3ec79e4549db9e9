import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { metadataOnly } from '../../../../src/sdk/api/index.ts';
import {
  createClient,
  discover,
  isNotFound,
  isTypeNotServed,
  loadCluster,
  type KubeClient,
  type ObjectWatchEvent,
} from '../../../../src/sdk/kube/index.ts';
import { eventually } from '../../../../src/testing/index.ts';
import {
  sharedControlPlane,
  uniqueName,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../helpers/control-plane.ts';
import { ConfigMap, Crd, Deployment, Namespace, Pod, ServiceAccount } from './support/kinds.ts';

let plane: SharedControlPlane;
beforeAll(async () => {
  plane = await sharedControlPlane();
});

describe.each(['http2', 'http1'] as const)('the client over %s', (protocol) => {
  let client: KubeClient;
  let namespace: string;
  beforeAll(async () => {
    const cluster = await loadCluster({ kubeconfig: plane.kubeconfig });
    client = createClient({ cluster, fieldManager: 'test', protocol, onWarning: () => undefined });
  });
  afterAll(() => client.close());
  beforeEach(async () => {
    namespace = await uniqueNamespace(plane);
  });

  const labels = { made: 'here' };
  const put = (name: string, value = '1'): Promise<ConfigMap> =>
    client.apply(ConfigMap, { metadata: { name, namespace, labels }, data: { value } });
  const names = ['a', 'b', 'c', 'd', 'e'];
  const putAll = (): Promise<unknown> => Promise.all(names.map((name) => put(name)));
  const mine = { labelSelector: 'made=here' };

  test('reads page by page, all of one moment', async () => {
    await putAll();
    const sizes: number[] = [];
    const found: (string | undefined)[] = [];
    const versions = new Set<string | undefined>();
    for await (const page of client.pages(ConfigMap, { namespace, ...mine, limit: 2 })) {
      sizes.push(page.items.length);
      versions.add(page.metadata.resourceVersion);
      found.push(...page.items.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
      await put('late');
    }
    expect(sizes).toEqual([2, 2, 1]);
    expect(found).toEqual(names.map((name) => `ConfigMap ${name}`));
    expect(versions.size).toBe(1);
  });

  test('deletes a collection: what a selector selects, or all of a namespace', async () => {
    await putAll();
    const other = await uniqueNamespace(plane);
    await client.create(ConfigMap, { metadata: { name: 'other', namespace: other, labels } });
    await client.create(ConfigMap, { metadata: { name: 'unlabelled', namespace } });
    await client.deleteCollection(ConfigMap, { namespace, ...mine, dryRun: true });
    expect((await client.list(ConfigMap, { namespace, ...mine })).items).toHaveLength(5);
    await client.deleteCollection(ConfigMap, { namespace, fieldSelector: 'metadata.name=a' });
    expect((await client.list(ConfigMap, { namespace, ...mine })).items).toHaveLength(4);
    await client.deleteCollection(ConfigMap, { namespace, ...mine, propagationPolicy: 'Background' });
    expect((await client.list(ConfigMap, { namespace, ...mine })).items).toEqual([]);
    expect(await client.find(ConfigMap, { name: 'unlabelled', namespace })).toBeDefined();
    await client.deleteCollection(ConfigMap, { namespace, all: true });
    expect(await client.find(ConfigMap, { name: 'unlabelled', namespace })).toBeUndefined();
    expect(await client.find(ConfigMap, { name: 'other', namespace: other })).toBeDefined();
  });

  test('deletes no collection whose extent was not said', async () => {
    await put('kept');
    const invalid = { code: 'kube/invalid-request' };
    for (const options of [
      { namespace },
      { namespace, labelSelector: '' },
      { namespace, ...mine, all: true },
      { namespace: '', ...mine },
      mine,
    ])
      await expect(client.deleteCollection(ConfigMap, options)).rejects.toMatchObject(invalid);
    await expect(client.deleteCollection(Namespace, { namespace, ...mine })).rejects.toMatchObject(invalid);
    await expect(client.deleteCollection(Namespace, {})).rejects.toMatchObject(invalid);
    expect(await client.find(ConfigMap, { name: 'kept', namespace })).toBeDefined();
  });

  test('scales, and reads the scale', async () => {
    const key = { name: 'web', namespace };
    await client.create(Deployment, {
      metadata: key,
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'web', image: 'nginx' }] },
        },
      },
    });
    expect((await client.scale(Deployment, key, 3)).spec?.replicas).toBe(3);
    expect((await client.get(Deployment, key)).spec.replicas).toBe(3);
    expect((await client.scale(Deployment, key, 5, { dryRun: true })).spec?.replicas).toBe(5);
    const scale = await client.getScale(Deployment, key);
    expect(scale).toMatchObject({ kind: 'Scale', spec: { replicas: 3 }, status: { selector: 'app=web' } });
    for (const replicas of [-1, 1.5, NaN])
      await expect(client.scale(Deployment, key, replicas)).rejects.toMatchObject({
        code: 'kube/invalid-request',
      });
    await put('unscalable');
    const unscalable = client.scale(ConfigMap, { name: 'unscalable', namespace }, 1);
    await expect(unscalable).rejects.toSatisfy(isTypeNotServed);
    await expect(unscalable).rejects.toThrow(`patch configmaps/scale ${namespace}/unscalable`);
  });

  test('reads and writes any subresource', async () => {
    const key = { name: 'web', namespace };
    await client.create(Pod, { metadata: key, spec: { containers: [{ name: 'web', image: 'nginx' }] } });
    const status = client.subresource(Pod, key, 'status');
    const pod = await status.get<Pod>();
    await status.update({ ...pod, status: { ...pod.status, message: 'updated' } });
    const patched = await status.patch<Pod>({ type: 'merge', body: { status: { reason: 'patched' } } });
    expect(patched.status).toMatchObject({ message: 'updated', reason: 'patched' });
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const account = { name: 'default', namespace };
    const token = await client
      .subresource(ServiceAccount, account, 'token')
      .create<{ status: { token: string } }>(request);
    expect(token.status.token.split('.')).toHaveLength(3);
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: key };
    await client.subresource(Pod, key, 'eviction').create(eviction);
    await eventually(async () => expect(await client.find(Pod, key)).toBeUndefined());
    await expect(client.subresource(Pod, key, 'status').get()).rejects.toSatisfy(isNotFound);
    expect(() => client.subresource(Pod, key, '../x')).toThrow(
      'the subresource "../x" cannot be part of a path',
    );
    expect(() => client.subresource(Pod, { name: '', namespace }, 'status')).toThrow('the name is missing');
  });

  test('watches from a list on, with bookmarks, until the server ends it', async () => {
    await put('a');
    const { metadata } = await client.list(ConfigMap, { namespace, ...mine });
    const { resourceVersion } = metadata;
    const watched: ObjectWatchEvent<ConfigMap>[] = [];
    const write = async (): Promise<void> => {
      await put('b');
      await put('a', '2');
      await client.delete(ConfigMap, { name: 'b', namespace });
    };
    const writing = write();
    const options = { namespace, ...mine, resourceVersion, timeoutSeconds: 5 };
    for await (const event of client.watch(ConfigMap, options)) watched.push(event);
    await writing;
    const seen = watched.map((event) =>
      event.type === 'BOOKMARK' ? event.type : `${event.type} ${event.object.metadata.name}`,
    );
    expect(seen.filter((each) => each !== 'BOOKMARK')).toEqual(['ADDED b', 'MODIFIED a', 'DELETED b']);
    expect(seen).toContain('BOOKMARK');
    for (const event of watched)
      expect(Number(event.resourceVersion)).toBeGreaterThan(Number(resourceVersion));
  });

  test('watches what exists first, and ends with break or an abort', async () => {
    await putAll();
    const found: string[] = [];
    for await (const event of client.watch(ConfigMap, { namespace, ...mine })) {
      if (event.type === 'ADDED') found.push(event.object.metadata.name);
      if (found.length === names.length) break;
    }
    expect(found.sort()).toEqual(names);
    const abort = new AbortController();
    const reason = new Error('enough');
    const watching = async (): Promise<void> => {
      for await (const event of client.watch(ConfigMap, { namespace, signal: abort.signal }))
        if (event.type === 'ADDED') abort.abort(reason);
    };
    await expect(watching()).rejects.toBe(reason);
  });

  test('tells a type that a group of the API server lacks from a missing object', async () => {
    const missing = { ...(await client.resourceOf(ConfigMap)), plural: 'nothings' };
    await expect(client.find(missing, { name: 'x', namespace })).rejects.toSatisfy(isTypeNotServed);
    const watching = async (): Promise<void> => {
      for await (const _ of client.watch(missing)) return;
    };
    await expect(watching()).rejects.toSatisfy(isTypeNotServed);
  });

  test('finds the token of a manifest, also of a kind that was installed later', async () => {
    const token = await client.resourceOf({ apiVersion: 'apps/v1', kind: 'Deployment' });
    expect(token).toMatchObject({ group: 'apps', version: 'v1', plural: 'deployments', namespaced: true });
    const group = `${uniqueName('found')}.example.com`;
    const manifest = { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'x', namespace } };
    await expect(client.resourceOf(manifest)).rejects.toSatisfy(isTypeNotServed);
    await client.create(Crd, {
      metadata: { name: `things.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    });
    await eventually(
      async () => {
        const thing = await client.resourceOf(manifest);
        await client.create(thing, manifest);
      },
      { timeout: 60_000 },
    );
    const { types } = await discover(client.connection);
    expect(types.some(({ resource }) => resource.group === group)).toBe(true);
    await client.delete(Crd, { name: `things.${group}` });
  });

  test('R26: lists metadata alone', async () => {
    await putAll();
    const { items, metadata } = await client.list(metadataOnly(ConfigMap), { namespace, ...mine });
    expect(Number(metadata.resourceVersion)).toBeGreaterThan(0);
    expect(items).toHaveLength(5);
    for (const item of items) {
      expect(Object.keys(item).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
      expect(item).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { labels } });
    }
  });
});
