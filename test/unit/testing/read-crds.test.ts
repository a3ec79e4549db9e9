import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isOpSdkError } from '../../../src/errors/index.ts';
import { readCrds } from '../../../src/testing/crds/read-crds.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'op-sdk-test-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

const crd = (name: string): string =>
  [
    'apiVersion: apiextensions.k8s.io/v1',
    'kind: CustomResourceDefinition',
    `metadata: { name: ${name}.example.com }`,
    `spec: { group: example.com, names: { plural: ${name} }, versions: [{ name: v1, served: true }] }`,
    '',
  ].join('\n');

async function write(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

async function findingsOf(paths: readonly string[]) {
  const error: unknown = await readCrds(paths).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isOpSdkError(error)) throw new Error(`not an OpSdkError: ${String(error)}`);
  return error.findings;
}

test('a folder gives the CRDs of its files, in order, and nothing else', async () => {
  await write('b.yaml', `${crd('beta')}---\n${crd('gamma')}`);
  await write('a.yml', crd('alpha'));
  await write('kustomization.yaml', 'resources: [a.yml]\n');
  await write('empty.yaml', '');
  await write('notes.txt', 'not: [yaml');
  const names = (await readCrds([folder])).map(({ crd: { metadata } }) => metadata.name);
  expect(names).toEqual(['alpha.example.com', 'beta.example.com', 'gamma.example.com']);
});

test('JSON is read too', async () => {
  const file = await write(
    'crd.json',
    JSON.stringify({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'alpha.example.com' },
      spec: { group: 'example.com', names: { plural: 'alpha' }, versions: [] },
    }),
  );
  expect(await readCrds([file])).toHaveLength(1);
});

test('all that is wrong is said at once', async () => {
  const missing = join(folder, 'missing.yaml');
  const broken = await write('broken.yaml', 'a: [');
  const other = await write('other.yaml', 'apiVersion: v1\nkind: ConfigMap\n');
  const old = await write('old.yaml', crd('alpha').replace('k8s.io/v1', 'k8s.io/v1beta1'));
  const nameless = await write('nameless.yaml', crd('alpha').replace(/metadata.*/, ''));
  const findings = await findingsOf([missing, broken, other, old, nameless]);
  expect(findings.map(({ code, where }) => [code, where])).toEqual([
    ['io/not-found', { file: missing }],
    ['io/yaml-syntax', { file: broken }],
    ['testenv/invalid-crd', { file: other }],
    ['testenv/invalid-crd', { file: old }],
    ['testenv/invalid-crd', { file: nameless }],
  ]);
  expect(findings[3]?.message).toContain("it must be 'apiextensions.k8s.io/v1'");
});
