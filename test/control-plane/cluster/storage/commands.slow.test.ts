// The commands of `op-sdk storage` in a project, on a real API server: from one version to the next.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { externalResource, type KubeObject } from '../../../../src/sdk/api/index.ts';
import { CustomResourceDefinition } from '../../../../src/sdk/k8s/generated/apiextensions/v1.ts';
import type { KubeClient } from '../../../../src/sdk/kube/index.ts';
import { sharedControlPlane, uniqueName, type SharedControlPlane } from '../../../helpers/control-plane.ts';
import { runCli } from '../../../helpers/run-cli.ts';
import { clientOf } from '../helpers.ts';

const unique = uniqueName('stored');
const group = `${unique}.example.com`;
const name = `apps.${group}`;
let plane: SharedControlPlane;
let client: KubeClient;
let folder: string;

beforeAll(async () => {
  plane = await sharedControlPlane();
  client = await clientOf(plane);
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'opsdk-storage-')));
  const init = await runCli(['init', '--domain', 'example.com', '--skip-install', '--opsdk', '^0.1.0'], {
    cwd: folder,
    env: process.env,
  });
  expect(init.code, init.stderr).toBe(0);
  mkdirSync(join(folder, 'config/crd/bases'), { recursive: true });
  mkdirSync(join(folder, 'config/samples'), { recursive: true });
  writeFileSync(join(folder, 'config/crd/kustomization.yaml'), 'resources:\n- bases/apps.yaml\n');
});
afterAll(async () => {
  await client.delete(CustomResourceDefinition, { name });
  await client.close();
  rmSync(folder, { recursive: true });
});

const opSdk = async (...argv: readonly string[]) => {
  const { code, stdout, stderr } = await runCli([...argv, '--kubeconfig', plane.kubeconfig], {
    cwd: folder,
    env: process.env,
  });
  return { code, stdout, stderr };
};

async function versions(all: readonly string[], storage: string): Promise<void> {
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'apps', singular: 'app', kind: 'App', listKind: 'AppList' },
      versions: all.map((version) => ({
        name: version,
        served: true,
        storage: version === storage,
        schema: { openAPIV3Schema: { type: 'object' } },
      })),
    },
  };
  await Promise.resolve(writeFileSync(join(folder, 'config/crd/bases/apps.yaml'), JSON.stringify(crd)));
}

test('status, check and migrate lead from one storage version to the next', async () => {
  await versions(['v1'], 'v1');
  expect(await opSdk('storage', 'status')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`CustomResourceDefinition ${name} is not on the cluster`),
  });
  expect((await opSdk('install')).code).toBe(0);
  const App = externalResource<KubeObject>({
    group,
    version: 'v1',
    kind: 'App',
    plural: 'apps',
    scope: 'Namespaced',
  });
  for (const each of ['a', 'b'])
    await client.create(App, {
      apiVersion: `${group}/v1`,
      kind: 'App',
      metadata: { name: each, namespace: 'default' },
    });

  await versions(['v1', 'v2'], 'v2');
  expect(await opSdk('storage', 'check')).toMatchObject({ code: 0 });
  expect((await opSdk('install')).code).toBe(0);
  const pending = await opSdk('storage', 'status', 'app');
  expect(pending.stdout).toMatch(
    new RegExp(`^NAME +STORAGE +STORED +SERVED +MIGRATION\n${name} +v2 +v1,v2 +v1,v2 +needed\n`),
  );

  await versions(['v2'], 'v2');
  writeFileSync(
    join(folder, 'config/samples/app.yaml'),
    `apiVersion: ${group}/v1\nkind: App\nmetadata:\n  name: sample\n`,
  );
  const refused = await opSdk('storage', 'check');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('[cluster/stored-version-removed]');
  expect(refused.stderr).toContain('[cluster/used-version-removed]');
  expect(refused.stderr).toContain('config/samples/app.yaml');

  expect(await opSdk('storage', 'migrate', '--dry-run')).toMatchObject({
    code: 0,
    stdout: `${name}: 2 objects would be stored in v2\n`,
  });
  expect(await opSdk('storage', 'migrate', name)).toMatchObject({
    code: 0,
    stdout: `${name}: 2 objects are stored in v2, status.storedVersions is v2\n`,
  });
  expect(await opSdk('storage', 'migrate')).toMatchObject({
    code: 0,
    stdout: `${name}: not needed, all objects are stored in v2\n`,
  });
  rmSync(join(folder, 'config/samples/app.yaml'));
  expect(await opSdk('storage', 'check')).toMatchObject({ code: 0 });
  expect((await opSdk('install')).code).toBe(0);
  expect(await opSdk('storage', 'status', 'Apq')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("did you mean 'App'?"),
  });
});
