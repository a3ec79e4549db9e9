// The migration on the API server in memory, which tracks managed fields as the real one does.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type KubeObject } from '../../../../src/sdk/api/index.ts';
import { ApiError } from '../../../../src/sdk/kube/index.ts';
import { ConfigMap } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { createTestApi, type TestApi } from '../../../../src/testing/index.ts';
import {
  moveOwnership,
  surveyOwnership,
  type OwnershipClient,
  type OwnershipRequest,
  type OwnershipResult,
} from '../../../../src/cluster/ownership/migrate-ownership.ts';

const former = { fieldManager: 'manager' };
const fieldManager = 'op/web';

let api: TestApi;
let client: OwnershipClient;
beforeEach(async () => {
  api = await createTestApi({ kinds: [ConfigMap] });
  client = {
    pages: (...parameters) => api.client.live.pages(...parameters),
    find: (...parameters) => api.client.live.find(...parameters),
    patch: (...parameters) => api.client.patch(...parameters),
  };
});
afterEach(() => api[Symbol.asyncDispose]());

const configMap = (name: string, data: Record<string, string>) => ({
  apiVersion: 'v1' as const,
  kind: 'ConfigMap' as const,
  metadata: { name, namespace: 'default' },
  data,
});
const key = (name: string) => ({ name, namespace: 'default' });
const request = (more: Partial<OwnershipRequest> = {}): OwnershipRequest => ({
  client,
  targets: [{ resource: ConfigMap, to: { object: fieldManager, status: fieldManager } }],
  from: ['manager'],
  ...more,
});
const migrate = async (given = request()): Promise<readonly OwnershipResult[]> => {
  const { objects } = await surveyOwnership(given);
  const results: OwnershipResult[] = [];
  for (const each of objects) results.push(await moveOwnership(given, each));
  return results;
};
const apply = (name: string, data: Record<string, string>) =>
  api.client.apply(ConfigMap, configMap(name, data), { fieldManager });
const managersOf = async (name: string): Promise<readonly string[]> => {
  const { metadata }: KubeObject = await api.client.live.get(ConfigMap, key(name));
  return (metadata.managedFields ?? []).map(({ manager, operation }) => `${manager} ${operation}`);
};

test('a field of the former manager stays without the migration, and goes with it', async () => {
  await api.client.create(ConfigMap, configMap('a', { old: '1', kept: '1' }), former);
  expect((await apply('a', { kept: '1' })).data).toEqual({ old: '1', kept: '1' });
  const { objects, read, updaters } = await surveyOwnership(request());
  expect({ read, updaters: [...updaters] }).toEqual({ read: 1, updaters: [['manager', 1]] });
  expect(objects).toMatchObject([
    { key: key('a'), moves: [{ from: ['manager'], to: fieldManager, removable: ['.data.old'] }] },
  ]);
  expect(await managersOf('a')).toEqual(['op/web Apply', 'manager Update']);
  expect(await migrate()).toMatchObject([{ action: 'moved' }]);
  expect(await managersOf('a')).toEqual(['op/web Apply']);
  // Another value, since the runtime does not repeat an apply that changes no value.
  expect((await apply('a', { kept: '2' })).data).toEqual({ kept: '2' });
  expect(await migrate()).toEqual([]);
});

test('it may come before the first apply', async () => {
  await api.client.create(ConfigMap, configMap('a', { old: '1', kept: '1' }), former);
  expect(await migrate()).toMatchObject([{ action: 'moved' }]);
  expect((await apply('a', { kept: '2' })).data).toEqual({ kept: '2' });
});

test('fields of others stay', async () => {
  await api.client.create(ConfigMap, configMap('a', { old: '1' }), former);
  await api.client.patch(
    ConfigMap,
    key('a'),
    { type: 'merge', body: { data: { theirs: '1' } } },
    { fieldManager: 'kubectl-edit' },
  );
  await migrate();
  expect((await apply('a', { ours: '1' })).data).toEqual({ theirs: '1', ours: '1' });
});

test('a change between the read and the write is read again', async () => {
  await api.client.create(ConfigMap, configMap('a', { old: '1' }), former);
  const survey = await surveyOwnership(request());
  await api.client.patch(ConfigMap, key('a'), { type: 'merge', body: { data: { more: '1' } } }, former);
  const result = await moveOwnership(request(), survey.objects[0]!);
  expect(result).toMatchObject({ action: 'moved', moves: [{ fields: ['.data.more', '.data.old'] }] });
  expect(await managersOf('a')).toEqual(['op/web Apply']);
});

test('an object that changes all the time is reported', async () => {
  await api.client.create(ConfigMap, configMap('a', { old: '1' }), former);
  let count = 0;
  const busy: OwnershipClient = {
    ...client,
    async patch(...parameters) {
      const body = { data: { count: `${(count += 1)}` } };
      await api.client.patch(ConfigMap, key('a'), { type: 'merge', body }, { fieldManager: 'busy' });
      return client.patch(...parameters);
    },
  };
  expect(await migrate(request({ client: busy }))).toMatchObject([
    { action: 'failed', findings: [{ code: 'cluster/ownership-not-moved' }] },
  ]);
  expect(count).toBe(5);
  expect(await managersOf('a')).toContain('manager Update');
});

test('passes over objects that are deleted, or moved by somebody else', async () => {
  for (const name of ['a', 'b']) await api.client.create(ConfigMap, configMap(name, { old: '1' }), former);
  const survey = await surveyOwnership(request());
  await api.client.delete(ConfigMap, key('a'));
  await migrate();
  const results = await Promise.all(survey.objects.map((each) => moveOwnership(request(), each)));
  expect(results.map(({ action }) => action)).toEqual(['gone', 'unchanged']);
});

test('managed fields that the server keeps are reported', async () => {
  await api.client.create(ConfigMap, configMap('a', { old: '1' }), former);
  const deaf: OwnershipClient = {
    ...client,
    patch: (resource, name) => client.patch(resource, name, { type: 'merge', body: {} }),
  };
  expect(await migrate(request({ client: deaf }))).toMatchObject([
    { action: 'failed', findings: [{ message: expect.stringContaining('has kept the former managers') }] },
  ]);
});

test('a form of managed fields that is not known stops the migration before it begins', async () => {
  await api.client.create(ConfigMap, configMap('a', { old: '1' }), former);
  const strange: OwnershipClient = {
    ...client,
    async *pages(...parameters) {
      for await (const page of client.pages(...parameters)) {
        for (const { metadata } of page.items) metadata.managedFields![0]!.fieldsV1 = { 'q:x': {} };
        yield page;
      }
    },
  };
  expect(await surveyOwnership(request({ client: strange }))).toMatchObject({
    objects: [],
    findings: [
      {
        code: 'cluster/unknown-managed-fields',
        message: 'ConfigMap default/a: managedFields of "manager": fieldsV1: unknown step "q:x"',
      },
    ],
  });
});

test('labels and the namespace select the objects', async () => {
  const labelled = configMap('a', { old: '1' });
  await api.client.create(
    ConfigMap,
    { ...labelled, metadata: { ...labelled.metadata, labels: { app: 'web' } } },
    former,
  );
  await api.client.create(ConfigMap, configMap('b', { old: '1' }), former);
  const names = async (more: Partial<OwnershipRequest>) =>
    (await surveyOwnership(request(more))).objects.map(({ key: { name } }) => name);
  expect(await names({ labelSelector: 'app=web' })).toEqual(['a']);
  expect(await names({ namespace: 'default' })).toEqual(['a', 'b']);
  expect(await names({ namespace: 'other' })).toEqual([]);
});

test('with owners, only objects that one of their objects controls are taken', async () => {
  const owned = (name: string, more: Record<string, unknown>) => {
    const object = configMap(name, { old: '1' });
    return { ...object, metadata: { ...object.metadata, ...more } };
  };
  const reference = (uid: string, more: object = {}) => ({
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid, controller: true, ...more }],
  });
  const owner = await api.client.create(ConfigMap, configMap('owner', {}), { fieldManager: 'user' });
  const { uid = '' } = owner.metadata;
  await api.client.create(ConfigMap, owned('ours', reference(uid)), former);
  await api.client.create(ConfigMap, owned('ours-unlisted', reference('x', { name: 'x' })), former);
  await api.client.create(ConfigMap, owned('of-former-owner', reference('y')), former);
  await api.client.create(ConfigMap, owned('not-controlled', reference(uid, { controller: false })), former);
  await api.client.create(ConfigMap, owned('other-group', reference(uid, { apiVersion: 'a/v1' })), former);
  await api.client.create(ConfigMap, owned('without', {}), former);
  const [target] = request().targets;
  const survey = await surveyOwnership(
    request({ targets: [{ ...target!, owners: [{ group: '', kind: 'ConfigMap' }] }] }),
  );
  expect(survey.objects.map(({ key: { name } }) => name)).toEqual(['ours', 'ours-unlisted']);
  expect([...survey.leftOut]).toEqual([['configmaps', 4]]);
});

test('a refusal by a policy is not reported as a missing permission', async () => {
  await api.client.create(ConfigMap, configMap('a', { old: '1' }), former);
  const refusing = (message: string): OwnershipClient => ({
    ...client,
    patch: () =>
      Promise.reject(
        new ApiError({ verb: 'patch', resource: ConfigMap }, 403, {
          kind: 'Status',
          status: 'Failure',
          reason: 'Forbidden',
          message,
        }),
      ),
  });
  const outcome = async (message: string) => (await migrate(request({ client: refusing(message) })))[0];
  expect(
    await outcome(`ValidatingAdmissionPolicy 'p' with binding 'b' denied request: not now`),
  ).toMatchObject({
    findings: [
      {
        code: 'cluster/denied',
        message: expect.stringMatching(/^ConfigMap default\/a: .*not now/),
        fix: [expect.stringContaining('exempt your user')],
      },
    ],
  });
  expect(await outcome('configmaps "a" is forbidden: frozen')).toMatchObject({
    findings: [{ code: 'cluster/denied', message: expect.stringContaining('frozen') }],
  });
  expect(
    await outcome(
      'configmaps "a" is forbidden: User "u" cannot patch resource "configmaps" in API group "" in the namespace "default"',
    ),
  ).toMatchObject({
    findings: [{ code: 'cluster/forbidden', fix: [expect.stringContaining('grant'), expect.anything()] }],
  });
});

test('attempts of an object that is busy wait between them', async () => {
  await api.client.create(ConfigMap, configMap('a', { old: '1' }), former);
  const times: number[] = [];
  const busy: OwnershipClient = {
    ...client,
    async patch(...parameters) {
      times.push(performance.now());
      const body = { data: { count: `${times.length}` } };
      await api.client.patch(ConfigMap, key('a'), { type: 'merge', body }, { fieldManager: 'busy' });
      return client.patch(...parameters);
    },
  };
  await migrate(request({ client: busy }));
  expect(times[4]! - times[0]!).toBeGreaterThan(1000);
});

test('a patch that has been sent is awaited after an interruption', async () => {
  await api.client.create(ConfigMap, configMap('a', { old: '1' }), former);
  const abort = new AbortController();
  const slow: OwnershipClient = {
    ...client,
    async patch(resource, name, body, options) {
      abort.abort(new Error('interrupted'));
      options?.signal?.throwIfAborted();
      return client.patch(resource, name, body, options);
    },
  };
  const survey = await surveyOwnership(request());
  const given = request({ client: slow, signal: abort.signal });
  expect(await moveOwnership(given, survey.objects[0]!)).toMatchObject({ action: 'moved' });
  await expect(moveOwnership(given, survey.objects[0]!)).rejects.toThrow('interrupted');
});

test('objects without managed fields are counted', async () => {
  await api.client.create(ConfigMap, configMap('a', { old: '1' }), former);
  const bare: OwnershipClient = {
    ...client,
    async *pages(...parameters) {
      for await (const page of client.pages(...parameters)) {
        for (const { metadata } of page.items) delete metadata.managedFields;
        yield page;
      }
    },
  };
  expect(await surveyOwnership(request({ client: bare }))).toMatchObject({ unmanaged: 1, objects: [] });
});
