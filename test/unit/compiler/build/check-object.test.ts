import { describe, expect, test } from 'vitest';
import { checkObject } from '../../../../src/compiler/build/check-object.ts';
import type { JsonValue, Schema } from '../../../../src/kubernetes/objects/index.ts';
import { expandedSchema } from '../../../../src/kubernetes/tables/index.ts';

const deployment = expandedSchema('io.k8s.api.apps.v1.Deployment');

const podSpec = { containers: [{ name: 'web', image: 'nginx' }] };

function withPod(spec: object): object {
  const template = { metadata: { labels: { app: 'web' } }, spec };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: { app: 'web' } }, template },
  };
}

const problems = (value: unknown, schema = deployment): string[] =>
  checkObject(value, schema).map(({ code, message }) => `${code} ${message}`);

describe('a Deployment', () => {
  test.each([
    ['plain', podSpec],
    [
      'amounts as text and numbers',
      {
        containers: [
          {
            name: 'a',
            resources: { limits: { cpu: 0.5, memory: '64Mi' }, requests: { cpu: 1, memory: '1e3' } },
          },
        ],
      },
    ],
    [
      'ports by number and name',
      {
        containers: [
          {
            name: 'a',
            ports: [{ containerPort: 80 }],
            livenessProbe: { httpGet: { port: 'http' } },
            readinessProbe: { tcpSocket: { port: 80 } },
          },
        ],
      },
    ],
    ['empty objects', { containers: [], volumes: [{ name: 'v', emptyDir: {} }], nodeSelector: {} }],
  ])('%s', (_name, spec) => {
    expect(problems(withPod(spec))).toEqual([]);
  });

  const pod = '.spec.template.spec';
  test.each([
    ['unknown field', { ...podSpec, container: [] }, [`build/unknown-field unknown field ${pod}.container`]],
    [
      'unknown field in a list',
      { containers: [{ name: 'a', imagePullpolicy: 'Always' }] },
      [`build/unknown-field unknown field ${pod}.containers[0].imagePullpolicy`],
    ],
    [
      'text for an integer',
      { containers: [{ name: 'a', ports: [{ containerPort: '80' }] }] },
      [`build/wrong-type ${pod}.containers[0].ports[0].containerPort is the string "80", not an integer`],
    ],
    [
      'a fraction for an integer',
      { ...podSpec, terminationGracePeriodSeconds: 1.5 },
      [`build/wrong-type ${pod}.terminationGracePeriodSeconds is the number 1.5, not an integer`],
    ],
    [
      'a boolean for text',
      { containers: [{ name: 'a', env: [{ name: 'X', value: true }] }] },
      [`build/wrong-type ${pod}.containers[0].env[0].value is the boolean true, not a string`],
    ],
    [
      'an object for a list',
      { containers: { name: 'a' } },
      [`build/wrong-type ${pod}.containers is an object, not a list`],
    ],
    [
      'nothing for an object',
      { ...podSpec, volumes: [{ name: 'v', emptyDir: null }] },
      [`build/wrong-type ${pod}.volumes[0].emptyDir is null, not an object`],
    ],
    [
      'a missing field',
      { containers: [{ image: 'a' }] },
      [`build/missing-field ${pod}.containers[0].name is required`],
    ],
    [
      'an amount that is none',
      { containers: [{ name: 'a', resources: { limits: { cpu: 'lots' } } }] },
      [`build/invalid-value ${pod}.containers[0].resources.limits.cpu is "lots", which does not match`],
    ],
    [
      'an integer beyond 32 bits',
      { containers: [{ name: 'a', ports: [{ containerPort: 2 ** 31 }] }] },
      [
        `build/invalid-value ${pod}.containers[0].ports[0].containerPort is 2147483648, greater than 2147483647`,
      ],
    ],
    [
      'a value the server does not know',
      { ...podSpec, restartPolicy: 'always' },
      [`build/invalid-value ${pod}.restartPolicy is "always", not one of`],
    ],
    [
      'names that every object has',
      { ...podSpec, constructor: 1 },
      [`build/unknown-field unknown field ${pod}.constructor`],
    ],
  ])('%s', (_name, spec, expected) => {
    const found = problems(withPod(spec));
    expect(found).toHaveLength(expected.length);
    for (const [index, start] of expected.entries()) expect(found[index]).toContain(start);
  });

  test('all at once', () => {
    expect(
      problems({
        metadata: { label: {} },
        spec: { replicas: 'x', template: { spec: { containers: [{}] } } },
      }),
    ).toHaveLength(4);
  });

  test('values that only this version of Kubernetes refuses are not certain', () => {
    const [mismatch] = checkObject(withPod({ ...podSpec, restartPolicy: 'always' }), deployment);
    expect(mismatch).toMatchObject({ certain: false, fix: 'did you mean Always?' });
  });

  test('what YAML would need is said', () => {
    const [mismatch] = checkObject(
      withPod({ containers: [{ name: 'a', env: [{ name: 'X', value: 1 }] }] }),
      deployment,
    );
    expect(mismatch?.fix).toBe("put it in quotes: '1'");
  });
});

test('keywords of CRD schemas', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      nullable: { type: 'string', nullable: true },
      size: { type: 'integer', minimum: 1, maximum: 5, default: 1 },
      mode: { type: 'string', enum: ['a', 'b'] },
      port: { 'x-kubernetes-int-or-string': true },
    },
    required: ['size', 'mode'],
  };
  expect(problems({ open: { x: 1 }, nullable: null, mode: 'a', port: 1 }, schema)).toEqual([]);
  expect(problems({ size: 6, mode: 'c', port: 1.5, nullable: 1 }, schema)).toHaveLength(4);
});

test.each([
  ['(?i)^on$', 'ON', 0],
  ['^(?P<name>[a-z]+)$', 'web', 0],
  ['(?i)^on$', 'off', 1],
  // Takes a backtracking matcher longer than anyone waits.
  ['^(a+)+$', `${'a'.repeat(60)}!`, 1],
  // The API server refuses the definition.
  ['(?=a)', 'b', 0],
])('pattern %s is matched as the API server does: %s', (pattern, value, count) => {
  expect(problems(value, { type: 'string', pattern })).toHaveLength(count);
});

test.each<[Schema, JsonValue, string]>([
  [{ type: 'string', minLength: 2 }, 'a', 'is "a", shorter than 2 characters'],
  [{ type: 'string', maxLength: 2 }, 'abc', 'is "abc", longer than 2 characters'],
  [{ type: 'string', format: 'ipv4' }, '1.2.3', 'is "1.2.3", which is not of the format ipv4'],
  [{ type: 'integer', multipleOf: 5 }, 7, 'is 7, not a multiple of 5'],
  [{ type: 'integer', minimum: 1, exclusiveMinimum: true }, 1, 'is 1, not greater than 1'],
  [{ type: 'number', format: 'float' }, 1e39, 'is 1e+39, out of the range of number with format float'],
  [{ type: 'array', items: {}, minItems: 1 }, [], 'has fewer than 1 items'],
  [{ type: 'array', items: {}, maxItems: 1 }, [1, 2], 'has more than 1 items'],
  [{ type: 'array', items: {}, 'x-kubernetes-list-type': 'set' }, ['a', 'a'], 'has "a" twice'],
  [{ type: 'object', additionalProperties: {}, minProperties: 1 }, {}, 'has fewer than 1 fields'],
  [{ type: 'object', additionalProperties: {}, maxProperties: 1 }, { a: 1, b: 2 }, 'has more than 1 fields'],
  [{ type: 'string', not: { enum: ['a'] } }, 'a', 'is not valid: "x" must not validate the schema (not)'],
  [
    { type: 'object', 'x-kubernetes-embedded-resource': true },
    { kind: 'Pod' },
    'an embedded resource needs apiVersion',
  ],
])('%j does not take %j', (schema, x, message) => {
  expect(problems({ x }, { type: 'object', properties: { x: schema } })).toEqual([
    expect.stringMatching(/^build\/invalid-value \.x /),
  ]);
  expect(problems({ x }, { type: 'object', properties: { x: schema } })[0]).toContain(message);
});

test.each<[Schema, JsonValue]>([
  [{ 'x-kubernetes-int-or-string': true, pattern: '^a' }, 80],
  [{ type: 'string', nullable: true, enum: ['a'] }, 'a'],
  [{ type: 'string', enum: [] }, 'b'],
  [{ type: 'array', items: { 'x-kubernetes-preserve-unknown-fields': true } }, [null]],
])('%j takes %j, as the API server does', (schema, x) => {
  expect(problems({ x }, { type: 'object', properties: { x: schema } })).toEqual([]);
});
