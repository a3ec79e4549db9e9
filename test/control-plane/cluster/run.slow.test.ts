// `op-sdk run` against a real API server: what it checks before it starts, and an operator that works.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { externalResource } from '../../../src/sdk/api/index.ts';
import { CustomResourceDefinition } from '../../../src/sdk/k8s/generated/apiextensions/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../../src/sdk/kube/index.ts';
import { eventually } from '../../../src/testing/index.ts';
import {
  sharedControlPlane,
  uniqueName,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../helpers/control-plane.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { projectFolder, type ProjectFolder } from '../../unit/compiler/manifests/project-folder.ts';

let plane: SharedControlPlane;
let client: KubeClient;
let scratch: string;
const folders: ProjectFolder[] = [];

beforeAll(async () => {
  plane = await sharedControlPlane();
  scratch = mkdtempSync(join(tmpdir(), 'opsdk-run-'));
  client = createClient({
    cluster: await loadCluster({ kubeconfig: plane.kubeconfig }),
    fieldManager: 'test',
  });
});
afterAll(async () => {
  await client.close();
  rmSync(scratch, { recursive: true });
  for (const folder of folders) folder.remove();
});

interface Sample {
  readonly group: string;
  readonly crd: string;
  readonly project: ProjectFolder;
  /** Puts the CRD there with these versions, the first one stored, and waits for the condition that the API server gives it. */
  readonly install: (versions: readonly string[], condition?: string) => Promise<void>;
}

/** A project with a kind of its own group, whose controller notes in the status what it has seen. */
function sample(version = 'v1'): Sample {
  const group = `${uniqueName('run')}.example.com`;
  const crd = `greetings.${group}`;
  const project = projectFolder({
    'src/greeting.ts': `import { defineResource, type CustomResource } from 'opsdk';
export interface Greeting extends CustomResource { spec: { name?: string }; status?: { seen?: string } }
export const Greeting = defineResource<Greeting>({ group: '${group}', version: '${version}', kind: 'Greeting' });
`,
    'src/main.ts': `import { createManager, defineController, operatorMain } from 'opsdk';
import { Greeting } from './greeting.ts';
const controller = defineController({
  for: Greeting,
  async reconcile(greeting, { client, key }) {
    await client.applyStatus(Greeting, key, { seen: greeting.spec.name ?? '' });
  },
});
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({ name: 'greeter', ...flags });
  manager.add(controller);
  await manager.run({ signal });
});
`,
  });
  folders.push(project);
  const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    group,
    crd,
    project,
    async install(versions, condition = 'Established True') {
      await client.apply(CustomResourceDefinition, {
        metadata: { name: crd },
        spec: {
          group,
          scope: 'Namespaced',
          names: { kind: 'Greeting', plural: 'greetings', singular: 'greeting', listKind: 'GreetingList' },
          versions: versions.map((name, index) => ({
            name,
            served: true,
            storage: index === 0,
            subresources: { status: {} },
            schema: { openAPIV3Schema: schema },
          })),
        },
      });
      await eventually(async () => {
        const { status } = await client.get(CustomResourceDefinition, { name: crd });
        return (status?.conditions ?? []).some(({ type, status: is }) => `${type} ${is}` === condition);
      });
    },
  };
}

/** The administrator's kubeconfig with another context, and one in which somebody without any permission is impersonated. */
function kubeconfigs(): { readonly renamed: string; readonly powerless: string } {
  interface Config {
    contexts: { name: string }[];
    users: { user: Record<string, unknown> }[];
    'current-context': string;
  }
  const read = (): Config => load(plane.kubeconfigText) as Config;
  const renamed = read();
  for (const context of renamed.contexts) context.name = 'elsewhere';
  renamed['current-context'] = 'nowhere';
  const powerless = read();
  for (const { user } of powerless.users) user['as'] = 'nobody';
  const files = { renamed: join(scratch, 'renamed'), powerless: join(scratch, 'powerless') };
  writeFileSync(files.renamed, JSON.stringify(renamed));
  writeFileSync(files.powerless, JSON.stringify(powerless));
  return files;
}

async function refused(project: ProjectFolder, ...flags: string[]) {
  const run = await runCli(['run', '-o', 'json', ...flags], { cwd: project.dir, env: process.env });
  expect(run.code, run.stderr).toBe(1);
  expect(project.exists('dist')).toBe(false);
  return (
    JSON.parse(run.stdout) as { errors: { code: string; message: string; where: object; fix: string[] }[] }
  ).errors;
}

describe('before it starts', () => {
  test('the CRDs must be installed', async () => {
    const { project, crd } = sample();
    expect(await refused(project, '--kubeconfig', plane.kubeconfig)).toMatchObject([
      {
        code: 'cluster/crd-not-installed',
        where: { object: `CustomResourceDefinition ${crd}` },
        fix: ['run `op-sdk install`'],
      },
    ]);
  });

  test('in the version that the controller uses', async () => {
    const { project, install, group } = sample('v2');
    await install(['v1', 'v1beta1']);
    expect(await refused(project, '--kubeconfig', plane.kubeconfig)).toMatchObject([
      {
        code: 'cluster/version-not-served',
        message: `a controller reconciles ${group}/v2 Greeting, but the cluster serves only v1, v1beta1`,
        where: { file: 'src/main.ts', line: 4 },
      },
    ]);
  });

  test('with names that no other CRD has', async () => {
    const { project, install, group } = sample();
    const other = `others.${group}`;
    await client.create(CustomResourceDefinition, {
      metadata: { name: other },
      spec: {
        group,
        scope: 'Namespaced',
        names: { kind: 'Other', plural: 'others', shortNames: ['greetings'] },
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    });
    await eventually(async () => {
      const { status } = await client.get(CustomResourceDefinition, { name: other });
      return (status?.acceptedNames?.shortNames ?? []).includes('greetings');
    });
    await install(['v1'], 'NamesAccepted False');
    const [finding] = await refused(project, '--kubeconfig', plane.kubeconfig);
    expect(finding).toMatchObject({ code: 'cluster/crd-not-established' });
    expect(finding?.message).toContain('greetings');
  });

  test('and kinds of others that it watches must be there', async () => {
    const { project, install } = sample();
    await install(['v1']);
    const source = project
      .read('src/main.ts')
      .replace('operatorMain }', 'externalResource, operatorMain }')
      .replace(
        '  for: Greeting,',
        "  for: Greeting,\n  owns: [externalResource({ group: 'monitoring.example.org', version: 'v1', kind: 'Monitor', plural: 'monitors', scope: 'Namespaced' })],",
      );
    project.write('src/main.ts', source);
    expect(await refused(project, '--kubeconfig', plane.kubeconfig)).toMatchObject([
      {
        code: 'cluster/kind-not-served',
        message: 'a controller owns monitoring.example.org/v1 Monitor, which the cluster does not serve',
        where: { file: 'src/main.ts', line: 5 },
      },
    ]);
  });

  test('who may not read CRDs gets the same verdicts', async () => {
    const { powerless } = kubeconfigs();
    const { project, install, crd } = sample('v2');
    const where = { object: `CustomResourceDefinition ${crd}` };
    expect(await refused(project, '--kubeconfig', powerless)).toMatchObject([
      { code: 'cluster/crd-not-installed', where },
    ]);
    await install(['v1']);
    const errors = await eventually(async () => {
      const found = await refused(project, '--kubeconfig', powerless);
      return found[0]?.code === 'cluster/version-not-served' ? found : false;
    });
    expect(errors[0]?.message).toContain('serves only v1');
  });
});

test('runs the operator until it is interrupted, in the context that was asked for', async () => {
  const { project, install, group } = sample();
  await install(['v1']);
  const namespace = await uniqueNamespace(plane);
  const { renamed } = kubeconfigs();
  const abort = new AbortController();
  const flags = [
    '--health-probe-bind-address=127.0.0.1:0',
    '--metrics-bind-address=127.0.0.1:0',
    '--log-level=error',
  ];
  const done = runCli(
    ['run', '--context', 'elsewhere', '-o', 'json', '--', ...flags, `--namespace=${namespace}`],
    {
      cwd: project.dir,
      env: { ...process.env, KUBECONFIG: renamed },
      signal: abort.signal,
    },
  );
  const Greeting = externalResource({
    group,
    version: 'v1',
    kind: 'Greeting',
    plural: 'greetings',
    scope: 'Namespaced',
  });
  const key = { name: 'hello', namespace };
  await client.create(Greeting, { metadata: key, spec: { name: 'world' } } as never);
  await eventually(
    async () => expect(await client.get(Greeting, key)).toMatchObject({ status: { seen: 'world' } }),
    {
      timeout: 60_000,
    },
  );
  expect(readFileSync(join(project.dir, 'dist/main.mjs'), 'utf8')).toContain(group);
  abort.abort();
  const run = await done;
  expect(run.code, run.stderr).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({
    ok: true,
    result: { server: plane.url, source: expect.stringContaining('context elsewhere'), exitCode: 0 },
  });
  expect(run.stderr).toContain(`sample runs against ${plane.url}`);
});

test('passes on how the operator ends', async () => {
  const { project, install } = sample();
  await install(['v1']);
  const run = await runCli(['run', '--kubeconfig', plane.kubeconfig, '-o', 'json', '--', '--nonsense'], {
    cwd: project.dir,
    env: process.env,
  });
  expect(run.code).toBe(2);
  expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, result: { exitCode: 2 } });
});

test('--dry-run checks and runs nothing', async () => {
  const { project, install } = sample();
  await install(['v1']);
  const run = await runCli(['run', '--kubeconfig', plane.kubeconfig, '--dry-run'], { cwd: project.dir });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toContain(`would run sample against ${plane.url}`);
  expect(project.exists('dist')).toBe(false);
});
