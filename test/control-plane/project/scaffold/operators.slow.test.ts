// Scaffolded operators, bundled and run as they are: their kinds are watched, and their permissions are enough.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { externalResource, type KubeObject } from '../../../../src/index.ts';
import { Node, ConfigMap } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { Deployment } from '../../../../src/sdk/k8s/generated/apps/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../../../src/sdk/kube/index.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../../src/testing/index.ts';
import { applyCrds } from '../../../../src/testing/crds/apply-crds.ts';
import { readCrdFiles } from '../../../../src/testing/manifest-files.ts';
import { startOperator, statusOf, type OperatorProcess } from '../../../helpers/operator-process.ts';
import { runCli } from '../../../helpers/run-cli.ts';

const root = join(import.meta.dirname, '../../../..');
let scratch: string;
let plane: ControlPlane;
let client: KubeClient;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-operators-'));
  plane = await startControlPlane();
  client = createClient({
    cluster: await loadCluster({ kubeconfig: plane.kubeconfig }),
    fieldManager: 'test',
  });
});

afterAll(async () => {
  await client?.close();
  await plane?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

/** A copy of a golden project. */
function copied(name: string): string {
  const folder = join(scratch, name);
  cpSync(join(root, 'test/golden/projects', name), folder, { recursive: true });
  return folder;
}

/** What `op-sdk build` does, with the sources of this package for those that are installed. */
async function bundle(folder: string): Promise<void> {
  await build({
    entryPoints: { main: join(folder, 'src/main.ts') },
    outdir: join(folder, 'dist'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    banner: { js: `import{createRequire}from'node:module';const require=createRequire(import.meta.url);` },
    logLevel: 'silent',
    plugins: [
      {
        name: 'opsdk',
        setup: (api) =>
          void api.onResolve({ filter: /^opsdk(?:\/|$)/ }, ({ path }) => {
            const kinds = /^opsdk\/k8s\/(.+)$/.exec(path)?.[1];
            return {
              path: join(root, 'src', kinds === undefined ? 'index.ts' : `sdk/k8s/generated/${kinds}.ts`),
            };
          }),
      },
    ],
  });
}

async function ready(operator: OperatorProcess): Promise<void> {
  await eventually(
    async () => {
      expect(operator.process.exitCode, operator.output()).toBeNull();
      expect(await statusOf(`${operator.health}/readyz`), operator.output()).toBe(200);
    },
    { timeout: 60_000 },
  );
}

/** The controllers that have said that they saw an object. */
const observers = (operator: OperatorProcess, name: string): unknown[] =>
  operator
    .log()
    .filter((line) => line['msg'] === 'Object observed' && JSON.stringify(line).includes(`"${name}"`))
    .map(({ controller }) => controller)
    .sort();

async function installCrds(folder: string, path: string): Promise<void> {
  await applyCrds(plane, await readCrdFiles([join(folder, path)]));
}

test('controllers of built-in kinds see the objects that are theirs, two of one kind both', async () => {
  const folder = copied('core');
  await bundle(folder);
  await using operator = await startOperator(folder, plane.kubeconfig);
  await ready(operator);
  const labels = { app: 'web' };
  const spec = {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web' }] } },
  };
  const managed = { 'core.example.com/managed': 'true' };
  await client.create(Deployment, { metadata: { name: 'others', namespace: 'default' }, spec });
  await client.create(Deployment, {
    metadata: { name: 'ours', namespace: 'default', labels: managed },
    spec,
  });
  await eventually(() => expect(observers(operator, 'ours')).toEqual(['deployment', 'deployment-audit']));
  expect(observers(operator, 'others')).toEqual([]);
  expect(await operator.stop()).toBe(0);
});

test('a controller of an external kind works once its definition is installed', async () => {
  const folder = copied('external');
  await bundle(folder);
  await installCrds(folder, 'config/crd/bases');
  await installCrds(folder, 'test/crds');
  await using operator = await startOperator(folder, plane.kubeconfig);
  await ready(operator);
  const Gadget = externalResource<KubeObject & { spec: object }>({
    group: 'parts.example.org',
    version: 'v1',
    kind: 'Gadget',
    plural: 'gadgets',
    scope: 'Cluster',
  });
  const labels = { 'external.example.com/managed': 'true' };
  await client.create(Gadget, { metadata: { name: 'one', labels }, spec: { size: 'small' } });
  await eventually(() => expect(observers(operator, 'one')).toEqual(['gadgets']));
  expect(await operator.stop()).toBe(0);
});

test('two controllers of a kind report a condition each', async () => {
  const folder = copied('controllers');
  await bundle(folder);
  await installCrds(folder, 'config/crd/bases');
  await using operator = await startOperator(folder, plane.kubeconfig);
  await ready(operator);
  const Memcached = externalResource<
    KubeObject & { spec: object; status?: { conditions: { type: string }[] } }
  >({
    group: 'cache.example.com',
    version: 'v1',
    kind: 'Memcached',
    plural: 'memcacheds',
    scope: 'Namespaced',
  });
  const key = { name: 'one', namespace: 'default' };
  await client.create(Memcached, { metadata: key, spec: {} });
  await eventually(async () => {
    const { status } = await client.get(Memcached, key);
    expect(status?.conditions.map(({ type }) => type).sort()).toEqual(['MemcachedBackupReady', 'Ready']);
  });
  expect(await operator.stop()).toBe(0);
});

test('an operator of one namespace works with the roles that are deployed with it', async () => {
  const folder = copied('namespaced');
  const env = { OPSDK_NO_CACHE: '1', HOME: scratch, KUBECONFIG: plane.kubeconfig };
  const core = '--group core --version v1 --resource=false --kind'.split(' ');
  for (const argv of [
    ['create', 'api', ...core, 'Node'],
    ['create', 'api', ...core, 'ConfigMap'],
    ['deploy', '--no-wait'],
  ]) {
    const run = await runCli(argv, { cwd: folder, env });
    expect(run.code, `${argv.join(' ')}\n${run.stderr}`).toBe(0);
  }
  await bundle(folder);
  const namespace = 'namespaced-system';
  const { path } = await plane.serviceAccountKubeconfig(namespace, 'namespaced-controller-manager');
  await using operator = await startOperator(folder, path, [], { WATCH_NAMESPACE: namespace });
  await ready(operator);
  expect(operator.output()).not.toContain('Missing permission');
  const labels = { 'namespaced.example.com/managed': 'true' };
  await client.create(Node, { metadata: { name: 'node-1', labels } });
  await client.create(ConfigMap, { metadata: { name: 'here', namespace, labels } });
  await client.create(ConfigMap, { metadata: { name: 'elsewhere', namespace: 'default', labels } });
  await eventually(() => expect(observers(operator, 'node-1')).toEqual(['node']));
  await eventually(() => expect(observers(operator, 'here')).toEqual(['configmap']));
  expect(observers(operator, 'elsewhere')).toEqual([]);
  expect(await operator.stop()).toBe(0);
});
