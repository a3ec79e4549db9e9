// What the schemas of unions and choices let through is what their TypeScript types mean.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JSONSchemaProps, JsonValue } from '../../../../src/compiler/schema/index.ts';
import { apiRequest } from '../../../../src/testing/http/api-request.ts';
import { eventually } from '../../../../src/testing/index.ts';
import {
  sharedControlPlane,
  uniqueName,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../helpers/control-plane.ts';

interface Definition {
  spec: { versions: { schema: { openAPIV3Schema: JSONSchemaProps } }[] };
}

/** The schema of a field of a golden case's spec. */
function fieldOf(name: string, field: string): JSONSchemaProps {
  const path = join(import.meta.dirname, '../../../golden/schema', name, 'crd.yaml');
  const [version] = (parse(readFileSync(path, 'utf8')) as Definition).spec.versions;
  const schema = version?.schema.openAPIV3Schema.properties?.['spec']?.properties?.[field];
  if (schema === undefined) throw new Error(`${name} has no field ${field}`);
  return schema;
}

const bucket = { name: 'b' };
const git = { url: 'u' };

/** Golden case, field, values that the type allows, values that it does not. */
const cases: [name: string, field: string, good: JsonValue[], bad: JsonValue[]][] = [
  [
    'union-structural',
    'target',
    [{ s3: bucket }, { gcs: bucket }, { gcs: bucket, project: 'p' }, { path: 'p' }],
    [{}, { project: 'p' }, { s3: {} }, { s3: bucket, gcs: bucket }, { s3: bucket, path: 'p' }],
  ],
  ['union-structural', 'mirror', [null, { s3: bucket }], [{}]],
  ['union-structural', 'all', [[], [{ s3: bucket }, { path: 'p' }]], [[{ s3: bucket }, {}]]],
  ['union-structural', 'byName', [{ a: { path: 'p' } }], [{ a: {} }]],
  ['union-never-fields', 'exclusive', [{ s3: bucket }, { gcs: bucket }], [{}, { s3: bucket, gcs: bucket }]],
  [
    'union-never-fields',
    'extra',
    [{ s3: bucket }, { gcs: bucket }, { gcs: bucket, keep: true }],
    [{ s3: bucket, keep: true }, { keep: true }],
  ],
  [
    'union-never-fields',
    'two',
    [{ a: 'x' }, { d: 'x' }, { d: 'x', b: 'x', c: 'x' }],
    [{ a: 'x', b: 'x' }, { a: 'x', c: 'x' }, { b: 'x' }],
  ],
  [
    'union-discriminated',
    'strategy',
    [
      { type: 'Recreate' },
      { type: 'Rolling', maxSurge: 1 },
      { type: 'Canary', steps: [1] },
      { type: 'BlueGreen', steps: [], maxSurge: 2 },
    ],
    [{}, { type: 'Rolling' }, { type: 'Canary', maxSurge: 1 }, { type: 'Other' }, { steps: [1] }],
  ],
  [
    'union-discriminated',
    'flag',
    [{ enabled: true, size: 1 }, { enabled: false }],
    [{ enabled: true }, {}, { size: 1 }],
  ],
  [
    'union-discriminated',
    'number',
    [{ version: 1, old: 'o' }, { version: 2, new: 'n' }, { version: 3 }],
    [{ version: 1, new: 'n' }, { version: 4 }, { old: 'o' }],
  ],
  ['union-supersets', 'sizes', [{ a: 'x' }, { a: 'x', b: 'x' }], [{}, { b: 'x' }]],
  [
    'union-supersets',
    'three',
    [{ a: 'x' }, { a: 'x', b: 'x' }, { a: 'x', b: 'x', c: 'x' }],
    [{}, { a: 'x', c: 'x' }],
  ],
  [
    'union-with-common-fields',
    'rules',
    [
      [
        { name: 'n', prefix: 'p' },
        { name: 'm', exact: 'e', ignoreCase: true, weight: 1 },
      ],
    ],
    [[{ name: 'n' }], [{ prefix: 'p' }], [{ name: 'n', prefix: 'p', exact: 'e' }]],
  ],
  ['union-built-in-types', 'action', [{ command: ['c'] }, {}, { url: 'u' }], []],
  [
    'type-exactly-one-of',
    'source',
    [
      { name: 'n', git },
      { name: 'n', oci: { image: 'i' } },
    ],
    [{ name: 'n' }, { git }, { name: 'n', git, http: git }],
  ],
  [
    'type-exactly-one-of',
    'inline',
    [{ namespace: 'n' }, { 'a-b': 'x' }, { 'c.d/e': 'x' }, { a__b: 'x' }],
    [{}, { namespace: 'n', 'a-b': 'x' }],
  ],
  [
    'type-at-most-one-of',
    'budget',
    [{ name: 'n' }, { name: 'n', minAvailable: 1 }],
    [{ name: 'n', minAvailable: 1, maxUnavailable: 1 }],
  ],
  [
    'type-at-least-one-of',
    'contact',
    [{ email: 'e' }, { phone: 'p' }, { email: 'e', phone: 'p' }],
    [{}, { name: 'n' }],
  ],
  [
    'type-one-of-nested',
    'both',
    [
      { a: 'x', c: 'x' },
      { b: 'x', c: 'x', d: 'x' },
    ],
    [{ a: 'x' }, { c: 'x' }, { a: 'x', b: 'x', c: 'x' }],
  ],
];

const keyOf = (name: string, field: string): string => `${name}-${field}`;

let controlPlane: SharedControlPlane;
let path: string;
let group: string;

beforeAll(async () => {
  controlPlane = await sharedControlPlane();
  group = `${uniqueName()}.example.com`;
  const properties = Object.fromEntries(
    cases.map(([name, field]) => [keyOf(name, field), fieldOf(name, field)]),
  );
  properties['nullable'] = { type: 'string', nullable: true, anyOf: [{ enum: ['a', 'b'] }] };
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties } } };
  const made = await apiRequest(controlPlane, {
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?fieldValidation=Strict',
    body: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `samples.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { kind: 'Sample', plural: 'samples' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      },
    },
  });
  expect(made.status, made.text).toBe(201);
  const namespace = await uniqueNamespace(controlPlane, 'unions');
  path = `/apis/${group}/v1/namespaces/${namespace}/samples`;
  await eventually(async () => (await apiRequest(controlPlane, { path })).status === 200, {
    timeout: 30_000,
  });
});

async function verdict(key: string, value: JsonValue): Promise<string> {
  const { status, text } = await apiRequest(controlPlane, {
    method: 'POST',
    path: `${path}?dryRun=All&fieldValidation=Strict`,
    body: {
      apiVersion: `${group}/v1`,
      kind: 'Sample',
      metadata: { name: 'sample' },
      spec: { [key]: value },
    },
  });
  if (status === 201) return 'accepted';
  return status === 422 ? 'refused' : `${status} ${text}`;
}

test.each(cases)('%s: %s', async (name, field, good, bad) => {
  const key = keyOf(name, field);
  for (const value of good) expect(await verdict(key, value), JSON.stringify(value)).toBe('accepted');
  for (const value of bad) expect(await verdict(key, value), JSON.stringify(value)).toBe('refused');
});

// What the error about null beside an enumeration advises.
test('values may stand beside null inside of anyOf', async () => {
  for (const value of ['a', null]) expect(await verdict('nullable', value), String(value)).toBe('accepted');
  expect(await verdict('nullable', 'c')).toBe('refused');
});
