// The JSON schemas of the package: what an editor refuses is what op-sdk refuses.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { describe, expect, test } from 'vitest';
import { isJsonMap, jsonMapOf } from '../../../../src/base/util/json-map.ts';
import { editorSchemas } from '../../../../src/cli/editor-schemas.ts';
import { changeCodes } from '../../../../src/kubernetes/crd/index.ts';
import { builtIn, configuration } from '../../olm/bundle/scorecard/site-bundle.ts';
import { caseDocuments } from './case-documents.ts';
import { mutantsOf, readers, valueOf } from './read-documents.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const names = Object.keys(editorSchemas());

/** The validator of ESLint, which reads draft-07: not one of ours, so that it judges as an editor does. */
const Ajv = createRequire(createRequire(import.meta.url).resolve('eslint'))('ajv') as new (
  options: object,
) => {
  compile(schema: object): (value: unknown) => boolean;
};
type Kind = keyof typeof readers;
const validators = Object.fromEntries(
  Object.entries(editorSchemas()).map(([name, schema]) => [
    name.split('.')[0],
    new Ajv({ strictKeywords: true }).compile(schema),
  ]),
) as Readonly<Record<Kind, (value: unknown) => boolean>>;

const project = {
  version: '3',
  domain: 'example.com',
  repo: 'example.com/cache',
  projectName: 'cache-operator',
  cliVersion: '0.1.0',
  layout: ['typescript.opsdk.dev/v1'],
  multigroup: true,
  namespaced: false,
  resources: [
    {
      group: 'cache',
      domain: 'example.com',
      version: 'v1alpha1',
      kind: 'Memcached',
      plural: 'memcacheds',
      path: 'src/api/cache/v1alpha1/memcached.ts',
      api: { crdVersion: 'v1', namespaced: true },
      controller: true,
      controllers: [{ name: 'memcached' }, { name: 'backup' }],
      core: false,
      external: false,
      webhooks: {
        webhookVersion: 'v1',
        defaulting: true,
        validation: true,
        conversion: true,
        spoke: ['v1alpha2'],
        defaultingPath: '/mutate-a',
        validationPath: '/validate-a',
      },
    },
  ],
  plugins: { 'typescript.opsdk.dev/v1': { templates: { Makefile: 'abc' } } },
};
const waiver = {
  code: 'enum-added',
  crd: 'sites.web.example.com',
  version: 'v1',
  path: '.spec.free',
  message: 'only "on", "off" are allowed now',
  reason: 'nobody uses other values',
  until: '2999-12-31',
};
const opsdk = {
  displayName: 'Sample',
  description: 'Runs samples',
  provider: { name: 'Example Inc.', url: 'https://example.com' },
  keywords: ['sample'],
  maintainers: [{ name: 'Ada', email: 'ada@example.com' }],
  replaces: 'sample.v0.0.1',
  skips: ['sample.v0.0.0'],
  skipRange: '>=1.0.0 <1.2.0',
  minKubeVersion: '1.32.0',
  crdDiff: { severity: { 'enum-value-added': 'breaking' }, waivers: 'crd-waivers.yaml' },
};
const storage = { spec: { mountPath: { path: '/output' } } };
const scorecard = {
  ...configuration({ ...builtIn('basic-check-spec'), uniqueID: 'a', storage }),
  serviceaccount: 'default',
  storage,
};
/** A document of each kind that has every field. */
const whole: Readonly<Record<Kind, object>> = {
  package: { name: 'sample', opsdk },
  'crd-cases': caseDocuments.whole,
  project,
  waivers: { waivers: [waiver] },
  scorecard,
};

const resource = (fields: object) => ({ ...project, resources: [{ ...project.resources[0], ...fields }] });
const webhooks = (fields: object) => resource({ webhooks: { ...project.resources[0]?.webhooks, ...fields } });
const waived = (fields: object) => ({ waivers: [{ ...waiver, ...fields }] });
const packaged = (fields: object) => ({ opsdk: { ...opsdk, ...fields } });
const tested = (fields: object) => configuration({ ...builtIn('basic-check-spec'), ...fields });
const short = { version: '3', domain: 'x.io', projectName: 'p', layout: 'typescript.opsdk.dev/v1' };

/** What both accept; text is a file as it is. */
const accepted: Readonly<Record<Kind, readonly unknown[]>> = {
  package: [
    ...[{}, { opsdk: {} }, { opsdk: null }, { name: 'x', version: 1 }],
    ...[packaged({ provider: null }), packaged({ provider: { other: 1 } }), packaged({ crdDiff: {} })],
    ...[packaged({ maintainers: [{ name: 'Ada', email: 'a@b.c', url: 'x' }] }), packaged({ skips: [] })],
    ...[packaged({ provider: { url: ' HTTP://example.com ' } }), packaged({ skipRange: '1.x || >= 2.0.0' })],
    ...[packaged({ minKubeVersion: '1.32.0-rc.1+b' }), packaged({ crdDiff: { waivers: '' } })],
  ],
  'crd-cases': caseDocuments.accepted,
  project: [
    ...[short, { ...short, layout: 'other.example.com/v1,typescript.opsdk.dev/v1' }],
    { ...short, resources: [{ group: 'a', version: 'v1', kind: 'Box' }] },
    { ...short, resources: [{ core: true, group: 'apps', version: 'v1', kind: 'Deployment' }] },
    { ...short, resources: [], plugins: {}, 'x-team': 'storage' },
    ...[{ ...short, repo: null, resources: null }, resource({ group: undefined, domain: undefined })],
    ...[resource({ mine: 1 }), webhooks({ spoke: [] }), webhooks({ mine: 1 }), resource({ webhooks: null })],
    ...[resource({ kind: 'A' }), resource({ version: 'v2beta3' }), resource({ controllers: [] })],
  ],
  waivers: [
    ...[
      { waivers: [] },
      waived({ version: undefined }),
      waived({ message: undefined }),
      waived({ message: '' }),
    ],
    ...[
      waived({ version: null }),
      waived({ until: '2999-12-31T00:00:00Z' }),
      waived({ until: '2999-01-01' }),
    ],
    'waivers:\n- {code: enum-added, crd: a, path: .spec, reason: x, until: 2999-12-31}\n',
    ...[waived({ reason: ' x ' }), { waivers: [waiver, waiver] }, waived({ path: '.' })],
    ...Object.keys(changeCodes).map((code) => waived({ code })),
  ],
  scorecard: [
    ...[tested({}), tested({ labels: {} }), tested({ entrypoint: [] }), tested({ storage: {} })],
    ...[
      tested({ labels: null }),
      tested({ uniqueID: null }),
      { ...scorecard, metadata: { labels: { a: 'b' } } },
    ],
    ...[{ stages: [{ tests: [{ image: 'a' }] }] }, { ...scorecard, apiVersion: null }],
    ...[
      { ...scorecard, serviceaccount: '' },
      { ...scorecard, storage: { spec: null } },
    ],
    { stages: [{}, { parallel: false, tests: [{ image: '' }] }] },
    ...[
      { ...scorecard, kind: undefined },
      { ...scorecard, storage: { spec: { mountPath: {} } } },
    ],
    configuration({
      image: 'example.com/my-tests:v1',
      entrypoint: ['my-tests', 'ready'],
      labels: { suite: 'mine' },
    }),
  ],
};

/** What both refuse. */
const refused: Readonly<Record<Kind, readonly unknown[]>> = {
  package: [
    ...[{ opsdk: [] }, { opsdk: 'x' }, packaged({ another: 1 }), packaged({ provider: 'x' })],
    ...[packaged({ keywords: [5] }), packaged({ keywords: ['a', null] }), packaged({ keywords: [] })],
    ...[packaged({ keywords: [' '] }), packaged({ maintainers: [null] }), packaged({ maintainers: 'Ada' })],
    ...[packaged({ maintainers: [] }), packaged({ maintainers: [{ email: 'ada@example.com' }] })],
    packaged({ maintainers: [{ name: 5, email: 'ada@example.com' }] }),
    packaged({ maintainers: [{ name: 'Ada', email: 'ada' }] }),
    ...[packaged({ displayName: 5 }), packaged({ displayName: ' ' }), packaged({ displayName: null })],
    ...[packaged({ provider: { url: 'example.com' } }), packaged({ provider: { name: '' } })],
    ...[packaged({ replaces: 'A' }), packaged({ skips: ['a..b'] }), packaged({ minKubeVersion: '1.32' })],
    ...[
      packaged({ skipRange: 'newer' }),
      packaged({ crdDiff: null }),
      packaged({ crdDiff: { waiver: 'x' } }),
    ],
    packaged({ crdDiff: { severity: { 'enum-vlaue-added': 'breaking' } } }),
    packaged({ crdDiff: { severity: { 'enum-added': 'braking' } } }),
  ],
  'crd-cases': caseDocuments.refused,
  project: [
    ...[
      [],
      ['a'],
      { ...short, version: 3 },
      { ...short, version: '2' },
      { version: '2', domain: 3, repo: 'x' },
    ],
    ...[
      { ...short, layout: ['typescript.opsdk.dev/v1', 5] },
      { ...short, layout: ['go.kubebuilder.io/v4'] },
    ],
    ...[
      { ...short, layout: [] },
      { ...short, layout: 'typescript.opsdk.dev/v12' },
      { ...short, domain: 'A_b' },
    ],
    ...[
      { ...short, projectName: 7 },
      { ...short, projectName: '1a' },
      { ...short, projectName: 'a'.repeat(29) },
    ],
    ...[
      { ...short, cliVersion: 1 },
      { ...short, multigroup: 'yes please' },
      { ...short, resources: 'none' },
    ],
    ...[
      { ...short, resources: ['just text'] },
      { ...short, domain: null },
      { ...short, domain: undefined },
    ],
    ...[resource({ api: { crdVersion: 'v1beta1' } }), resource({ api: {} }), resource({ version: '1alpha' })],
    ...[resource({ kind: 'memcached' }), resource({ kind: 'A-b' }), resource({ kind: undefined })],
    ...[resource({ controller: 1 }), resource({ controllers: [{ name: 'Box' }] }), resource({ group: '' })],
    ...[
      webhooks({ webhookVersion: 'v1beta1' }),
      webhooks({ validationPath: 'a b' }),
      webhooks({ spoke: ['two'] }),
    ],
    ...[webhooks({ webhookVersion: undefined }), webhooks({ defaultingPath: '/convert' })],
    ...[{ ...short, plugins: [] }, resource({ group: 'a'.repeat(254) }), resource({ plural: 'Boxes' })],
  ],
  waivers: [
    ...[[], {}, { waivers: {} }, { waivers: null }, { waivers: [null] }, { waivers: [waiver], other: 1 }],
    ...[waived({ reason: undefined }), waived({ reason: ' ' }), waived({ until: undefined })],
    ...[waived({ until: 'tomorrow' }), waived({ until: '2999-13-01' }), waived({ code: 'enum-adde' })],
    ...[
      waived({ crd: undefined }),
      waived({ path: undefined }),
      waived({ path: '' }),
      waived({ paths: '.spec' }),
    ],
    ...[waived({ version: 1 }), waived({ code: null }), waived({ reason: null }), waived({ message: 1 })],
  ],
  scorecard: [
    ...[
      [],
      'just text',
      tested({ lables: {} }),
      tested({ labels: { a: 1 } }),
      tested({ labels: { a: null } }),
    ],
    ...[tested({ image: undefined }), tested({ image: null }), tested({ entrypoint: 'scorecard-test' })],
    ...[tested({ entrypoint: [5] }), tested({ storage: { path: 'x' } }), tested({ uniqueID: 5 })],
    ...[
      { ...scorecard, kind: 'Config' },
      { ...scorecard, apiVersion: 'scorecard.operatorframework.io/v1alpha2' },
    ],
    ...[
      { ...scorecard, stages: {} },
      { ...scorecard, stages: [null] },
      { ...scorecard, metadata: 'config' },
    ],
    ...[{ ...scorecard, serviceaccount: 5 }, { stages: [{ parallel: 'yes', tests: [{ image: 'a' }] }] }],
  ],
};

/** What only op-sdk refuses, as JSON Schema cannot say it, or as it holds for the whole and not for a part. */
const refusedByReader: Readonly<Record<Kind, readonly unknown[]>> = {
  package: [
    ...[packaged({ description: 'provider name' }), packaged({ skipRange: '1' })],
    packaged({ provider: { url: 'https://' } }),
  ],
  'crd-cases': caseDocuments.refusedByReader,
  // Two entries of one kind and version.
  project: [{ ...project, resources: [project.resources[0], project.resources[0]] }],
  waivers: [waived({ until: '2999-02-30' })],
  // The base of a project lists no tests: patches add them.
  scorecard: [configuration(), { ...scorecard, stages: null }, {}],
};

/** Changes of parts that only op-sdk refuses, for the same reasons. */
const changesRefusedByReader: Readonly<Record<Kind, readonly string[]>> = {
  package: [],
  'crd-cases': caseDocuments.changesRefusedByReader,
  project: [],
  waivers: [],
  scorecard: [
    ...['stages = null', 'stages = []', 'without stages', 'stages.0 = {}', 'without stages.0'],
    ...['stages.0.tests = null', 'stages.0.tests = []', 'without stages.0.tests', 'without stages.0.tests.0'],
  ],
};

const textOf = (document: unknown): string =>
  typeof document === 'string' ? document : JSON.stringify(document);

describe.each(Object.keys(readers) as Kind[])('%s.schema.json', (kind) => {
  const verdicts = async (document: unknown) => {
    const text = textOf(document);
    return { editor: validators[kind](valueOf(text)), reader: await readers[kind](text) };
  };

  test('has at least 15 documents', () => {
    expect(accepted[kind].length + refused[kind].length).toBeGreaterThan(29);
  });

  test.each(accepted[kind])('accepts what is read: %j', async (document) => {
    expect(await verdicts(document)).toEqual({ editor: true, reader: true });
  });

  test.each(refused[kind])('refuses what is not read: %j', async (document) => {
    expect(await verdicts(document)).toEqual({ editor: false, reader: false });
  });

  test.each(refusedByReader[kind])('leaves to op-sdk: %j', async (document) => {
    expect(await verdicts(document)).toEqual({ editor: true, reader: false });
  });

  test('agrees about every changed part of a document with every field', async () => {
    expect(await verdicts(whole[kind])).toEqual({ editor: true, reader: true });
    const differing: string[] = [];
    for (const { title, value } of mutantsOf(whole[kind])) {
      const { editor, reader } = await verdicts(value);
      if (editor !== reader) differing.push(reader ? `${title} (only the schema refuses)` : title);
    }
    expect(differing).toEqual(changesRefusedByReader[kind]);
  });
});

test('the names of fields of a scorecard configuration are in their own case in an editor', async () => {
  const text = JSON.stringify({ Stages: [{ Tests: [{ Image: 'a' }] }] });
  expect(await readers.scorecard(text)).toBe(true);
  expect(validators.scorecard(valueOf(text))).toBe(false);
});

const golden = join(root, 'test/golden/projects');
test.each(readdirSync(golden))('PROJECT of test/golden/projects/%s is valid', async (name) => {
  const text = readFileSync(join(golden, name, 'PROJECT'), 'utf8');
  expect(validators.project(valueOf(text))).toBe(true);
  expect(await readers.project(text)).toBe(true);
});

test('the scorecard configuration that op-sdk writes is valid', () => {
  const text = readFileSync(
    join(root, 'test/golden/bundle/nginx-operator/expected/bundle/tests/scorecard/config.yaml'),
    'utf8',
  );
  expect(validators.scorecard(valueOf(text))).toBe(true);
});

describe('schemas/', () => {
  test('has the schemas of the sources, and no other: `npm run docs:errors` writes them', async () => {
    const style = await resolveConfig(join(root, 'package.json'));
    expect(readdirSync(join(root, 'schemas')).sort()).toEqual([...names].sort());
    for (const [name, schema] of Object.entries(editorSchemas())) {
      const text = await format(JSON.stringify(schema), { ...style, parser: 'json' });
      expect(readFileSync(join(root, 'schemas', name), 'utf8'), name).toBe(text);
    }
  });

  test('is in the package', () => {
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };
    expect(files).toContain('schemas');
  });

  test.each(names)('%s describes every property, and names no host', (name) => {
    const schema = editorSchemas()[name];
    expect(schema).toMatchObject({ title: expect.any(String) as string });
    expect(schema).not.toHaveProperty('$id');
    const bare: string[] = [];
    const walk = (part: unknown, path: string): void => {
      if (Array.isArray(part)) part.forEach((item: unknown) => walk(item, path));
      if (!isJsonMap(part)) return;
      for (const [key, property] of Object.entries(jsonMapOf(part['properties']))) {
        const text = jsonMapOf(property)['description'];
        if (typeof text !== 'string' || !/[.)`]$/.test(text)) bare.push(`${path}.${key}`);
      }
      for (const [key, inner] of Object.entries(part)) walk(inner, `${path}.${key}`);
    };
    walk(schema, '');
    expect(bare).toEqual([]);
  });
});
