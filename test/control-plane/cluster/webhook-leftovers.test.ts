// What a killed `op-sdk run` or `dev` has left on a cluster, and whose it is: the configurations and conversions by themselves.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MutatingWebhookConfiguration } from '../../../src/sdk/k8s/generated/admissionregistration/v1.ts';
import { CustomResourceDefinition } from '../../../src/sdk/k8s/generated/apiextensions/v1.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import { applyObjects } from '../../../src/cluster/index.ts';
import { LocalWebhooks } from '../../../src/cluster/webhooks/local-webhooks.ts';
import { removeLeftovers } from '../../../src/cluster/webhooks/remove-leftovers.ts';
import { withoutConversions } from '../../../src/cluster/apply/installable-crds.ts';
import type { OpSdkError } from '../../../src/base/errors/index.ts';
import { restoreConversion, takeConversion } from '../../../src/testing/webhooks/conversions.ts';
import { conversionBefore, localOwner } from '../../../src/testing/webhooks/with-webhook-urls.ts';
import { makeServingCertificate } from '../../../src/testing/webhooks/serving-certificate.ts';
import type { JsonMap } from '../../../src/base/util/json-map.ts';
import type { PlacedObject } from '../../../src/kubernetes/yaml/index.ts';
import { sharedControlPlane, uniqueName, type SharedControlPlane } from '../../helpers/control-plane.ts';
import { convertedCrd } from './converted-crd.ts';
import { clientOf, manifest } from './helpers.ts';

let plane: SharedControlPlane;
let client: KubeClient;
let scratch: string;
beforeAll(async () => {
  plane = await sharedControlPlane();
  client = await clientOf(plane);
  scratch = mkdtempSync(join(realpathSync(tmpdir()), 'op-sdk-leftovers-'));
});
afterAll(async () => {
  await client.close();
  rmSync(scratch, { recursive: true, force: true });
});

test('removeLeftovers leaves alone what a running process, another machine, or a deployed operator may need', async () => {
  const project = uniqueName('left');
  const metadata = { name: `${project}-mutating-webhook-configuration` };
  const crd = convertedCrd(project, 'Left', 'system');
  const { name } = crd.object.metadata;
  const hooks = await LocalWebhooks.open({ client, host: '127.0.0.1', project });
  await hooks.bringDefinitions([crd], async (objects) => void (await applyObjects({ client, objects })));
  const { webhook, objects } = configurationOf(project);
  await hooks.bringConfigurations(objects);
  const strategy = async () =>
    (await client.get(CustomResourceDefinition, { name })).spec.conversion?.strategy;
  const left = () => removeLeftovers(client, project);

  // This process has written them, and runs.
  expect(await left()).toEqual({ done: [], problems: [] });

  const { annotations } = (await client.get(MutatingWebhookConfiguration, metadata)).metadata;
  const own = JSON.parse(annotations?.[localOwner] ?? '') as object;
  const writtenBy = async (owner: object): Promise<void> => {
    const body = { metadata: { annotations: { [localOwner]: JSON.stringify({ ...own, ...owner }) } } };
    await client.patch(MutatingWebhookConfiguration, metadata, { type: 'merge', body });
    await client.patch(CustomResourceDefinition, { name }, { type: 'merge', body });
  };
  await writtenBy({ host: 'elsewhere' });
  const { done, problems } = await left();
  expect(done).toEqual([]);
  expect(problems).toEqual([
    expect.stringMatching(new RegExp(`on elsewhere, .*kubectl delete .* ${metadata.name}$`)),
    expect.stringMatching(new RegExp(`${name} are asked of .* on elsewhere, .*: kubectl patch .* ${name} `)),
  ]);
  expect([await client.find(MutatingWebhookConfiguration, metadata), await strategy()]).toEqual([
    expect.anything(),
    'Webhook',
  ]);

  // A process that is gone; a deployed operator has its webhooks at this name since.
  await writtenBy({ started: '1' });
  await client.patch(MutatingWebhookConfiguration, metadata, {
    type: 'merge',
    body: { webhooks: [webhook] },
  });
  expect(await left()).toEqual({
    done: [`put back the conversion of ${name}, which a killed op-sdk run or dev had left`],
    problems: [],
  });
  expect(await strategy()).toBe('None');
  expect(await client.find(MutatingWebhookConfiguration, metadata)).toBeDefined();
  await client.delete(MutatingWebhookConfiguration, metadata);
  await client.delete(CustomResourceDefinition, { name });
  await hooks.close();
});

/** A mutating webhook of a Service, for nothing. */
function configurationOf(project: string) {
  const webhook = {
    ...{ name: `m.${project}.example.com`, admissionReviewVersions: ['v1'], sideEffects: 'None', rules: [] },
    clientConfig: { service: { name: 'webhook-service', namespace: 'system', path: '/m' } },
  };
  const configuration = {
    ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration' },
    ...{ metadata: { name: 'mutating-webhook-configuration' }, webhooks: [webhook] },
  };
  return { webhook, objects: manifest(configuration) };
}

/** Marks an object as written by a process of this machine that is gone. */
async function abandon(
  resource: typeof MutatingWebhookConfiguration | typeof CustomResourceDefinition,
  name: string,
): Promise<void> {
  const { annotations } = (await client.get(resource as typeof CustomResourceDefinition, { name })).metadata;
  const owner = { ...(JSON.parse(annotations?.[localOwner] ?? '') as object), started: '1' };
  const body = { metadata: { annotations: { [localOwner]: JSON.stringify(owner) } } };
  await client.patch(resource as typeof CustomResourceDefinition, { name }, { type: 'merge', body });
}

test('removeLeftovers leaves a conversion as somebody has changed it since, and so does the next command', async () => {
  const project = uniqueName('edited');
  const crd = convertedCrd(project, 'Edited', 'system');
  const { name } = crd.object.metadata;
  const apply = async (objects: readonly PlacedObject[]) => void (await applyObjects({ client, objects }));
  const hooks = await LocalWebhooks.open({ client, host: '127.0.0.1', project });
  await hooks.bringDefinitions([crd], apply);
  const url = 'https://tunnel.example.com:1/convert';
  const body = { spec: { conversion: { webhook: { clientConfig: { url } } } } };
  await client.patch(CustomResourceDefinition, { name }, { type: 'merge', body });
  expect(await hooks.close()).toEqual([]);
  await abandon(CustomResourceDefinition, name);
  const edited = (await client.get(CustomResourceDefinition, { name })).spec.conversion;
  expect(edited?.webhook?.clientConfig?.url).toBe(url);

  expect(await removeLeftovers(client, project)).toEqual({ done: [], problems: [] });
  expect((await client.get(CustomResourceDefinition, { name })).spec.conversion).toEqual(edited);
  const next = await LocalWebhooks.open({ client, host: '127.0.0.1', project });
  await next.takeConversions([crd]);
  expect(await next.close()).toEqual([]);
  expect((await client.get(CustomResourceDefinition, { name })).spec.conversion).toEqual(edited);
  await client.delete(CustomResourceDefinition, { name });
});

test('LocalWebhooks refuses to delete a configuration that a deployed operator has taken over from a killed run', async () => {
  const project = uniqueName('over');
  const name = `${project}-mutating-webhook-configuration`;
  const { webhook, objects } = configurationOf(project);
  const hooks = await LocalWebhooks.open({ client, host: '127.0.0.1', project });
  await hooks.bringConfigurations(objects);
  await abandon(MutatingWebhookConfiguration, name);
  await client.patch(
    MutatingWebhookConfiguration,
    { name },
    { type: 'merge', body: { webhooks: [webhook] } },
  );

  const next = await LocalWebhooks.open({ client, host: '127.0.0.1', project });
  await expect(next.bringConfigurations(objects)).rejects.toMatchObject({
    code: 'cluster/webhooks-exist',
    message: expect.stringContaining('a deployed operator') as unknown,
  });
  expect(await next.close()).toEqual([]);
  expect(await client.find(MutatingWebhookConfiguration, { name })).toBeDefined();
  await client.delete(MutatingWebhookConfiguration, { name });
  await hooks.close();
});

test('LocalWebhooks.close leaves a configuration that a deployed operator, or another command, has taken over', async () => {
  const project = uniqueName('closing');
  const name = `${project}-mutating-webhook-configuration`;
  const { webhook, objects } = configurationOf(project);
  for (const body of [
    { webhooks: [webhook] },
    { metadata: { annotations: { [localOwner]: '{"host":"elsewhere"}' } } },
  ]) {
    const hooks = await LocalWebhooks.open({ client, host: '127.0.0.1', project });
    await hooks.bringConfigurations(objects);
    await client.patch(MutatingWebhookConfiguration, { name }, { type: 'merge', body });
    expect(await hooks.close()).toEqual([]);
    expect(await client.find(MutatingWebhookConfiguration, { name })).toBeDefined();
    await client.delete(MutatingWebhookConfiguration, { name });
  }
});

const applyAll = async (objects: readonly PlacedObject[]) => void (await applyObjects({ client, objects }));

test('removeLeftovers and LocalWebhooks.close say that the API server refuses what a conversion was before', async () => {
  const project = uniqueName('refused');
  const crd = convertedCrd(project, 'Refused', 'system');
  const { name } = crd.object.metadata;
  const hooks = await LocalWebhooks.open({ client, host: '127.0.0.1', project });
  await hooks.bringDefinitions([crd], applyAll);
  await abandon(CustomResourceDefinition, name);
  const body = { metadata: { annotations: { [conversionBefore]: '{"strategy":"Wrong"}' } } };
  await client.patch(CustomResourceDefinition, { name }, { type: 'merge', body });
  const refused = (start: string) => [expect.stringMatching(new RegExp(`^${start}: .*Wrong`)) as unknown];
  expect(await removeLeftovers(client, project)).toEqual({
    done: [],
    problems: refused(`the conversion of ${name} is left`),
  });
  const next = await LocalWebhooks.open({ client, host: '127.0.0.1', project });
  await next.takeConversions([crd]);
  expect(await next.close()).toEqual(refused(`the conversion of ${name} is left as it is`));
  await client.delete(CustomResourceDefinition, { name });
  expect(await hooks.close()).toEqual([]);
});

/** A client whose first look at a definition is out of date at once: somebody has written it. */
function overtaken(work: () => Promise<unknown>): KubeClient {
  let isFirst = true;
  const find = async (...args: Parameters<KubeClient['find']>) => {
    const live = await client.find(...args);
    if (isFirst) await work();
    isFirst = false;
    return live;
  };
  return new Proxy(client, {
    get: (target, key) => {
      if (key === 'find') return find;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

test('takeConversion and restoreConversion keep what somebody else writes at the same moment', async () => {
  const project = uniqueName('moment');
  const crd = convertedCrd(project, 'Moment', 'system');
  const { name } = crd.object.metadata;
  const metadata = {
    annotations: { 'example.com/by': 'somebody' },
    labels: { 'example.com/by': 'somebody' },
  };
  const { conversion } = crd.object['spec'] as { readonly conversion: JsonMap };
  const write = (body: object) => client.patch(CustomResourceDefinition, { name }, { type: 'merge', body });
  const live = () => client.get(CustomResourceDefinition, { name });
  await applyAll(withoutConversions([crd]));
  expect((await live()).metadata).not.toHaveProperty('annotations');
  const server = { host: '127.0.0.1', port: 1, caCertificate: 'none' };
  const { caCertificate } = await makeServingCertificate(scratch, server.host);
  // A deployment brings the conversion.
  const taken = await takeConversion(
    overtaken(() => write({ metadata, spec: { conversion } })),
    name,
    conversion,
    { ...server, caCertificate },
    { marks: { project, owner: '{}' } },
  );
  expect(taken?.before).toMatchObject(conversion);
  expect((await live()).metadata).toMatchObject(metadata);
  expect((await live()).spec.conversion?.webhook?.clientConfig).toMatchObject({ url: taken?.url });
  const later = { annotations: { 'example.com/later': 'somebody' } };
  if (taken === undefined) throw new Error('expected the definition');
  expect(
    await restoreConversion(
      overtaken(() => write({ metadata: later })),
      taken,
    ),
  ).toBe(true);
  const after = await live();
  expect(after.spec.conversion).toEqual(taken.before);
  expect(after.metadata.annotations).toEqual({ ...metadata.annotations, ...later.annotations });
  expect(after.metadata.labels).toEqual(metadata.labels);
  await client.delete(CustomResourceDefinition, { name });
});

test.each([
  ['a deployed operator', 'deployed', 'a deployed operator'],
  ['another command', 'elsewhere', 'another op-sdk run or dev on elsewhere'],
])(
  'LocalWebhooks refuses to write a configuration again that %s has taken over',
  async (_title, by, message) => {
    const project = uniqueName(by);
    const name = `${project}-mutating-webhook-configuration`;
    const { webhook, objects } = configurationOf(project);
    const hooks = await LocalWebhooks.open({ client, host: '127.0.0.1', project });
    await hooks.bringConfigurations(objects);
    const live = () => client.get(MutatingWebhookConfiguration, { name });
    const owner = JSON.parse((await live()).metadata.annotations?.[localOwner] ?? '') as object;
    const annotations = { [localOwner]: JSON.stringify({ ...owner, host: 'elsewhere' }) };
    const body = by === 'deployed' ? { webhooks: [webhook] } : { metadata: { annotations } };
    const before = await client.patch(MutatingWebhookConfiguration, { name }, { type: 'merge', body });
    await expect(hooks.bringConfigurations(objects)).rejects.toMatchObject({
      code: 'cluster/webhooks-exist',
      message: expect.stringContaining(message) as unknown,
    });
    expect(await hooks.close()).toEqual([]);
    expect((await live()).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    await client.delete(MutatingWebhookConfiguration, { name });
  },
);

test('LocalWebhooks refuses to take a conversion over from another machine, and names the command that puts it back', async () => {
  const project = uniqueName('other');
  const crd = convertedCrd(project, 'Other', 'system');
  const { name } = crd.object.metadata;
  const hooks = await LocalWebhooks.open({ client, host: '127.0.0.1', project });
  await hooks.bringDefinitions([crd], applyAll);
  const { annotations } = (await client.get(CustomResourceDefinition, { name })).metadata;
  const owner = { ...(JSON.parse(annotations?.[localOwner] ?? '') as object), host: 'elsewhere' };
  const marks = { metadata: { annotations: { [localOwner]: JSON.stringify(owner) } } };
  const before = await client.patch(CustomResourceDefinition, { name }, { type: 'merge', body: marks });

  const next = await LocalWebhooks.open({ client, host: '127.0.0.1', project });
  const refused = await next.takeConversions([crd]).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(refused).toMatchObject({
    code: 'cluster/webhooks-exist',
    message: expect.stringContaining(
      `conversion of ${name} is served by another op-sdk run or dev on elsewhere, at `,
    ) as unknown,
  });
  expect(await next.close()).toEqual([]);
  const after = await client.get(CustomResourceDefinition, { name });
  expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);

  const [, line = ''] = (refused as OpSdkError).findings[0]?.fix ?? [];
  const [, json = ''] = /: kubectl patch \S+ \S+ --type=merge -p '(.*)'$/.exec(line) ?? [];
  const body: unknown = JSON.parse(json);
  const { spec, metadata } = await client.patch(CustomResourceDefinition, { name }, { type: 'merge', body });
  expect([spec.conversion, metadata.labels]).toEqual([{ strategy: 'None' }, undefined]);
  expect(metadata.annotations).toBeUndefined();
  expect(await hooks.close()).toEqual([]);
  await client.delete(CustomResourceDefinition, { name });
});
