import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  defineConversion,
  defineResource,
  type CustomResource,
  type OpSdkError,
  type SpokeConversion,
} from '../../../../src/index.ts';
import { expectRoundTrip, type RoundTripOptions } from '../../../../src/testing/index.ts';
import { loadFastCheck } from '../../../../src/testing/round-trip/load-fast-check.ts';
import { valueArbitrary } from '../../../../src/testing/round-trip/value-arbitrary.ts';
import { schemaErrors, listTypeErrors, type Schema } from '../../../../src/kubernetes/objects/index.ts';

interface AppV1 extends CustomResource<'example.com/v1', 'App'> {
  spec: { size: number; address?: string; ports: { name: string; port: number }[] };
}
interface AppV2 extends CustomResource<'example.com/v2', 'App'> {
  spec: {
    replicas: number;
    host?: string;
    debug?: boolean;
    ports: { name: string; port: number; protocol?: 'TCP' | 'UDP' }[];
  };
}
const names = { group: 'example.com', kind: 'App', plural: 'apps' } as const;
const AppV1 = defineResource<AppV1>({ ...names, version: 'v1' });
const AppV2 = defineResource<AppV2>({ ...names, version: 'v2' });

const size = { type: 'integer', format: 'int32', minimum: 0 };
const ports = (more: object) => ({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: {
    type: 'object',
    required: ['name', 'port'],
    properties: {
      name: { type: 'string', pattern: '^[a-z]{1,5}$' },
      port: { type: 'integer', minimum: 1, maximum: 65535 },
      ...more,
    },
  },
});
const crd = (v1: object = {}, v2: object = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'apps.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'App', plural: 'apps', singular: 'app', listKind: 'AppList' },
    versions: [
      {
        name: 'v1',
        required: ['size', 'ports'],
        properties: { size, address: { type: 'string' }, ports: ports({}), ...v1 },
      },
      {
        name: 'v2',
        required: ['replicas', 'ports'],
        properties: {
          replicas: size,
          host: { type: 'string' },
          debug: { type: 'boolean' },
          ports: ports({ protocol: { type: 'string', enum: ['TCP', 'UDP'] } }),
          ...v2,
        },
      },
    ].map(({ name, ...spec }) => ({
      name,
      served: true,
      storage: name === 'v2',
      schema: {
        openAPIV3Schema: {
          type: 'object',
          required: ['spec'],
          properties: { spec: { type: 'object', ...spec } },
        },
      },
    })),
  },
});
const functions: SpokeConversion<AppV2, AppV1> = {
  to: ({ spec }) => ({
    spec: {
      replicas: spec.size,
      host: spec.address,
      debug: undefined,
      ports: spec.ports.map((port) => ({ ...port, protocol: undefined })),
    },
  }),
  from: ({ spec }) => ({
    spec: {
      size: spec.replicas,
      address: spec.host,
      ports: spec.ports.map(({ name, port }) => ({ name, port })),
    },
  }),
};
const declare = (changes: Partial<SpokeConversion<AppV2, AppV1>> = {}) =>
  defineConversion(AppV2).spoke(AppV1, { ...functions, ...changes });
const failure = async (
  changes: Partial<SpokeConversion<AppV2, AppV1>>,
  options: RoundTripOptions = {},
): Promise<OpSdkError> => {
  try {
    await expectRoundTrip(declare(changes), { crds: [crd()], seed: 1, ...options });
  } catch (error) {
    return error as OpSdkError;
  }
  throw new Error('expected a failure');
};

describe('expectRoundTrip', () => {
  it('passes for a conversion that is right', async () => {
    await expectRoundTrip(declare(), { crds: [crd()], numRuns: 300 });
    await expectRoundTrip(declare({ lossy: ['.spec.debug', '.spec.ports[*].protocol'] }), { crds: [crd()] });
  });

  it('shows the smallest object that a function cannot convert, and the seed', async () => {
    const { code, summary: message } = await failure({
      from: (hub) => {
        if (hub.spec.debug === true) throw new Error('unexpected debug');
        return functions.from(hub);
      },
    });
    expect(code).toBe('testing/round-trip-failed');
    expect(message).toContain('App: to v1: from() of v1: unexpected debug');
    expect(JSON.parse(/v2: (\{.*\})/s.exec(message)![1]!)).toEqual({
      spec: { debug: true, ports: [], replicas: 0 },
    });
    expect(message).toMatch(/seed: 1, shrunk \d+ times/);
    expect((await failure({ from: () => ({}) as never })).summary).toBe(
      (await failure({ from: () => ({}) as never })).summary,
    );
  });

  it('finds objects that the schema of the other version refuses', async () => {
    const { message } = await failure({
      from: (hub) => ({ spec: { ...functions.from(hub).spec, size: -1 } }),
    });
    expect(message).toContain(
      'v2 → v1 → v2: the schema of v1 refuses the converted object: spec.size: Invalid value',
    );
  });

  it('finds defaults that turn reading and writing back into a change', async () => {
    const { message } = await failure(
      {},
      { crds: [crd({ address: { type: 'string', default: 'localhost' } })] },
    );
    expect(message).toContain('v2 → v1 → v2: the object is not what it was');
    expect(message).toContain('differs at: .spec.host');
  });

  it('finds fields that a version does not have', async () => {
    const { message } = await failure({
      to: (spoke) => ({ spec: { ...functions.to(spoke).spec, hots: 'a' } }),
      from: (hub) => ({ spec: { ...functions.from(hub).spec, sise: 1, size: Object.keys(hub.spec).length } }),
    });
    expect(message).toContain('App: ');
  });

  it('leaves out what `where` refuses, and says if that is everything', async () => {
    const from: (typeof functions)['from'] = (hub) => {
      if (hub.spec.debug === true) throw new Error('unexpected debug');
      return functions.from(hub);
    };
    const where = ({ spec }: { readonly spec?: unknown }) => (spec as AppV2['spec']).debug !== true;
    await expectRoundTrip(declare({ from }), { crds: [crd()], where });
    expect(await failure({}, { where: () => false })).toMatchObject({
      code: 'testing/no-valid-objects',
      message: expect.stringContaining(
        'example.com/v2 App: none of 1000 generated objects is valid; the last: where() returned false',
      ),
    });
  });

  it('names a version that has no schema', async () => {
    expect(await failure({}, { crds: [] })).toMatchObject({ code: 'testing/no-schema' });
    const other = crd();
    other.spec.versions.shift();
    expect(await failure({}, { crds: [other] })).toMatchObject({
      message: expect.stringContaining('the CustomResourceDefinition apps.example.com has no version v1'),
    });
  });

  it('says how to install fast-check where it is missing', async () => {
    const missing = () => Promise.reject(Object.assign(new Error('x'), { code: 'ERR_MODULE_NOT_FOUND' }));
    await expect(loadFastCheck(missing)).rejects.toMatchObject({
      code: 'testing/fast-check-missing',
      findings: [{ fix: ['npm install --save-dev fast-check'] }],
    });
  });
});

describe('generated values', () => {
  const schemas: readonly (readonly [string, object])[] = [
    ['integers', { type: 'integer', minimum: 3, maximum: 9, exclusiveMinimum: true, multipleOf: 2 }],
    ['int64', { type: 'integer', format: 'int64' }],
    ['numbers', { type: 'number', minimum: -0.5, maximum: 0.25 }],
    ['patterns', { type: 'string', pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', maxLength: 8 }],
    ['patterns of RE2', { type: 'string', pattern: '(?i)^a$', enum: ['a', 'A'] }],
    ['lengths', { type: 'string', minLength: 3, maxLength: 4 }],
    ...[
      'date-time',
      'date',
      'duration',
      'byte',
      'uuid',
      'ipv4',
      'ipv6',
      'cidr',
      'hostname',
      'email',
      'uri',
      'mac',
    ].map((format) => [`format ${format}`, { type: 'string', format }] as const),
    [
      'int-or-string',
      { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    ],
    ['nullable', { type: 'object', nullable: true, properties: { a: { type: 'string', nullable: true } } }],
    [
      'maps',
      { type: 'object', minProperties: 1, maxProperties: 2, additionalProperties: { type: 'boolean' } },
    ],
    [
      'unknown fields',
      {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        properties: { a: { type: 'string' } },
        required: ['a'],
      },
    ],
    [
      'sets',
      {
        type: 'array',
        minItems: 1,
        maxItems: 3,
        'x-kubernetes-list-type': 'set',
        items: { type: 'integer' },
      },
    ],
    ['list maps', { ...ports({}), minItems: 2 }],
    [
      'exactly one',
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string' } },
        oneOf: [{ required: ['a'] }, { required: ['b'] }],
      },
    ],
    [
      'any of',
      {
        type: 'object',
        properties: { a: { type: 'integer' } },
        anyOf: [
          { properties: { a: { minimum: 3 } }, required: ['a'] },
          { properties: { a: { maximum: -3 } } },
        ],
      },
    ],
    [
      'embedded',
      {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
    ],
    ['anything', { 'x-kubernetes-preserve-unknown-fields': true }],
  ];
  test.each(schemas)('of %s fit the schema, and survive JSON', (_title, schema) => {
    fc.assert(
      fc.property(valueArbitrary(fc, schema as Schema), (value) => {
        expect(schemaErrors(value, schema as Schema, '')).toEqual([]);
        expect(listTypeErrors(value, schema as Schema)).toEqual([]);
        expect(JSON.parse(JSON.stringify(value))).toEqual(value);
      }),
      { numRuns: 200 },
    );
  });
});
