import { describe, expect, test } from 'vitest';
import { ServedSchemas, typeFault } from '../../../../../src/sdk/runtime/webhook/admission/served-schemas.ts';
import type { ApiResponse } from '../../../../../src/sdk/kube/index.ts';
import { memoryLog } from '../memory-log.ts';
import { Memcached } from './kinds.ts';

const port = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, target: { 'x-kubernetes-int-or-string': true } },
};
const schema = {
  type: 'object',
  'x-kubernetes-group-version-kind': [{ group: 'cache.example.com', version: 'v1alpha1', kind: 'Memcached' }],
  properties: {
    metadata: { allOf: [{ $ref: '#/components/schemas/ObjectMeta' }] },
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', maximum: 5 },
        ratio: { type: 'number' },
        on: { type: 'boolean' },
        maybe: { type: 'string', nullable: true },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        ports: { type: 'array', items: port },
        free: { 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
};
const meta = { type: 'object', properties: { name: { type: 'string' } } };
const resolve = (reference: string) => (reference.endsWith('ObjectMeta') ? meta : undefined);

describe('the types of an object', () => {
  test.each([
    [{ spec: { size: '3' } }, '.spec.size'],
    [{ spec: { size: 1.5 } }, '.spec.size'],
    [{ spec: { ratio: true } }, '.spec.ratio'],
    [{ spec: { on: 'yes' } }, '.spec.on'],
    [{ spec: 'none' }, '.spec'],
    [{ spec: [] }, '.spec'],
    [{ spec: { labels: { a: 1 } } }, '.spec.labels.a'],
    [{ spec: { ports: {} } }, '.spec.ports'],
    [{ spec: { ports: [{}, 'http'] } }, '.spec.ports[1]'],
    [{ spec: { ports: [{ target: 1.5 }] } }, '.spec.ports[0].target'],
    [{ spec: { ports: [null] } }, '.spec.ports[0]'],
    [{ metadata: { name: 7 } }, '.metadata.name'],
  ])('are wrong in %j', (object, path) => {
    expect(typeFault(schema, object, resolve)).toBe(path);
  });

  test.each([
    [{}],
    [{ spec: {} }],
    [{ spec: { size: 99, ratio: 1.5, on: false, maybe: null, unknown: { a: 1 }, free: [1, 'a'] } }],
    [
      {
        spec: { ports: [{ target: 80 }, { target: 'http' }], labels: { __proto__: null, constructor: 'a' } },
      },
    ],
    [{ spec: { size: null } }],
  ])('are right in %j: what is missing, unknown or beyond its limits has no wrong type', (object) => {
    expect(typeFault(schema, object, resolve)).toBeUndefined();
  });
});

describe('served schemas', () => {
  const wrong = { spec: { size: 'x' } };

  function served(answer: () => unknown) {
    let now = 0;
    const paths: string[] = [];
    const { log, lines } = memoryLog();
    const schemas = new ServedSchemas(
      {
        request: ({ path }) => {
          paths.push(path);
          return Promise.resolve().then(() => ({ json: answer }) as unknown as ApiResponse);
        },
      },
      log,
      { now: () => now },
    );
    return { schemas, paths, lines, wait: (milliseconds: number) => (now += milliseconds) };
  }
  const document = () => ({ components: { schemas: { Memcached: schema, ObjectMeta: meta } } });

  test('are asked for when one is needed, and at most once a minute', async () => {
    const { schemas, paths, wait } = served(document);
    const found = await Promise.all([1, 2].map(() => schemas.typeFault(Memcached, wrong)));
    expect(found).toEqual(['.spec.size', '.spec.size']);
    wait(59_000);
    expect(await schemas.typeFault(Memcached, { spec: { size: 1 } })).toBeUndefined();
    expect(paths).toEqual(['/openapi/v3/apis/cache.example.com/v1alpha1']);
    wait(1000);
    await schemas.typeFault(Memcached, wrong);
    expect(paths).toHaveLength(2);
  });

  test.each([
    [
      'cannot be read',
      () => {
        throw new Error('503');
      },
    ],
    ['do not have the kind', () => ({ components: { schemas: { ObjectMeta: meta } } })],
    ['are something else', () => [null]],
  ])('that %s say nothing', async (_name, answer) => {
    const { schemas } = served(answer);
    expect(await schemas.typeFault(Memcached, wrong)).toBeUndefined();
  });
});
