import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isOpSdkError } from '../../../../src/base/errors/index.ts';
import { readWebhookFiles } from '../../../../src/testing/manifest-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'op-sdk-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

const configuration = (kind: string, name: string, apiVersion = 'admissionregistration.k8s.io/v1'): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: ${name} }\nwebhooks: []\n`;

async function namesOf(...paths: readonly string[]): Promise<readonly string[]> {
  return (await readWebhookFiles(paths)).map(({ object }) => `${object.kind} ${object.metadata.name}`);
}

async function findingsOf(...paths: readonly string[]) {
  const error: unknown = await readWebhookFiles(paths).catch((reason: unknown) => reason);
  if (!isOpSdkError(error)) throw new Error(`not an OpSdkError: ${String(error)}`);
  return error.findings;
}

test('a folder gives its configurations, and passes over kustomizations, their settings and Services', async () => {
  await write('kustomization.yaml', 'resources:\n- manifests.yaml\n- service.yaml\n');
  await write('kustomizeconfig.yaml', 'nameReference:\n- kind: Service\n  version: v1\n');
  await write('service.yaml', 'apiVersion: v1\nkind: Service\nmetadata: { name: webhook-service }\n');
  await write(
    'manifests.yaml',
    `${configuration('MutatingWebhookConfiguration', 'm')}---\n${configuration('ValidatingWebhookConfiguration', 'v')}`,
  );
  expect(await namesOf(folder)).toEqual([
    'MutatingWebhookConfiguration m',
    'ValidatingWebhookConfiguration v',
  ]);
});

test('a List gives its items', async () => {
  const items = [JSON.parse('{"apiVersion":"admissionregistration.k8s.io/v1"}') as object];
  const item = { ...items[0], kind: 'MutatingWebhookConfiguration', metadata: { name: 'm' }, webhooks: [] };
  const file = await write('list.json', JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [item] }));
  expect(await namesOf(file)).toEqual(['MutatingWebhookConfiguration m']);
});

test('all that is wrong is reported at once, with its place', async () => {
  const service = await write('service.yaml', 'apiVersion: v1\nkind: Service\nmetadata: { name: s }\n');
  const old = await write(
    'old.yaml',
    configuration('MutatingWebhookConfiguration', 'old', 'admissionregistration.k8s.io/v1beta1'),
  );
  const twice = await write(
    'twice.yaml',
    `${configuration('MutatingWebhookConfiguration', 'm')}---\n${configuration('MutatingWebhookConfiguration', 'm')}`,
  );
  const missing = join(folder, 'missing');
  expect(await findingsOf(service, old, twice, missing)).toMatchObject([
    { code: 'io/not-found', where: { file: missing } },
    { code: 'testenv/invalid-webhook', where: { file: service } },
    { code: 'testenv/invalid-webhook', where: { file: old, line: 1 } },
    {
      code: 'testenv/invalid-webhook',
      message: 'MutatingWebhookConfiguration m appears twice: the second would replace the first',
      where: { file: twice, line: 6 },
    },
  ]);
});
