// How `op-sdk run` and `dev` leave a cluster whose webhooks they have taken: ended by a signal, by a terminal that closes, and by kill -9.
// They run dist/: build it first.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MutatingWebhookConfiguration } from '../../src/sdk/k8s/generated/admissionregistration/v1.ts';
import { CustomResourceDefinition } from '../../src/sdk/k8s/generated/apiextensions/v1.ts';
import type { KubeClient } from '../../src/sdk/kube/index.ts';
import { eventually } from '../../src/testing/index.ts';
import { applyObjects, installableCrds } from '../../src/cluster/index.ts';
import { LocalWebhooks } from '../../src/cluster/webhooks/local-webhooks.ts';
import type { PlacedObject } from '../../src/kubernetes/yaml/index.ts';
import { sharedControlPlane, uniqueName, type SharedControlPlane } from '../helpers/control-plane.ts';
import { killWithGuard, startDev, webhookGuardsOf } from '../helpers/dev-process.ts';
import { clientOf } from '../control-plane/cluster/helpers.ts';
import { convertedCrd } from '../control-plane/cluster/converted-crd.ts';
import { convert, webhookProject } from './webhook-project.ts';

let plane: SharedControlPlane;
let client: KubeClient;
let scratch: string;
beforeAll(async () => {
  plane = await sharedControlPlane();
  client = await clientOf(plane);
  scratch = mkdtempSync(join(realpathSync(tmpdir()), 'op-sdk-ended-'));
});
afterAll(async () => {
  await client.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** A project with a webhook and a conversion, its CustomResourceDefinition installed. */
async function installedProject() {
  const made = await webhookProject(scratch);
  convert(made.project, made.crd);
  await op(made.project, 'install');
  const conversion = async () =>
    (await client.get(CustomResourceDefinition, { name: made.crd })).spec.conversion;
  const configurations = async (): Promise<readonly string[]> =>
    (await client.list(MutatingWebhookConfiguration)).items
      .map(({ metadata }) => metadata.name)
      .filter((name) => name.startsWith(made.group));
  return { ...made, conversion, configurations };
}

/** Runs a command to its end. */
async function op(project: string, ...argv: readonly string[]): Promise<string> {
  await using command = startDev(project, [...argv, '--kubeconfig', plane.kubeconfig]);
  await eventually(() => command.process.exitCode !== null);
  expect(command.process.exitCode, command.output()).toBe(0);
  return command.output();
}

const local = () => ['--kubeconfig', plane.kubeconfig, '--webhook-host', '127.0.0.1'];

test.each([
  ['run', 'SIGTERM'],
  ['run', 'SIGHUP'],
  ['dev', 'SIGHUP'],
] as const)('op-sdk %s puts all back after %s', async (command, signal) => {
  const { project, crd, conversion, configurations, configuration } = await installedProject();
  await using running = startDev(project, [command, ...local()]);
  await running.next('webhooks: served');
  expect(await configurations()).toEqual([configuration]);
  await running.stop(signal);
  expect(running.output()).not.toContain('defect');
  expect(await configurations()).toEqual([]);
  expect(await conversion()).toEqual({ strategy: 'None' });
  await client.delete(CustomResourceDefinition, { name: crd });
});

test.each(['run', 'dev'])('op-sdk %s leaves nothing of its webhooks after kill -9', async (command) => {
  const { project, group, crd, conversion, configurations, configuration } = await installedProject();
  const before = await client.get(CustomResourceDefinition, { name: crd });
  // Configurations of somebody else, one of them with a label like ours.
  const others = [`${group}-deployed`, `${group}-elsewhere`];
  for (const name of others)
    await client.create(MutatingWebhookConfiguration, {
      metadata: { name, labels: name.endsWith('elsewhere') ? { 'op-sdk.dev/local-webhooks': group } : {} },
      webhooks: [
        {
          name: `${name}.example.com`,
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { url: 'https://127.0.0.1:9/mutate' },
          rules: [],
        },
      ],
    });
  await using running = startDev(project, [command, ...local()]);
  await running.next('webhooks: served');
  await eventually(async () => expect(await configurations()).toEqual([...others, configuration].sort()));
  await eventually(async () => expect((await conversion())?.strategy).toBe('Webhook'));
  await running.stop('SIGKILL');

  const limit = { timeout: 60_000 };
  await eventually(async () => expect(await configurations()).toEqual(others), limit);
  await eventually(async () => expect(await conversion()).toEqual({ strategy: 'None' }), limit);
  const after = await client.get(CustomResourceDefinition, { name: crd });
  expect([after.spec, after.metadata.labels, after.metadata.annotations]).toEqual([
    before.spec,
    before.metadata.labels,
    before.metadata.annotations,
  ]);
  // The guard ends when nothing is left to do.
  await eventually(async () => expect(await webhookGuardsOf(group)).toEqual([]), limit);
  for (const name of others) await client.delete(MutatingWebhookConfiguration, { name });
  await client.delete(CustomResourceDefinition, { name: crd });
});

const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

test('op-sdk dev puts all back after its terminal was closed', async (context) => {
  if (!hasTerminal) return context.skip('there is no `script` that makes a pseudo-terminal on this machine');
  const { project, crd, conversion, configurations } = await installedProject();
  const program = join(project, 'node_modules/opsdk/bin/op-sdk.js');
  const line = ['exec', process.execPath, program, 'dev', ...local()].join(' ');
  const terminal = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: project,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let screen = '';
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => (screen += text));
  try {
    await eventually(() => expect(screen).toContain('webhooks: served'), { timeout: 45_000 });
  } finally {
    terminal.kill('SIGKILL');
  }
  await eventually(async () => expect(await configurations()).toEqual([]), { timeout: 45_000 });
  await eventually(async () => expect(await conversion()).toEqual({ strategy: 'None' }));
  await client.delete(CustomResourceDefinition, { name: crd });
});

/** A process that is killed with its guard: nothing of it is put back. @param whileRunning work while its operator serves */
async function killed(project: string, command: string, whileRunning?: () => Promise<void>): Promise<void> {
  await using process = startDev(project, [command, ...local()]);
  await process.next('webhooks: served');
  await whileRunning?.();
  await killWithGuard(process, basename(project));
}

const key = (name: string) => ({ name, namespace: 'default' });

test('op-sdk run deletes what a killed one has left, also of webhooks that the project no longer has', async () => {
  const { project, crd, kind, conversion, configurations, configuration } = await installedProject();
  await client.create(kind('v1alpha1'), { metadata: key(crd), spec: {} });
  await killed(project, 'run');
  expect(await configurations()).toEqual([configuration]);
  expect((await conversion())?.strategy).toBe('Webhook');
  rmSync(join(project, 'config/webhook'), { recursive: true });

  // Without --webhook-host, which it no longer needs.
  await using run = startDev(project, ['run', '--kubeconfig', plane.kubeconfig]);
  await run.next(`deleted MutatingWebhookConfiguration ${configuration}, which a killed`);
  await run.next(`put back the conversion of ${crd}, which a killed`);
  expect(await configurations()).toEqual([]);
  expect(await conversion()).toEqual({ strategy: 'None' });
  const { labels, annotations } = (await client.get(CustomResourceDefinition, { name: crd })).metadata;
  expect(Object.keys({ ...labels, ...annotations }).filter((each) => each.includes('op-sdk'))).toEqual([]);
  // Both are served without a word of the killed one.
  expect((await client.get(kind('v1beta1'), key(crd))).metadata.name).toBe(crd);
  await run.next('webhooks: none');
  expect(await run.stop()).toBe(0);
  await client.delete(CustomResourceDefinition, { name: crd });
});

test.each([
  ['op-sdk dev without --webhook-host', false],
  ['op-sdk dev with --webhook-host', true],
])('%s puts back the conversion of a definition that a killed one has created', async (_name, isHosted) => {
  const { project, crd, kind } = await webhookProject(scratch);
  convert(project, crd);
  await killed(project, 'dev');
  const live = async () => client.get(CustomResourceDefinition, { name: crd });
  const { uid } = (await live()).metadata;
  expect((await live()).spec.conversion?.strategy).toBe('Webhook');

  const flags = isHosted ? local() : ['--kubeconfig', plane.kubeconfig];
  await using dev = startDev(project, ['dev', ...flags]);
  await dev.next(`put back the conversion of ${crd}`);
  await dev.next('webhooks: ');
  await client.create(kind('v1alpha1'), { metadata: key(crd), spec: {} });
  expect((await client.get(kind('v1beta1'), key(crd))).metadata.name).toBe(crd);
  expect((await live()).spec.conversion?.strategy).toBe(isHosted ? 'Webhook' : 'None');
  expect(await dev.stop()).toBe(0);
  expect((await live()).spec.conversion).toEqual({ strategy: 'None' });
  expect((await live()).metadata.uid).toBe(uid);
  await client.delete(CustomResourceDefinition, { name: crd });
});

test('op-sdk uninstall deletes a definition that a killed op-sdk dev has created, with its objects', async () => {
  const { project, crd, kind } = await webhookProject(scratch);
  convert(project, crd);
  await killed(project, 'dev', async () => {
    await eventually(() => client.create(kind('v1alpha1'), { metadata: key(crd), spec: {} }));
  });
  const output = await op(project, 'uninstall', '--yes');
  expect(output).toContain(`1 custom resource will be deleted with it: default/${crd}`);
  expect(output).toContain(`${crd} deleted`);
  expect(await client.find(CustomResourceDefinition, { name: crd })).toBeUndefined();
});

test('op-sdk install leaves a conversion as it is while op-sdk dev serves it', async () => {
  const crd = convertedCrd(uniqueName('served'), 'Served', 'system');
  const { name } = crd.object.metadata;
  const hooks = await LocalWebhooks.open({ client, host: '127.0.0.1', project: 'served' });
  const apply = async (objects: readonly PlacedObject[]) => void (await applyObjects({ client, objects }));
  await hooks.bringDefinitions([crd], apply);
  const before = await client.get(CustomResourceDefinition, { name });
  await apply((await installableCrds(client, [crd])).objects);
  const after = await client.get(CustomResourceDefinition, { name });
  expect(after.spec.conversion).toEqual(before.spec.conversion);
  expect(after.metadata.annotations).toEqual(before.metadata.annotations);
  expect(await hooks.close()).toEqual([]);
  const closed = await client.get(CustomResourceDefinition, { name });
  expect([closed.spec.conversion, closed.metadata.labels]).toEqual([{ strategy: 'None' }, undefined]);
  await client.delete(CustomResourceDefinition, { name });
});
