// `op-sdk dev` and `op-sdk run` with the webhooks of a project, as processes on a real API server. They run dist/: build it first.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject } from '../../src/sdk/api/index.ts';
import { MutatingWebhookConfiguration } from '../../src/sdk/k8s/generated/admissionregistration/v1.ts';
import { CustomResourceDefinition } from '../../src/sdk/k8s/generated/apiextensions/v1.ts';
import { answersAt } from '../../src/cluster/webhooks/other-configurations.ts';
import { applyObjects } from '../../src/cluster/index.ts';
import { LocalWebhooks } from '../../src/cluster/webhooks/local-webhooks.ts';
import { eventually } from '../../src/testing/index.ts';
import { sharedControlPlane, uniqueName } from '../helpers/control-plane.ts';
import { edit, killWithGuard, startDev } from '../helpers/dev-process.ts';
import { convertedCrd } from '../control-plane/cluster/converted-crd.ts';
import { Clients } from './clients.ts';
import { convert, webhookProject } from './webhook-project.ts';

let scratch: string;
const clients = new Clients();
beforeAll(() => {
  scratch = mkdtempSync(join(realpathSync(tmpdir()), 'op-sdk-hooks-'));
});
afterAll(async () => {
  await clients.close();
  rmSync(scratch, { recursive: true, force: true });
});

const key = (name: string) => ({ name, namespace: 'default' });

test('op-sdk dev on its own control plane: samples are defaulted and converted by the operator here', async () => {
  const { project, crd, kind } = await webhookProject(scratch);
  convert(project, crd);
  await using dev = startDev(project, ['dev', '--samples']);
  const [, kubeconfig = ''] =
    /^export KUBECONFIG=(.*)$/m.exec(await dev.next(/export KUBECONFIG=.*\n/)) ?? [];
  const client = await clients.of(kubeconfig);
  await dev.next('webhooks: served, ENABLE_WEBHOOKS undefined');
  await dev.next('applied 1 object of config/samples');
  const sample = await client.get(kind('v1alpha1'), key('memcached-sample'));
  expect(sample.spec.foo).toBe('by webhook');
  expect((await client.get(kind('v1beta1'), key('memcached-sample'))).apiVersion).toMatch(/v1beta1$/);
  const name = 'mutating-webhook-configuration';
  const [webhook] = (await client.get(MutatingWebhookConfiguration, { name })).webhooks ?? [];
  expect(webhook?.clientConfig.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/mutate-/);

  // A change of the configuration.
  edit(project, 'config/webhook/manifests.yaml', 'failurePolicy: Fail', 'failurePolicy: Ignore');
  await dev.next(`${name} configured`);
  await dev.next('restarted the operator');
  const [changed] = (await client.get(MutatingWebhookConfiguration, { name })).webhooks ?? [];
  expect(changed?.failurePolicy).toBe('Ignore');
  expect(await dev.stop()).toBe(0);
});

test('op-sdk run on another cluster: webhooks only with --webhook-host, and all is put back', async () => {
  const { kubeconfig } = await sharedControlPlane();
  const client = await clients.of(kubeconfig);
  const { project, group, crd, kind, configuration } = await webhookProject(scratch);
  convert(project, crd);
  const flags = ['--kubeconfig', kubeconfig];
  await using install = startDev(project, ['install', ...flags]);
  await install.next(`${crd} created`);
  await eventually(() => install.process.exitCode === 0);
  const before = await client.get(CustomResourceDefinition, { name: crd });

  {
    await using without = startDev(project, ['run', ...flags]);
    await without.next('--webhook-host names the address by which it does');
    await without.next('webhooks: none, ENABLE_WEBHOOKS false');
    expect((await client.get(CustomResourceDefinition, { name: crd })).spec).toEqual(before.spec);
    expect(await client.find(MutatingWebhookConfiguration, { name: configuration })).toBeUndefined();
    expect(await without.stop()).toBe(0);
  }
  const local = [...flags, '--webhook-host', '127.0.0.1'];
  {
    const env = { ...process.env, ENABLE_WEBHOOKS: 'false' };
    await using off = startDev(project, ['run', ...local], { env });
    await off.next('webhooks: none, ENABLE_WEBHOOKS false');
    expect(await client.find(MutatingWebhookConfiguration, { name: configuration })).toBeUndefined();
    expect(await off.stop()).toBe(0);
  }
  {
    await using run = startDev(project, ['run', ...local]);
    await run.next(`${configuration} created`);
    await run.next('webhooks: served, ENABLE_WEBHOOKS undefined');
    await eventually(() => client.create(kind('v1alpha1'), { metadata: key(crd), spec: {} }));
    expect((await client.get(kind('v1alpha1'), key(crd))).spec.foo).toBe('by webhook');
    expect((await client.get(kind('v1beta1'), key(crd))).apiVersion).toMatch(/v1beta1$/);
    // What is there of somebody who runs is not overwritten.
    await using other = startDev(project, ['run', ...local]);
    await other.next('error[cluster/webhooks-exist]');
    await eventually(() => other.process.exitCode === 1);
    const serving = (await client.get(CustomResourceDefinition, { name: crd })).spec.conversion;
    expect(serving?.webhook?.clientConfig?.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/convert$/);
    expect(await run.stop()).toBe(0);
  }
  expect(await client.find(MutatingWebhookConfiguration, { name: configuration })).toBeUndefined();
  const after = await client.get(CustomResourceDefinition, { name: crd });
  expect(after.spec).toEqual(before.spec);
  expect(after.metadata.annotations).toEqual(before.metadata.annotations);
  const ownersOf = ({ metadata }: KubeObject) =>
    (metadata.managedFields ?? []).map(({ manager, operation, fieldsV1 }) => ({
      ...{ manager, operation, fieldsV1 },
    }));
  expect(ownersOf(after)).toEqual(ownersOf(before));

  // What a run that was killed with its guard has left is no obstacle, and neither is it taken for what was there before.
  {
    await using killed = startDev(project, ['run', ...local]);
    await killed.next('webhooks: served');
    await killWithGuard(killed, group);
  }
  const url = (await client.get(CustomResourceDefinition, { name: crd })).spec.conversion;
  const { host } = new URL(url?.webhook?.clientConfig?.url ?? '');
  // The operator ends a moment after its owner.
  await eventually(async () => !(await answersAt('127.0.0.1', Number(host.split(':')[1]))));
  await using again = startDev(project, ['run', ...local]);
  await again.next('webhooks: served');
  expect(await again.stop()).toBe(0);
  expect((await client.get(CustomResourceDefinition, { name: crd })).spec).toEqual(before.spec);
  expect(await client.find(MutatingWebhookConfiguration, { name: configuration })).toBeUndefined();
  await client.delete(CustomResourceDefinition, { name: crd });
});

test('LocalWebhooks.close leaves the conversion of a deployed operator as it was, and none on a definition that was new', async () => {
  const { kubeconfig } = await sharedControlPlane();
  const client = await clients.of(kubeconfig);
  const group = uniqueName('closed');
  const [deployed, created] = ['Deployed', 'Created'].map((kind) => convertedCrd(group, kind, 'system'));
  const name = deployed?.object.metadata.name ?? '';
  const before = await client.create(
    CustomResourceDefinition,
    convertedCrd(group, 'Deployed', 'memo-system').object as unknown as CustomResourceDefinition,
  );
  const objects = [deployed, created].filter((each) => each !== undefined);
  const hooks = await LocalWebhooks.open({ client, host: '127.0.0.1', project: 'closed' });
  const bring = async () =>
    hooks.bringDefinitions(objects, async (local) => {
      await applyObjects({ client, objects: local });
    });
  await bring();
  // A change of the definitions.
  await bring();
  const urls = objects.map(async ({ object }) => {
    const live = await client.get(CustomResourceDefinition, { name: object.metadata.name });
    return live.spec.conversion?.webhook?.clientConfig?.url;
  });
  const url = expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\/convert$/) as unknown;
  expect(await Promise.all(urls)).toEqual([url, url]);

  // What a deployment meets while the conversion is taken, and after a kill.
  const deployment = [convertedCrd(group, 'Deployed', 'memo-system')];
  await expect(
    applyObjects({ client: await clients.of(kubeconfig), objects: deployment }),
  ).rejects.toMatchObject({
    code: 'cluster/invalid-object',
    findings: [
      {
        fix: [
          expect.stringContaining('end the `op-sdk run`'),
          expect.stringContaining('start `op-sdk run` of its project on the same machine'),
          expect.stringContaining(`kubectl patch customresourcedefinitions ${name} --type=merge -p '{`),
        ] as unknown,
      },
    ],
  });

  expect(await hooks.close()).toEqual([]);
  const { conversion } = (await client.get(CustomResourceDefinition, { name })).spec;
  expect(conversion).toEqual(before.spec.conversion);
  const other = { name: created?.object.metadata.name ?? '' };
  expect((await client.get(CustomResourceDefinition, other)).spec.conversion).toEqual({ strategy: 'None' });
  for (const each of [{ name }, other]) await client.delete(CustomResourceDefinition, each);
});

test('op-sdk run refuses while the webhooks of a deployed operator are on the cluster', async () => {
  const { kubeconfig } = await sharedControlPlane();
  const client = await clients.of(kubeconfig);
  const { project, group, crd } = await webhookProject(scratch);
  const flags = ['--kubeconfig', kubeconfig];
  await using install = startDev(project, ['install', ...flags]);
  await install.next(`${crd} created`);
  await eventually(() => install.process.exitCode === 0);
  const name = uniqueName('deployed');
  const clientConfig = { service: { name: 'memo-webhook-service', namespace: 'memo-system', port: 443 } };
  await client.create(MutatingWebhookConfiguration, {
    metadata: { name },
    webhooks: [
      {
        name: `mmemcached-v1alpha1.${group}.example.com`,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig,
        rules: [],
      },
    ],
  });
  await using run = startDev(project, ['run', ...flags, '--webhook-host', '127.0.0.1']);
  await run.next('error[cluster/webhooks-exist]');
  await run.next(name);
  await run.next('op-sdk undeploy');
  await eventually(() => run.process.exitCode === 1);
  const live = await client.get(MutatingWebhookConfiguration, { name });
  expect(live.webhooks?.[0]?.clientConfig).toEqual(clientConfig);
  await client.delete(MutatingWebhookConfiguration, { name });
  await client.delete(CustomResourceDefinition, { name: crd });
});
