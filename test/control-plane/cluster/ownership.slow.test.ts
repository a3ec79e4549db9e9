// `op-sdk migrate-ownership` of many objects, and in a project.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject, ManagedFieldsEntry } from '../../../src/sdk/api/index.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import { inParallel } from '../../../src/base/util/in-parallel.ts';
import { surveyOwnership } from '../../../src/cluster/ownership/migrate-ownership.ts';
import {
  sharedControlPlane,
  uniqueName,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../helpers/control-plane.ts';
import { runCli, type CliRun } from '../../helpers/run-cli.ts';
import { kindSource, projectFolder } from '../../unit/compiler/manifests/project-folder.ts';
import { clientOf, deployment } from './helpers.ts';
import { ConfigMap, Deployment } from './kinds.ts';

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

test('a thousand objects, page by page, while others write and delete them', async () => {
  const app = uniqueName('many');
  const names = Array.from({ length: 1000 }, (_, index) => `${app}-${index}`);
  await inParallel(names, (name) => go.create(ConfigMap, configMap(name, { a: '1' }, { app })));
  const target = { resource: ConfigMap, to: { object: to, status: to } };
  const pages: number[] = [];
  const survey = await surveyOwnership({
    client: go,
    targets: [target],
    from: ['manager'],
    namespace,
    labelSelector: `app=${app}`,
    pageSize: 400,
    onProgress: (_, done) => pages.push(done),
  });
  expect([survey.read, survey.objects.length, pages]).toEqual([1000, 1000, [400, 800, 1000]]);
  const run = forManager(
    '--kind',
    'secrets',
    '--kind',
    'configmaps',
    '-l',
    `app=${app}`,
    '--yes',
    '-o',
    'json',
  );
  const busy = inParallel(names.slice(500), (name) =>
    go.patch(
      ConfigMap,
      { name, namespace },
      { type: 'merge', body: { data: { b: '1' } } },
      { fieldManager: 'busy' },
    ),
  );
  const deleted = inParallel(names.slice(0, 20), (name) => go.delete(ConfigMap, { name, namespace }));
  const [{ code, stdout, stderr }] = await Promise.all([run, busy, deleted]);
  expect(code, stderr).toBe(0);
  const { result } = JSON.parse(stdout) as {
    readonly result: { readonly objects: readonly { readonly action: string }[] };
  };
  expect(new Set(result.objects.map(({ action }) => action))).toEqual(
    expect.toSatisfy((all: Set<string>) => !all.has('failed')),
  );
  const { items } = await go.list(ConfigMap, { namespace, labelSelector: `app=${app}` });
  expect(items).toHaveLength(980);
  expect(items.filter((each) => managersOf(each).includes('manager Update'))).toEqual([]);
}, 240_000);

test.each(['text', 'json'])(
  'an interrupted migration says what was done: -o %s',
  async (output) => {
    const app = uniqueName('stop');
    const names = Array.from({ length: 300 }, (_, index) => `${app}-${index}`);
    await inParallel(names, (name) => go.create(ConfigMap, configMap(name, { a: '1' }, { app })));
    const abort = new AbortController();
    const [name = ''] = names.sort();
    const watched = expect
      .poll(async () => managersOf(await go.get(ConfigMap, { name, namespace })), {
        interval: 1,
        timeout: 30_000,
      })
      .toContain(`${to} Apply`)
      .then(() => abort.abort(new Error('interrupted')));
    const argv = ['migrate-ownership', '--from', 'manager', '--to', to, '--kind', 'configmaps', '--yes'];
    const run = await runCli(
      [...argv, '-n', namespace, '-l', `app=${app}`, '-o', output, '--kubeconfig', plane.kubeconfig],
      {
        env: process.env,
        signal: abort.signal,
      },
    );
    await watched;
    expect(run.code).toBe(130);
    const { items } = await go.list(ConfigMap, { namespace, labelSelector: `app=${app}` });
    const moved = items.filter((each) => managersOf(each).includes(`${to} Apply`)).length;
    expect(moved).toBeLessThan(300);
    if (output === 'text') {
      expect(run.stdout).toContain(
        `fields of ${moved} of 300 objects moved, ${300 - moved} objects not tried\n`,
      );
      return;
    }
    const { result, errors } = JSON.parse(run.stdout) as {
      readonly result: { readonly objects: readonly { readonly action: string }[] };
      readonly errors: readonly { readonly code: string }[];
    };
    expect(result.objects.filter(({ action }) => action === 'moved')).toHaveLength(moved);
    expect(errors.map(({ code }) => code)).toEqual(['cli/interrupted']);
  },
  120_000,
);

test('in a project, kinds and managers are those of its operator', async () => {
  const name = uniqueName('web');
  const owned = deployment(name, namespace) as Deployment;
  owned.metadata.ownerReferences = [
    {
      apiVersion: 'not-installed.example.com/v1',
      kind: 'Web',
      name,
      uid: '6f9619ff-8b86-d011-b42d-00c04fc964ff',
      controller: true,
    },
  ];
  await go.create(Deployment, owned);
  const foreignName = uniqueName('foreign');
  await go.create(Deployment, deployment(foreignName, namespace) as Deployment);
  const folder = projectFolder({
    'src/main.ts': `import { createManager, operatorMain } from 'opsdk';
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({ name: 'web-operator', permissions: [], ...flags });
  await manager.run({ signal });
});
`,
    'src/api/web.ts': kindSource('Web', { group: 'not-installed.example.com' }),
    'src/controllers/web.ts': `import { defineController } from 'opsdk';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { Web } from '../api/web.ts';
export const controller = defineController({ for: Web, owns: [Deployment], async reconcile() {} });
`,
  });
  try {
    const argv = ['migrate-ownership', '--kubeconfig', plane.kubeconfig, '-n', namespace];
    const inProject = (...more: readonly string[]): Promise<CliRun> =>
      runCli([...argv, ...more], { cwd: folder.dir, env: process.env });
    const shown = await inProject('--from', 'manager');
    expect(shown.code, shown.stderr).toBe(0);
    expect(shown.stdout).toContain(`deployment.apps/${name} in namespace ${namespace}: `);
    expect(shown.stdout).toContain('would move from manager to web-operator/web');
    expect(shown.stdout).not.toContain(foreignName);
    expect(shown.stdout).toContain('deployments.apps: 1 object left out: not controlled by');
    const named = await inProject(...['--from', 'manager', '--kind', 'apps/Deployment', '--to', to]);
    expect(named.stdout).not.toContain(foreignName);
    const all = await inProject('--from', 'manager', '--all-objects');
    expect(all.stdout).toContain(`deployment.apps/${foreignName} in namespace`);
    expect(shown.stderr).toContain('the cluster does not serve not-installed.example.com/Web');
    expect(shown.stderr).toContain('src/controllers/web.ts:4:51');
    const misspelt = await inProject('--from', 'manger');
    expect(misspelt.stderr).toContain('[cluster/field-manager-not-found]');
    expect(misspelt.stderr).toContain('manager (2)');
    const foreign = await inProject('--from', 'manager', '--kind', 'secrets');
    expect(foreign).toMatchObject({ code: 1, stdout: '' });
    expect(foreign.stderr).toContain(
      'Secret: expected one field manager that applies it, but the sources of the project do not write it',
    );
  } finally {
    folder.remove();
  }
});
