import { describe, expect, test } from 'vitest';
import { checkObject, type CheckedSchema } from '../../../../src/compiler/build/check-object.ts';
import { resolveBuiltIn } from '../../../../src/compiler/build/manifest-schema.ts';

const deployment: CheckedSchema = { $ref: 'io.k8s.api.apps.v1.Deployment' };

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
  checkObject(value, schema, resolveBuiltIn).map(({ code, message }) => `${code} ${message}`);

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
    const [mismatch] = checkObject(
      withPod({ ...podSpec, restartPolicy: 'always' }),
      deployment,
      resolveBuiltIn,
    );
    expect(mismatch).toMatchObject({ certain: false, fix: 'did you mean Always?' });
  });

  test('what YAML would need is said', () => {
    const [mismatch] = checkObject(
      withPod({ containers: [{ name: 'a', env: [{ name: 'X', value: 1 }] }] }),
      deployment,
      resolveBuiltIn,
    );
    expect(mismatch?.fix).toBe("put it in quotes: '1'");
  });
});

test('keywords of CRD schemas', () => {
  const schema: CheckedSchema = {
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
