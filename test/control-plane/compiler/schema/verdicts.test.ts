// What we say about schemas and values is what the API server says.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { JSONSchemaProps, JsonValue } from '../../../../src/compiler/schema/index.ts';
import { misfit } from '../../../../src/kubernetes/objects/index.ts';
import { apiRequest } from '../../../../src/testing/http/api-request.ts';
import { eventually } from '../../../../src/testing/index.ts';
import {
  sharedControlPlane,
  uniqueName,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../helpers/control-plane.ts';
import { notStructural, structural, useless } from '../../../unit/kubernetes/crd/structural-cases.ts';
import { isServerOlderThan } from '../../../helpers/server-version.ts';

let controlPlane: SharedControlPlane;
beforeAll(async () => {
  controlPlane = await sharedControlPlane();
});

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function crd(openAPIV3Schema: JSONSchemaProps) {
  const group = `${uniqueName()}.example.com`;
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema },
    subresources: { status: {} },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `samples.${group}` },
    spec: { group, scope: 'Namespaced', names: { kind: 'Sample', plural: 'samples' }, versions: [version] },
  };
}

const tryCrd = (schema: JSONSchemaProps) =>
  apiRequest(controlPlane, {
    method: 'POST',
    path: `${crds}?dryRun=All&fieldValidation=Strict`,
    body: crd(schema),
  });

const tryField = (value: JSONSchemaProps) => tryCrd({ type: 'object', properties: { value } });

const goldens = join(import.meta.dirname, '../../../golden/schema');
const generated = readdirSync(goldens)
  .filter((name) => existsSync(join(goldens, name, 'crd.yaml')))
  .flatMap((name) =>
    parseAllDocuments(readFileSync(join(goldens, name, 'crd.yaml'), 'utf8')).map(
      (document) => [name, document.toJS() as { readonly metadata: { readonly name: string } }] as const,
    ),
  );

test('there are generated CRDs', () => expect(generated.length).toBeGreaterThan(40));

test.each(generated)('the generated CRD of %s is accepted', async (_name, body) => {
  const path = `${crds}?dryRun=All&fieldValidation=Strict`;
  const { status, text } = await apiRequest(controlPlane, { method: 'POST', path, body });
  expect(status, text).toBe(201);
});

test.each([...structural, ...useless])('%j is accepted', async (schema) => {
  const { status, text } = await tryField(schema);
  expect(status, text).toBe(201);
});

test.each(notStructural.map(([schema]) => schema))('%j is refused', async (schema) => {
  expect((await tryField(schema)).status).toBeGreaterThanOrEqual(400);
});

const fields: Record<string, JSONSchemaProps> = {
  short: { type: 'string', minLength: 2, maxLength: 3 },
  pattern: { type: 'string', pattern: 'b$' },
  mode: { type: 'string', enum: ['a', 'b'] },
  int32: {
    type: 'integer',
    format: 'int32',
    minimum: 0,
    exclusiveMinimum: true,
    maximum: 10_000,
    multipleOf: 5,
  },
  wide: { type: 'integer', format: 'int32' },
  number: { type: 'number', maximum: 1.5 },
  flag: { type: 'boolean' },
  port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
  set: {
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    maxItems: 2,
    'x-kubernetes-list-type': 'set',
  },
  map: { type: 'object', additionalProperties: { type: 'boolean' }, minProperties: 1, maxProperties: 2 },
  part: {
    type: 'object',
    required: ['a', 'd'],
    properties: { a: { type: 'string' }, d: { type: 'string', default: 'x' } },
  },
  maybe: { type: 'string', nullable: true },
  any: { 'x-kubernetes-preserve-unknown-fields': true },
};

const values: [string, JsonValue][] = [
  ['short', 'ab'],
  ['short', 'a'],
  ['short', '😀😀😀'],
  ['short', '😀😀😀😀'],
  ['pattern', 'ab'],
  ['pattern', 'ba'],
  ['mode', 'b'],
  ['mode', 'c'],
  ['int32', 5],
  ['int32', 0],
  ['int32', 7],
  ['int32', 10_005],
  ['int32', 5.5],
  ['int32', '5'],
  ['wide', 2 ** 31 - 1],
  ['wide', 2 ** 31],
  ['number', 1.5],
  ['number', 1.6],
  ['flag', true],
  ['flag', 'true'],
  ['port', 80],
  ['port', '80%'],
  ['port', 1.5],
  ['port', true],
  ['set', ['a', 'b']],
  ['set', ['a', 'a']],
  ['set', []],
  ['set', ['a', 'b', 'c']],
  ['set', 'a'],
  ['map', { a: true }],
  ['map', { a: 1 }],
  ['map', {}],
  ['map', { a: true, b: true, c: true }],
  ['part', { a: 'x' }],
  ['part', {}],
  ['part', { a: 'x', b: 'y' }],
  ['part', []],
  ['maybe', null],
  ['any', { a: [1, 'x', null] }],
];

test('values fit where the API server takes them', async () => {
  const definition = crd({ type: 'object', properties: { spec: { type: 'object', properties: fields } } });
  const { group } = definition.spec;
  const made = await apiRequest(controlPlane, { method: 'POST', path: crds, body: definition });
  expect(made.status, made.text).toBe(201);
  const path = `/apis/${group}/v1/namespaces/${await uniqueNamespace(controlPlane, 'verdicts')}/samples`;
  await eventually(async () => (await apiRequest(controlPlane, { path })).status === 200, {
    timeout: 30_000,
  });

  for (const [name, value] of values) {
    const { status, text } = await apiRequest(controlPlane, {
      method: 'POST',
      path: `${path}?dryRun=All&fieldValidation=Strict`,
      body: {
        apiVersion: `${group}/v1`,
        kind: 'Sample',
        metadata: { generateName: 'x-' },
        spec: { [name]: value },
      },
    });
    // Kubernetes checks the range of int32 since 1.34.
    if (name === 'wide' && isServerOlderThan('1.34')) continue;
    const problem = misfit(fields[name] ?? {}, value);
    expect(
      status === 201,
      `${name}: ${JSON.stringify(value)}: ${problem ?? 'fits'}; the server: ${text}`,
    ).toBe(problem === undefined);
  }
});

test('null is refused beside an enumeration, even where it is nullable and among the values', async () => {
  const mode: JSONSchemaProps = { type: 'string', nullable: true, enum: ['a', null] };
  const definition = crd({ type: 'object', properties: { spec: { type: 'object', properties: { mode } } } });
  const { group } = definition.spec;
  const made = await apiRequest(controlPlane, { method: 'POST', path: crds, body: definition });
  expect(made.status, made.text).toBe(201);
  const path = `/apis/${group}/v1/namespaces/${await uniqueNamespace(controlPlane, 'verdicts')}/samples`;
  await eventually(async () => (await apiRequest(controlPlane, { path })).status === 200, {
    timeout: 30_000,
  });
  const create = (value: JsonValue) =>
    apiRequest(controlPlane, {
      method: 'POST',
      path: `${path}?dryRun=All`,
      body: {
        apiVersion: `${group}/v1`,
        kind: 'Sample',
        metadata: { generateName: 'x-' },
        spec: { mode: value },
      },
    });
  expect((await create('a')).status).toBe(201);
  expect((await create(null)).status).toBe(422);
});
