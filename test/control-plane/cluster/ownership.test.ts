// `op-sdk migrate-ownership` on a real API server: objects as an operator of controller-runtime leaves them, by create and update with the
// name of its binary, and then as the operator of the project applies them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { externalResource, type KubeObject, type ManagedFieldsEntry } from '../../../src/sdk/api/index.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import {
  sharedControlPlane,
  uniqueName,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../helpers/control-plane.ts';
import { runCli, type CliRun } from '../../helpers/run-cli.ts';
import { serviceAccountToken, tokenKubeconfig } from '../../helpers/service-account.ts';
import { clientOf, deployment } from './helpers.ts';
import { ConfigMap, Crd, Deployment } from './kinds.ts';

const to = 'web-operator/web';

let plane: SharedControlPlane;
let go: KubeClient;
let ours: KubeClient;
let namespace: string;
beforeAll(async () => {
  plane = await sharedControlPlane();
  go = await clientOf(plane, { fieldManager: 'manager' });
  ours = await clientOf(plane, { fieldManager: to });
  namespace = await uniqueNamespace(plane, 'ownership');
});
afterAll(async () => {
  await go.close();
  await ours.close();
});

const migrate = (...argv: readonly string[]): Promise<CliRun> =>
  runCli(
    ['migrate-ownership', '--from', 'manager', '--kubeconfig', plane.kubeconfig, '-n', namespace, ...argv],
    {
      env: process.env,
    },
  );
const forManager = (...argv: readonly string[]): Promise<CliRun> => migrate('--to', to, ...argv);
const entriesOf = ({ metadata }: KubeObject): readonly ManagedFieldsEntry[] => metadata.managedFields ?? [];
const managersOf = (object: KubeObject): readonly string[] =>
  entriesOf(object).map(({ manager, operation, subresource = '' }) =>
    `${manager} ${operation} ${subresource}`.trim(),
  );
const configMap = (name: string, data: Record<string, string>, labels?: Record<string, string>) => ({
  apiVersion: 'v1' as const,
  kind: 'ConfigMap' as const,
  metadata: { name, namespace, ...(labels === undefined ? {} : { labels }) },
  data,
});

test('a field of the former operator stays at an apply, and goes after the migration', async () => {
  const name = uniqueName('web');
  const former = deployment(name, namespace) as Deployment;
  former.metadata.annotations = { 'example.com/former': 'yes' };
  former.spec.template.spec!.hostNetwork = false;
  former.spec.paused = true;
  await go.create(Deployment, former);
  await go.subresource(Deployment, { name, namespace }, 'status').patch({
    type: 'merge',
    body: { status: { conditions: [{ type: 'Former', status: 'True', reason: 'A', message: '' }] } },
  });
  const wanted = deployment(name, namespace) as Deployment;
  const before = await ours.apply(Deployment, wanted);
  expect(before.spec.paused).toBe(true);
  expect(before.metadata.annotations).toMatchObject({ 'example.com/former': 'yes' });

  const shown = await forManager('--kind', 'deployments.apps');
  expect(shown).toMatchObject({ code: 0 });
  expect(shown.stdout).toContain(`deployment.apps/${name} in namespace ${namespace}: `);
  expect(shown.stdout).toContain('    .metadata.annotations.example.com/former\n');
  expect(shown.stdout).toContain('    .spec.paused\n');
  expect(shown.stdout).not.toContain('    .spec.replicas\n');
  expect(shown.stdout).toContain('nothing was written, --yes moves them');
  expect(managersOf(await go.get(Deployment, { name, namespace }))).toContain('manager Update');

  const { status } = await go.get(Deployment, { name, namespace });
  const moved = await forManager('--kind', 'apps/Deployment', '--yes', '-o', 'json');
  expect(moved, moved.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(moved.stdout)).toMatchObject({
    result: {
      dryRun: false,
      objects: [{ name, namespace, action: 'moved', moves: [{ to }, { subresource: 'status', to }] }],
    },
  });
  const after = await go.get(Deployment, { name, namespace });
  expect(after).toEqual({ ...after, spec: before.spec, status });
  expect(managersOf(after)).toEqual(expect.arrayContaining([`${to} Apply`, `${to} Apply status`]));
  expect(managersOf(after).filter((each) => each.startsWith('manager '))).toEqual([]);
  expect(after.metadata.generation).toBe(before.metadata.generation);

  const applied = await ours.apply(Deployment, wanted);
  expect(applied.spec.paused).toBeUndefined();
  expect(applied.metadata.annotations ?? {}).not.toHaveProperty(['example.com/former']);
  expect(await forManager('--kind', 'apps/Deployment')).toMatchObject({
    code: 0,
    stdout: 'nothing to move in 1 object\n',
  });
});

// Source: the doc comment and the tests of client-go `util/csaupgrade`.
test('managed fields become what csaupgrade documents', async () => {
  const name = uniqueName();
  await go.create(ConfigMap, configMap(name, { a: '1', b: '1' }));
  await go.patch(
    ConfigMap,
    { name, namespace },
    { type: 'merge', body: { data: { other: '1' } } },
    { fieldManager: 'edit' },
  );
  await ours.apply(ConfigMap, configMap(name, { a: '2' }));
  const before = entriesOf(await go.get(ConfigMap, { name, namespace }));
  expect((await forManager('--kind', 'ConfigMap', '--yes')).code).toBe(0);
  const after = entriesOf(await go.get(ConfigMap, { name, namespace }));
  const applied = before.find(({ operation }) => operation === 'Apply');
  expect(after).toEqual([
    { ...applied, fieldsV1: { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } } },
    before.find(({ manager }) => manager === 'edit'),
  ]);
});

test('one name for both operations, and finalizers', async () => {
  const name = uniqueName();
  await ours.apply(ConfigMap, configMap(name, { a: '1' }));
  await ours.patch(
    ConfigMap,
    { name, namespace },
    {
      type: 'merge',
      body: { metadata: { finalizers: ['example.com/guard'] }, data: { b: '1' } },
    },
  );
  const argv = ['--from', to, '--to', to, '--kind', 'configmaps', '--yes'];
  expect((await migrate(...argv)).code).toBe(0);
  const object = await ours.apply(ConfigMap, configMap(name, { a: '1' }));
  expect(object.data).toEqual({ a: '1' });
  expect(object.metadata.finalizers).toEqual(['example.com/guard']);
  expect(managersOf(object)).toEqual([`${to} Apply`, `${to} Update`]);
  await ours.patch(
    ConfigMap,
    { name, namespace },
    { type: 'merge', body: { metadata: { finalizers: null } } },
  );
});

test('without permissions, the rule that is missing is named, and nothing is written', async () => {
  const name = uniqueName();
  await go.create(ConfigMap, configMap(name, { a: '1' }));
  const folder = mkdtempSync(join(tmpdir(), 'opsdk-ownership-'));
  try {
    const asUser = async (verbs: readonly string[], ...argv: readonly string[]): Promise<CliRun> => {
      const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: [...verbs] }];
      const token = await serviceAccountToken(go, namespace, verbs.length === 0 ? [] : rules);
      const file = join(folder, 'kubeconfig');
      writeFileSync(file, tokenKubeconfig(plane, token), { mode: 0o600 });
      return runCli(
        [
          'migrate-ownership',
          '--from',
          'manager',
          '--to',
          to,
          '--kind',
          'configmaps',
          '-n',
          namespace,
          '--kubeconfig',
          file,
          ...argv,
        ],
        { env: process.env },
      );
    };
    const partial = await asUser(['list'], '--kind', 'secrets');
    expect(partial.code).toBe(1);
    expect(partial.stdout).toContain(`configmap/${name} in namespace ${namespace}: 1 field would move`);
    expect(partial.stderr).toContain('[cluster/forbidden]: secrets: ');
    const unread = await asUser([]);
    expect(unread).toMatchObject({ code: 1, stdout: 'nothing to move in 0 objects\n' });
    expect(unread.stderr).toContain('[cluster/forbidden]');
    expect(unread.stderr).toContain(
      `grant your user this rule by a Role of the namespace ${namespace}: { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "patch"] }`,
    );
    expect(await asUser(['list'])).toMatchObject({ code: 0 });
    const unwritten = await asUser(['list'], '--yes');
    expect(unwritten).toMatchObject({ code: 1, stdout: '' });
    expect(unwritten.stderr).toContain('configmaps: get, patch is not permitted');
    expect(managersOf(await go.get(ConfigMap, { name, namespace }))).toEqual(['manager Update']);
    expect(await asUser(['get', 'list', 'patch'], '--yes')).toMatchObject({ code: 0 });
    expect(managersOf(await go.get(ConfigMap, { name, namespace }))).toEqual([`${to} Apply`]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('all kinds that are not served are reported together', async () => {
  const { code, stderr } = await forManager(
    '--kind',
    'Deployment',
    '--kind',
    'tokenreviews.authentication.k8s.io',
    '--kind',
    'x.example.com',
  );
  expect(code).toBe(1);
  expect(stderr).toContain("expected a kind that the API server serves, got 'Deployment'");
  expect(stderr).toContain("did you mean 'deployments.apps'?");
  expect(stderr).toContain(
    "got 'tokenreviews.authentication.k8s.io', which does not support get, list, patch",
  );
  expect(stderr).toContain("got 'x.example.com'");
});

test('entries of a version that the CRD no longer has, or converts by None, move in the stored version', async () => {
  const kind = `Size${uniqueName('k').replaceAll('-', '')}`;
  const plural = `${kind.toLowerCase()}s`;
  const group = 'ownership.example.com';
  const version = (name: string, storage: boolean, ...fields: readonly string[]) => ({
    name,
    served: true,
    storage,
    schema: {
      openAPIV3Schema: {
        type: 'object' as const,
        properties: {
          spec: {
            type: 'object' as const,
            properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' as const }])),
          },
        },
      },
    },
  });
  const crd = (...versions: readonly ReturnType<typeof version>[]) => ({
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced' as const,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [...versions],
    },
  });
  const token = (name: string) =>
    externalResource<KubeObject & { spec: Record<string, string> }>({
      group,
      version: name,
      kind,
      plural,
      scope: 'Namespaced',
    });
  const define = async (...versions: readonly ReturnType<typeof version>[]) => {
    await go.apply(Crd, crd(...versions));
    await expect
      .poll(async () => (await servedVersions()).sort(), { timeout: 20_000 })
      .toEqual(versions.map(({ name }) => name).sort());
  };
  const servedVersions = async () =>
    (await go.discover()).types
      .filter(({ resource }) => resource.plural === plural)
      .map(({ resource }) => resource.apiVersion.replace(`${group}/`, ''));
  const create = (name: string, at: string, spec: Record<string, string>) =>
    go.create(token(at), {
      apiVersion: `${group}/${at}`,
      kind,
      metadata: { name, namespace },
      spec,
    });
  const move = () => forManager('--kind', `${plural}.${group}`, '--yes');

  await define(version('v1alpha1', false, 'old', 'kept'), version('v1', true, 'old', 'kept', 'fresh'));
  await create('none', 'v1alpha1', { old: '1', kept: '1' });
  await ours.apply(token('v1'), { metadata: { name: 'none', namespace }, spec: { kept: '1' } });
  const none = await move();
  expect(none, none.stderr).toMatchObject({ code: 0 });
  expect(none.stdout).toContain('2 fields moved');
  expect(none.stdout).not.toContain('without an owner');
  await create('gone', 'v1alpha1', { old: '1', kept: '1' });

  await define(version('v1', true, 'old', 'kept', 'fresh'));
  const gone = await move();
  expect(gone, gone.stderr).toMatchObject({ code: 0 });
  for (const name of ['none', 'gone']) {
    const found = await go.get(token('v1'), { name, namespace });
    expect(entriesOf(found)).toMatchObject([{ manager: to, operation: 'Apply', apiVersion: `${group}/v1` }]);
    const applied = await ours.apply(token('v1'), { metadata: { name, namespace }, spec: { kept: '1' } });
    expect(applied.spec).toEqual({ kept: '1' });
  }
});

test('a former manager that has only applied is not reported as one that owns nothing', async () => {
  const app = uniqueName('applied');
  await go.apply(ConfigMap, configMap(app, { a: '1' }, { app }));
  const { code, stderr } = await forManager('--kind', 'configmaps', '-l', `app=${app}`);
  expect(code).toBe(0);
  expect(stderr).toContain('fields of 1 object keep their owner manager by apply');
  expect(stderr).not.toContain('cluster/field-manager-not-found');
});
