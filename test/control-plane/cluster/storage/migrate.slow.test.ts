// Storage migration on a real API server: what etcd holds is seen by making the other version unreadable in status.storedVersions.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { externalResource, type KubeObject, type Resource } from '../../../../src/sdk/api/index.ts';
import { migrateStorage } from '../../../../src/cluster/storage/migrate-storage.ts';
import {
  readStoredDefinition,
  type StoredDefinition,
} from '../../../../src/cluster/storage/check-storage.ts';
import { CustomResourceDefinition } from '../../../../src/sdk/k8s/generated/apiextensions/v1.ts';
import { ApiError, type KubeClient } from '../../../../src/sdk/kube/index.ts';
import { inParallel } from '../../../../src/base/util/in-parallel.ts';
import { isThorough } from '../../../helpers/thorough.ts';
import { sharedControlPlane, uniqueName, type SharedControlPlane } from '../../../helpers/control-plane.ts';
import { apply, clientOf, manifest } from '../helpers.ts';

const unique = uniqueName('storage');
const schema = {
  openAPIV3Schema: {
    type: 'object',
    properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  },
};
/** Every test has a kind of its own. */
let group: string;
let name: string;
let Thing: Resource<KubeObject>;
const crd = (storage: string, versions = ['v1', 'v2']) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: versions.map((version) => ({
      name: version,
      served: true,
      storage: version === storage,
      schema,
    })),
  },
});

let plane: SharedControlPlane;
let client: KubeClient;
const definition = async (): Promise<StoredDefinition> =>
  (await readStoredDefinition(client, name, undefined))!;
const apiError = (code: number, reason: string, message: string): ApiError =>
  new ApiError({ method: 'PATCH', path: '/' } as never, code, {
    apiVersion: 'v1',
    kind: 'Status',
    status: 'Failure',
    code,
    reason,
    message,
  } as never);
const namesOf = (index: number) => `t-${String(index).padStart(4, '0')}`;

beforeAll(async () => {
  plane = await sharedControlPlane();
  client = await clientOf(plane);
}, 180_000);
afterAll(() => client.close());

let kinds = 0;
beforeEach(async () => {
  group = `${unique}-${(kinds += 1)}.example.com`;
  name = `things.${group}`;
  Thing = externalResource<KubeObject>({
    group,
    version: 'v1',
    kind: 'Thing',
    plural: 'things',
    scope: 'Namespaced',
  });
  await apply(client, manifest(crd('v1')));
});
afterEach(() => client.delete(CustomResourceDefinition, { name }));

/** Objects that are stored in v1, while v2 is the storage version. */
async function storedInV1(count: number): Promise<StoredDefinition> {
  await inParallel([...Array(count).keys()], (index) =>
    client.create(Thing, {
      apiVersion: `${group}/v1`,
      kind: 'Thing',
      metadata: { name: namesOf(index), namespace: 'default' },
      spec: { index },
    } as KubeObject),
  );
  await apply(client, manifest(crd('v2')));
  return definition();
}

describe('storage migration', () => {
  test('is not needed while there is one version', async () => {
    expect(await definition()).toMatchObject({
      storageVersion: 'v1',
      storedVersions: ['v1'],
      servedVersions: ['v1', 'v2'],
      needsMigration: false,
    });
  });

  test('rewrites all objects over pages after an interruption, then prunes', async () => {
    const count = isThorough ? 3_000 : 1_100;
    const found = await storedInV1(count);
    const before = await client.list(Thing, { namespace: 'default' });
    expect(found).toMatchObject({ storageVersion: 'v2', storedVersions: ['v1', 'v2'], needsMigration: true });

    const abort = new AbortController();
    const pages: number[] = [];
    await expect(
      migrateStorage({
        client,
        definition: found,
        signal: abort.signal,
        onProgress: ({ done }) => {
          pages.push(done);
          if (done >= 1_000) abort.abort(new Error('interrupted'));
        },
      }),
    ).rejects.toThrow('interrupted');
    expect(pages).toEqual([500, 1_000]);
    expect((await definition()).storedVersions).toEqual(['v1', 'v2']);

    const done = await migrateStorage({ client, definition: found, pageSize: 700 });
    expect(done).toEqual({ rewritten: count, gone: 0, findings: [], storedVersions: ['v2'] });
    expect((await definition()).storedVersions).toEqual(['v2']);

    const after = await client.list(Thing, { namespace: 'default' });
    const changed = after.items.filter(
      ({ metadata }, index) => metadata.resourceVersion !== before.items[index]!.metadata.resourceVersion,
    );
    // Each was written again, and nothing but where it is stored has changed.
    expect(changed).toHaveLength(count);
    const plain = ({
      metadata: { resourceVersion: _resourceVersion, ...metadata },
      ...object
    }: KubeObject) => ({ ...object, metadata });
    expect(after.items.map(plain)).toEqual(before.items.map(plain));

    // The API server lets the old version go, and reads every object.
    await apply(client, manifest(crd('v2', ['v2'])));
    const V2 = { ...Thing, version: 'v2', apiVersion: `${group}/v2` };
    expect((await client.list(V2, { namespace: 'default' })).items).toHaveLength(count);
  }, 180_000);

  test('writes nothing as a dry run, and nothing that is written already', async () => {
    const found = await storedInV1(40);
    const before = await client.list(Thing, { namespace: 'default' });
    const versions = ({ items }: typeof before) => items.map(({ metadata }) => metadata.resourceVersion);
    expect(await migrateStorage({ client, definition: found, dryRun: true })).toEqual({
      rewritten: 40,
      gone: 0,
      findings: [],
      storedVersions: ['v1', 'v2'],
    });
    expect((await definition()).storedVersions).toEqual(['v1', 'v2']);
    expect(versions(await client.list(Thing, { namespace: 'default' }))).toEqual(versions(before));
    await migrateStorage({ client, definition: found });
    const after = versions(await client.list(Thing, { namespace: 'default' }));
    // The bytes are the same now, so that the API server does not write them again.
    await migrateStorage({ client, definition: found });
    expect(versions(await client.list(Thing, { namespace: 'default' }))).toEqual(after);
  });

  test('goes on after an object that cannot be written, and does not prune then', async () => {
    const found = await storedInV1(40);
    const refusing: KubeClient = Object.create(client, {
      patch: {
        value: (...call: Parameters<KubeClient['patch']>) =>
          call[1].name === namesOf(7)
            ? Promise.reject(apiError(403, 'Forbidden', 'not you'))
            : client.patch(...call),
      },
    }) as KubeClient;
    const result = await migrateStorage({ client: refusing, definition: found, pageSize: 15 });
    expect(result).toMatchObject({
      rewritten: 39,
      findings: [{ code: 'cluster/forbidden' }],
      storedVersions: ['v1', 'v2'],
    });
    expect((await definition()).storedVersions).toEqual(['v1', 'v2']);
  }, 180_000);

  test('does not prune if the definition changed meanwhile', async () => {
    const found = await storedInV1(5);
    await apply(client, manifest(crd('v1')));
    const result = await migrateStorage({ client, definition: found });
    expect(result).toMatchObject({ rewritten: 5, findings: [{ code: 'cluster/storage-changed' }] });
    expect((await definition()).storedVersions).toEqual(['v1', 'v2']);
  }, 180_000);

  test('begins a list again that the server has forgotten, without writing objects twice', async () => {
    const found = await storedInV1(40);
    let lists = 0;
    let patches = 0;
    const forgetful: KubeClient = Object.create(client, {
      pages: {
        value: async function* (...call: Parameters<KubeClient['pages']>) {
          lists += 1;
          for await (const page of client.pages(...call)) {
            yield page;
            if (lists === 1) throw apiError(410, 'Expired', 'too old');
          }
        },
      },
      patch: {
        value: (...call: Parameters<KubeClient['patch']>) => {
          patches += 1;
          return client.patch(...call);
        },
      },
    }) as KubeClient;
    const result = await migrateStorage({ client: forgetful, definition: found, pageSize: 15 });
    expect([lists, patches, result.rewritten, result.storedVersions]).toEqual([2, 40, 40, ['v2']]);
  }, 180_000);

  test('reports who may not read the objects', async () => {
    const stranger = await clientOf(plane, { as: 'stranger' });
    await expect(migrateStorage({ client: stranger, definition: await definition() })).rejects.toMatchObject({
      code: 'kube/forbidden',
    });
    await stranger.close();
  });
});
