import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { externalResource } from '../../../src/sdk/api/index.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../../helpers/control-plane.ts';
import { runCli, type CliRun } from '../../helpers/run-cli.ts';
import { apply, clientOf, deployment, manifest, widget } from './helpers.ts';
import { ConfigMap, Crd, Deployment } from './kinds.ts';

const Secret = externalResource({
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  scope: 'Namespaced',
});

let client: KubeClient;
let kubeconfig: string;
let namespace: string;
beforeAll(async () => {
  const plane = await sharedControlPlane();
  kubeconfig = plane.kubeconfig;
  client = await clientOf(plane);
  namespace = await uniqueNamespace(plane, 'diff');
});
afterAll(() => client.close());

const documents = (...objects: readonly object[]): string =>
  objects.map((each) => JSON.stringify(each)).join('\n---\n');
const opSdk = (argv: readonly string[], ...objects: readonly object[]): Promise<CliRun> =>
  runCli([...argv, '-f', '-', '--kubeconfig', kubeconfig], { stdin: documents(...objects) });

const object = (kind: string, name: string, content: object): object => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace },
  ...content,
});

interface Shown {
  readonly ok: boolean;
  readonly result: { readonly objects: readonly { readonly action: string; readonly changes?: unknown }[] };
  readonly errors: readonly { readonly code: string; readonly message: string }[];
}
const parsed = ({ stdout }: CliRun): Shown => JSON.parse(stdout) as Shown;

describe('op-sdk diff', () => {
  test('shows what is created, changed and unchanged, and changes nothing', async () => {
    const name = uniqueName();
    const settings = object('ConfigMap', name, { data: { a: '1', b: 'kept', c: 'old' } });
    const web = deployment(name, namespace);
    await apply(client, manifest(settings, web));
    const changed = object('ConfigMap', name, { data: { a: '2', b: 'kept', d: 'new' } });
    const fresh = object('ConfigMap', `${name}-new`, { data: { key: 'value' } });
    const before = await client.get(ConfigMap, { name, namespace });

    const run = await opSdk(['diff'], changed, fresh, web);
    expect([run.code, run.stderr]).toEqual([1, '']);
    expect(run.stdout).toBe(
      [
        `configmap/${name} changed`,
        `--- cluster/${namespace}/configmap/${name}`,
        `+++ manifest/${namespace}/configmap/${name}`,
        '@@ -1,8 +1,8 @@',
        ' apiVersion: v1',
        ' data:',
        '-  a: "1"',
        '+  a: "2"',
        '   b: kept',
        '-  c: old',
        '+  d: new',
        ' kind: ConfigMap',
        ' metadata:',
        `   name: ${name}`,
        `configmap/${name}-new created`,
        '--- /dev/null',
        `+++ manifest/${namespace}/configmap/${name}-new`,
        '@@ -0,0 +1,7 @@',
        '+apiVersion: v1',
        '+data:',
        '+  key: value',
        '+kind: ConfigMap',
        '+metadata:',
        `+  name: ${name}-new`,
        `+  namespace: ${namespace}`,
        `deployment.apps/${name} unchanged`,
        '1 created, 1 changed, 1 unchanged',
        '',
      ].join('\n'),
    );
    expect(await client.get(ConfigMap, { name, namespace })).toEqual(before);
    expect(await client.find(ConfigMap, { name: `${name}-new`, namespace })).toBeUndefined();

    const json = await opSdk(['diff', '-o', 'json'], changed, fresh, web);
    expect(json.code).toBe(1);
    expect(parsed(json)).toEqual({
      ok: false,
      result: {
        created: 1,
        changed: 1,
        notCompared: 0,
        pruned: 0,
        unchanged: 1,
        objects: [
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            name,
            namespace,
            action: 'changed',
            changes: [
              { path: '.data.a', before: '1', after: '2' },
              { path: '.data.c', before: 'old' },
              { path: '.data.d', after: 'new' },
            ],
          },
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            name: `${name}-new`,
            namespace,
            action: 'created',
            object: fresh,
          },
          { apiVersion: 'apps/v1', kind: 'Deployment', name, namespace, action: 'unchanged' },
        ],
      },
      warnings: [],
      errors: [],
    });

    const same = await opSdk(['diff'], settings, web);
    expect(same).toEqual({
      code: 0,
      stdout: `configmap/${name} unchanged\ndeployment.apps/${name} unchanged\n2 unchanged\n`,
      stderr: '',
    });
  });

  test('masks the values of Secrets, new ones too', async () => {
    const name = uniqueName();
    await apply(
      client,
      manifest(object('Secret', name, { stringData: { same: 'hidden-same', other: 'hidden-old' } })),
    );
    const run = await opSdk(
      ['diff'],
      object('Secret', name, { stringData: { same: 'hidden-same', other: 'hidden-new' } }),
      object('Secret', `${name}-new`, { stringData: { other: 'hidden-fresh' } }),
    );
    expect(run.code).toBe(1);
    expect(run.stdout).toContain("-  other: '*** (before)'\n+  other: '*** (after)'\n   same: '***'\n");
    expect(run.stdout).toContain("+data:\n+  other: '***'\n");
    const encoded = ['same', 'old', 'new', 'fresh'].map((each) =>
      Buffer.from(`hidden-${each}`).toString('base64'),
    );
    for (const secret of ['hidden', ...encoded]) expect(run.stdout + run.stderr).not.toContain(secret);
    const json = await opSdk(
      ['diff', '-o', 'json'],
      object('Secret', name, { stringData: { same: 'hidden-same', other: 'hidden-new' } }),
    );
    expect(parsed(json).result.objects[0]?.changes).toEqual([
      { path: '.data.other', before: '*** (before)', after: '*** (after)' },
    ]);
    expect(await client.find(Secret, { name: `${name}-new`, namespace })).toBeUndefined();
  });

  test('shows objects of a kind that comes with the manifest as created, of one that changes as not compared', async () => {
    const kind = widget(uniqueName('diff'), namespace);
    const created = await opSdk(['diff', '-o', 'json'], kind.object, kind.crd);
    expect(created.code).toBe(1);
    expect(parsed(created).result.objects).toMatchObject([
      { kind: 'CustomResourceDefinition', action: 'created' },
      { kind: 'Widget', action: 'created', object: { spec: { size: 1 } } },
    ]);
    expect(await client.find(Crd, { name: kind.name })).toBeUndefined();

    await apply(client, manifest(kind.crd, kind.object));
    const text = JSON.stringify(kind.crd).replace('"minimum":1', '"minimum":0');
    const run = await opSdk(['diff'], JSON.parse(text) as object, kind.object);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain(
      `customresourcedefinition.apiextensions.k8s.io/${kind.name} changed\n--- cluster/`,
    );
    expect(run.stdout).toContain(`widget.${kind.group}/one not compared\n  only a deploy shows`);
    expect(run.stdout).toContain('\n1 changed, 1 not compared\n');
  });

  test('tells what cannot be compared by its exit code, with everything that is wrong', async () => {
    const name = uniqueName();
    const run = await opSdk(
      ['diff', '-o', 'json'],
      { apiVersion: 'none.example.com/v1', kind: 'None', metadata: { name, namespace } },
      object('ConfigMap', name, { dat: {} }),
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: `${name}-none` } },
    );
    expect(run.code).toBe(3);
    expect(parsed(run)).toMatchObject({
      ok: false,
      result: null,
      errors: [
        { code: 'cluster/unknown-kind' },
        { code: 'cluster/invalid-object' },
        { code: 'cluster/namespace-missing' },
      ],
    });
    const away = await runCli(['diff', '-f', '-', '--kubeconfig', '/nowhere'], {
      stdin: documents(object('ConfigMap', name, {})),
    });
    expect(away.code).toBe(3);
    const usage = await opSdk(['diff', '--image', 'a:b'], object('ConfigMap', name, {}));
    expect(usage.code).toBe(2);
    expect(usage.stderr).toContain('--image is written into config/manager');
  });
});

test('deploy --dry-run shows the fields of what is configured', async () => {
  const name = uniqueName();
  await apply(
    client,
    manifest(deployment(name, namespace), object('ConfigMap', name, { data: { a: '1', c: '1' } })),
  );
  const template = {
    metadata: { labels: { app: name } },
    spec: {
      containers: [{ name: 'main', image: 'example.com/none:v2', env: [{ name: 'A', value: '1' }] }],
    },
  };
  const objects = [
    deployment(name, namespace, { replicas: 3, template }),
    object('ConfigMap', name, { data: { b: '2', c: '1' } }),
  ];
  const run = await opSdk(['deploy', '--dry-run'], ...objects);
  expect([run.code, run.stderr]).toEqual([0, '']);
  expect(run.stdout).toBe(
    [
      `configmap/${name} configured (server dry run)`,
      '  - .data.a: "1"',
      '  + .data.b: "2"',
      `deployment.apps/${name} configured (server dry run)`,
      '  ~ .spec.replicas: 1 → 3',
      '  ~ .spec.template.spec.containers[name="main"].image: "example.com/none:v1" → "example.com/none:v2"',
      '  + .spec.template.spec.containers[name="main"].env: [{"name":"A","value":"1"}]',
      '',
    ].join('\n'),
  );
  expect((await client.get(Deployment, { name, namespace })).spec?.replicas).toBe(1);
  const json = await opSdk(['deploy', '--dry-run', '-o', 'json'], ...objects);
  expect(parsed(json).result.objects[0]?.changes).toEqual([
    { path: '.data.a', before: '1' },
    { path: '.data.b', after: '2' },
  ]);
});

describe('--namespace', () => {
  test('is that of objects that name none, for deploy, diff and undeploy', async () => {
    const name = uniqueName();
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name },
      rules: [],
    };
    const objects = [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
      object('ConfigMap', `${name}-own`, {}),
      role,
    ];
    const flags = ['-n', namespace];
    expect((await opSdk(['diff', ...flags], ...objects)).code).toBe(1);
    const deployed = await opSdk(['deploy', '--no-wait', ...flags], ...objects);
    expect([deployed.code, deployed.stderr]).toEqual([0, '']);
    expect(await client.find(ConfigMap, { name, namespace })).toBeDefined();
    expect(await client.find(ConfigMap, { name, namespace: 'default' })).toBeUndefined();
    expect((await opSdk(['diff', ...flags], ...objects)).code).toBe(0);
    expect((await opSdk(['undeploy', ...flags], ...objects)).code).toBe(0);
    expect(await client.find(ConfigMap, { name, namespace })).toBeUndefined();
  });

  test.each(['deploy', 'diff', 'undeploy'])('%s refuses objects that name another one', async (command) => {
    const name = uniqueName();
    const run = await opSdk(
      [command, '-n', 'elsewhere', '-o', 'json'],
      object('ConfigMap', name, {}),
      object('Secret', name, {}),
    );
    expect(run.code).toBe(command === 'diff' ? 3 : 1);
    const where = (line: number): object => ({ where: { file: '-', line, column: 1 } });
    expect(parsed(run).errors).toMatchObject([
      {
        code: 'cluster/other-namespace',
        message: `configmap/${name}: expected the namespace elsewhere that --namespace names, got metadata.namespace ${namespace}`,
        ...where(1),
      },
      { code: 'cluster/other-namespace', ...where(3) },
    ]);
    const invalid = await opSdk([command, '-n', 'Not a name'], object('ConfigMap', name, {}));
    expect(invalid.code).toBe(2);
    expect(invalid.stderr).toContain('error[cli/invalid-value]: --namespace is "Not a name"');
  });
});
