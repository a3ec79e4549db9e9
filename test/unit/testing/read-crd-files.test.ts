import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isOpSdkError } from '../../../src/base/errors/index.ts';
import { readCrds } from '../../../src/kubernetes/crd/index.ts';
import { readCrdFiles } from '../../../src/testing/manifest-files.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'op-sdk-test-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

const crd = (name: string, field = '{ type: string }'): string =>
  `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${name}.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Sample, plural: ${name} }
  versions:
  - name: v1
    served: true
    storage: true
    schema: { openAPIV3Schema: { type: object, properties: { spec: ${field} } } }
`;

async function write(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

async function findingsOf(paths: readonly string[]) {
  const error: unknown = await readCrdFiles(paths).then(
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
  const names = (await readCrdFiles([folder])).map(({ crd: { metadata } }) => metadata.name);
  expect(names).toEqual(['alpha.example.com', 'beta.example.com', 'gamma.example.com']);
});

test('JSON is read too', async () => {
  const [read] = await readCrdFiles([await write('crd.yaml', crd('alpha'))]);
  expect(await readCrdFiles([await write('crd.json', JSON.stringify(read?.crd))])).toHaveLength(1);
});

test('v1beta1 is converted', async () => {
  const text = crd('alpha').replace('k8s.io/v1', 'k8s.io/v1beta1');
  const [read] = await readCrdFiles([await write('crd.yaml', `${text}  preserveUnknownFields: false\n`)]);
  expect(read?.crd.apiVersion).toBe('apiextensions.k8s.io/v1');
});

test.each([
  ['a text that looks like a date', '{ type: string, default: 2020-01-01 }', '2020-01-01'],
  ['a number in another base', '{ type: integer, default: 31, enum: [0x1F] }', 31],
])('the values are those that every command reads: %s', async (_title, field, value) => {
  const text = crd('alpha', field);
  const file = await write('crd.yaml', text);
  const answers = await Promise.allSettled([
    readCrdFiles([file]).then(([read]) => read?.crd),
    Promise.resolve().then(() => readCrds(text, file).crds[0]?.crd),
  ]);
  expect(answers[0]).toEqual(answers[1]);
  const [{ status }] = answers;
  if (status === 'fulfilled')
    expect(JSON.stringify(answers[0])).toContain(`"default":${JSON.stringify(value)}`);
});

test('values that YAML 1.1 reads otherwise are what kubectl would send', async () => {
  const file = await write('crd.yaml', crd('alpha', '{ type: string, enum: [on, off, 0x1F] }'));
  expect(JSON.stringify(await readCrdFiles([file]))).toContain('"enum":[true,false,31]');
});

test('all that is wrong is said at once', async () => {
  const missing = join(folder, 'missing.yaml');
  const broken = await write('broken.yaml', 'a: [');
  const other = await write('other.yaml', 'apiVersion: v1\nkind: ConfigMap\n');
  const old = await write('old.yaml', crd('alpha').replace('k8s.io/v1', 'k8s.io/v1alpha1'));
  const formless = await write('formless.yaml', crd('alpha').replace('scope: Namespaced', 'scope: 1'));
  const findings = await findingsOf([missing, broken, other, old, formless]);
  expect(findings.map(({ code, where }) => [code, where])).toEqual([
    ['io/not-found', { file: missing }],
    ['io/yaml-syntax', expect.objectContaining({ file: broken })],
    ['testenv/invalid-crd', { file: other }],
    ['crd/form', expect.objectContaining({ file: old })],
    ['crd/form', expect.objectContaining({ file: formless })],
  ]);
});
