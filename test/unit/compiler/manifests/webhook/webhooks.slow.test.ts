import { describe, expect, test } from 'vitest';
import { defineWebhook } from '../../../../../src/sdk/runtime/webhook/index.ts';
import { externalResource } from '../../../../../src/sdk/api/index.ts';
import { generateWebhooks, webhooksIn } from './webhook-project.ts';

const rulesOf = (webhooks: readonly Record<string, unknown>[]) =>
  webhooks.map(({ name, rules }) => [name, (rules as { operations: string[] }[])[0]?.operations.join()]);

describe('which functions a webhook has', () => {
  test.each([
    [
      'methods',
      '{ default(m) { m.spec.size = 1; }, validate: { create() {}, delete() {} } }',
      '',
      'CREATE,DELETE',
    ],
    [
      'functions',
      '{ default: (m) => {}, validate: { update: async () => [], create: function () {} } }',
      '',
      'CREATE,UPDATE',
    ],
    [
      'names',
      '{ default: fill, validate: { create } }',
      'function fill() {} const create = () => [];',
      'CREATE',
    ],
    [
      'a call that makes one',
      '{ default: make(), validate: { create: make() } }',
      'function make() { return () => undefined; }',
      'CREATE',
    ],
    [
      'a constant object',
      '{ default() {}, validate: checks }',
      'const checks = { create() {}, delete() {} } as const;',
      'CREATE,DELETE',
    ],
    [
      'spreads',
      '{ ...both, validate: { ...{ create() {} }, update() {} } }',
      'const both = { default() {} } as const;',
      'CREATE,UPDATE',
    ],
    ['what is undefined', '{ default() {}, validate: { create() {}, update: undefined } }', '', 'CREATE'],
  ])('%s', (_, options, rest, operations) => {
    const outcome = generateWebhooks(`export const w = defineWebhook(Memcached, ${options}); ${rest}`);
    expect(outcome.said).toEqual([]);
    expect(rulesOf(webhooksIn(outcome, 'Mutating'))).toEqual([
      ['mmemcached-v1.cache.example.com', 'CREATE,UPDATE'],
    ]);
    expect(rulesOf(webhooksIn(outcome, 'Validating'))).toEqual([
      ['vmemcached-v1.cache.example.com', operations],
    ]);
  });

  test.each([
    [
      'perhaps undefined',
      '{ default: Math.random() > 0.5 ? () => {} : undefined }',
      '',
      ['manifests/not-constant'],
    ],
    [
      'a call of any type',
      '{ default: make() }',
      'declare function make(): any;',
      ['manifests/not-constant'],
    ],
    ['a number', '{ default: 1 }', '', ['`default`: expected a function, got a number']],
    ['an accessor', '{ get default() { return () => {}; } }', '', ['manifests/not-constant']],
    [
      'in an object that may change',
      '{ validate: checks }',
      'const checks = { create() {} };',
      ['is not `as const`: its content may change'],
    ],
    ['in an unknown spread', '{ ...more() }', 'function more() { return {}; }', ['`more()` is a call']],
    ['none', '{}', '', ['defineWebhook has neither `default` nor `validate`']],
    ['none to validate', '{ validate: {} }', '', ['`validate` has no function']],
    [
      'none for the settings of a part',
      '{ validate: { create() {} }, defaulting: { timeoutSeconds: 1 } }',
      '',
      ['`defaulting` has no effect'],
    ],
  ])('%s: an error', (_, options, rest, messages) => {
    const { said } = generateWebhooks(`export const w = defineWebhook(Memcached, ${options}); ${rest}`);
    expect(said).toEqual(messages.map((each) => expect.stringContaining(each) as string));
  });
});

test('no webhook, no file', () => {
  const { generated } = generateWebhooks('');
  expect(generated?.files.map(({ path }) => path)).not.toContain('config/webhook/manifests.yaml');
});

test('what is common to both, and what is said of one alone', () => {
  const outcome = generateWebhooks(
    `export const w = defineWebhook(Memcached, { default() {}, validate: { create() {} }, failurePolicy: 'Ignore', timeoutSeconds: 7,
  defaulting: { reinvocationPolicy: 'IfNeeded', timeoutSeconds: 2, path: '/fill' }, validation: { sideEffects: 'NoneOnDryRun', matchPolicy: 'Exact' } });`,
  );
  expect(webhooksIn(outcome, 'Mutating')).toMatchObject([
    {
      failurePolicy: 'Ignore',
      timeoutSeconds: 2,
      reinvocationPolicy: 'IfNeeded',
      sideEffects: 'None',
      clientConfig: { service: { path: '/fill' } },
    },
  ]);
  expect(webhooksIn(outcome, 'Validating')).toMatchObject([
    { failurePolicy: 'Ignore', timeoutSeconds: 7, sideEffects: 'NoneOnDryRun', matchPolicy: 'Exact' },
  ]);
});

test('paths are those that the operator serves', () => {
  const outcome = generateWebhooks(
    `const options = { default() {}, validate: { create() {} } } as const; export const a = [defineWebhook(Pod, options), defineWebhook(Memcached, options)];`,
  );
  const paths = (['Mutating', 'Validating'] as const).flatMap((kind) =>
    webhooksIn(outcome, kind).map(
      ({ clientConfig }) => (clientConfig as { service: { path: string } }).service.path,
    ),
  );
  const served = (['cache.example.com Memcached', ' Pod'] as const).map((name) => {
    const [group = '', kind = ''] = name.split(' ');
    const token = externalResource({ group, version: 'v1', kind, plural: 'x', scope: 'Namespaced' });
    return defineWebhook(token, { default() {}, validate: { create: () => [] } });
  });
  expect(paths).toEqual([
    ...served.map(({ defaultingPath }) => defaultingPath),
    ...served.map(({ validationPath }) => validationPath),
  ]);
});

describe('the API server would refuse', () => {
  const refused = (options: string) =>
    generateWebhooks(
      `export const w = defineWebhook(Memcached, { validate: { create() {} },\n  ${options} });`,
    ).said;

  test.each([
    ['timeoutSeconds: 31', 'timeoutSeconds: expected a whole number from 1 to 30, got 31'],
    ['timeoutSeconds: 1.5', 'timeoutSeconds: expected a whole number from 1 to 30, got 1.5'],
    ["failurePolicy: 'Abort' as never", 'failurePolicy: expected Fail or Ignore, got "Abort"'],
    ["sideEffects: 'Some' as never", 'sideEffects: expected None or NoneOnDryRun, got "Some"'],
    ["matchPolicy: 'All' as never", 'matchPolicy: expected Equivalent or Exact, got "All"'],
    [
      "matchConditions: [{ name: 'a b', expression: 'true' }]",
      "the name 'a b' of a match condition is not valid: only letters",
    ],
    [
      "matchConditions: [{ name: 'a', expression: 'true' }, { name: 'a', expression: 'true' }]",
      "the name 'a' of a match condition is not valid: another one has it",
    ],
    [
      "matchConditions: [{ name: 'a', expression: '' }]",
      'the expression of a match condition is not valid CEL: it is empty',
    ],
    ["matchConditions: [{ name: 'a', expression: 'a = b' }]", 'unknown operator `=`'],
    ["objectSelector: { matchLabels: { 'a/b/c': 'd' } }", "objectSelector: the label 'a/b/c' is not valid"],
    ["objectSelector: { matchLabels: { a: 'b c' } }", "objectSelector: the value 'b c' is not valid"],
    [
      "namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] }",
      'namespaceSelector: the operator In needs values',
    ],
    [
      "namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] }",
      'namespaceSelector: the operator Exists takes no values',
    ],
    [
      "namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Has' }] }",
      "expected one of In, NotIn, Exists, DoesNotExist, got 'Has'",
    ],
    [
      "subresources: ['scale']",
      "the subresource 'scale' of a webhook of Memcached is not valid: requests for this subresource do not contain a Memcached",
    ],
    ["subresources: ['log']", "the subresource 'log'"],
    ["subresources: ['finalizers']", 'a custom resource has no such subresource'],
    ["subresources: ['status', 'status']", 'it is listed twice'],
    [
      "validation: { path: '/A' }",
      "the webhook's path '/A' is not valid: in its part \"A\", only lower-case",
    ],
    ["validation: { path: '//' }", "the webhook's path '//' is not valid: a part of it is empty"],
  ])('%s', (options, message) => {
    const said = refused(options);
    expect(said).toEqual([expect.stringContaining(message)]);
    expect(said[0]).toMatch(/^manifests\/invalid-webhook src\/webhooks\.ts:2:/);
  });

  test('65 conditions', () => {
    const all = Array.from({ length: 65 }, (_, index) => `{ name: 'c${index}', expression: 'true' }`).join();
    expect(refused(`matchConditions: [${all}]`)).toEqual([
      expect.stringContaining('matchConditions: expected at most 64, got 65'),
    ]);
  });

  test('everything at once', () => {
    const { said } = generateWebhooks(
      `export const w = defineWebhook(Memcached, { validate: { create() {} }, timeoutSeconds: 0, failurePolicy: later(), path: '/x', reinvocationPolicy: 'Never' });
function later(): 'Fail' { return 'Fail'; }`,
    );
    expect(said).toEqual([
      expect.stringContaining('timeoutSeconds: expected a whole number'),
      expect.stringContaining('`later()` is a call'),
      expect.stringContaining('defineWebhook has no property `path`'),
      expect.stringContaining('defineWebhook has no property `reinvocationPolicy`'),
    ]);
  });
});

describe('two webhooks', () => {
  test('of one version of a kind', () => {
    const { said } = generateWebhooks(
      `export const a = defineWebhook(Memcached, { default() {}, validate: { create() {} } });\nexport const b = defineWebhook(Memcached, { validate: { delete() {} } });`,
    );
    expect(said).toEqual([
      expect.stringMatching(
        /^manifests\/duplicate-webhook src\/webhooks\.ts:2:18 Memcached v1 has two webhooks with `validate`, the first at src\/webhooks\.ts:1:/,
      ),
    ]);
  });

  test('of one path', () => {
    const { said } = generateWebhooks(
      `export const a = defineWebhook(Memcached, { default() {}, defaulting: { path: '/a' } });\nexport const b = defineWebhook(Beta, { validate: { create() {} }, validation: { path: '/a' } });`,
    );
    expect(said).toEqual([
      expect.stringContaining(
        'manifests/duplicate-webhook src/webhooks.ts:2:87 two webhooks have the path /a',
      ),
    ]);
  });

  test('of two versions have names of their own', () => {
    const outcome = generateWebhooks(
      `export const a = [defineWebhook(Memcached, { default() {} }), defineWebhook(Beta, { default() {} })];`,
    );
    expect(webhooksIn(outcome, 'Mutating').map(({ name }) => name)).toEqual([
      'mmemcached-v1.cache.example.com',
      'mmemcached-v1beta1.cache.example.com',
    ]);
  });
});

test('a version that is not served: the API server would never ask', () => {
  const { said } = generateWebhooks(`export const w = defineWebhook(Old, { default() {} });`);
  expect(said).toEqual([expect.stringContaining('manifests/version-not-served')]);
});

test('a kind that cannot be known', () => {
  const { said } = generateWebhooks(
    `export const w = defineWebhook(pick(), { default() {} }); function pick() { return Memcached; }`,
  );
  expect(said).toEqual([expect.stringContaining('`pick()` is a call')]);
});

describe('kinds of Kubernetes', () => {
  const objectSelector = {
    matchExpressions: [{ key: 'control-plane', operator: 'NotIn', values: ['controller-manager'] }],
  };

  test('without the objects of the operator itself', () => {
    const outcome = generateWebhooks(
      `export const w = defineWebhook(Deployment, { validate: { create() {} } });`,
    );
    expect(outcome.said).toEqual([]);
    expect(webhooksIn(outcome, 'Validating')).toMatchObject([
      { name: 'vdeployment-v1.example.com', objectSelector },
    ]);
  });

  test.each([
    ['PrometheusRule', 'prometheusrules', { objectSelector }],
    ['Prometheus', 'prometheuses', {}],
  ])('%s, of which the project may have objects: %s', (kind, plural, selector) => {
    const resource = `{ group: 'monitoring.coreos.com', version: 'v1', kind: '${kind}', plural: '${plural}', scope: 'Namespaced' }`;
    const outcome = generateWebhooks(
      `import { externalResource } from 'opsdk'; const Other = externalResource(${resource}); export const w = defineWebhook(Other, { validate: { create() {} } });`,
    );
    expect(outcome.said).toEqual([]);
    const [webhook] = webhooksIn(outcome, 'Validating');
    expect(webhook?.['objectSelector']).toEqual(Object.values(selector)[0]);
  });

  test('names have three parts in a project whose domain has one', () => {
    const outcome = generateWebhooks(
      `export const w = [defineWebhook(Deployment, { validate: { create() {} } }), defineWebhook(Pod, { validate: { create() {} } })];`,
      {
        files: {
          PROJECT: 'domain: local\nlayout:\n- typescript.opsdk.dev/v1\nprojectName: sample\nversion: "3"\n',
        },
      },
    );
    expect(webhooksIn(outcome, 'Validating').map(({ name }) => name)).toEqual([
      'vdeployment-v1.apps.local',
      'vpod-v1.core.local',
    ]);
  });

  test.each([
    ['Lease', ''],
    ['Secret', ''],
    ['ServiceAccount', ''],
    ['Pod', ', objectSelector: {}'],
    ['Deployment', ", objectSelector: { matchLabels: { 'control-plane': 'controller-manager' } }"],
    ['Secret', ", namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'sample-system' } }"],
  ])('a webhook of %s%s may block its own operator', (kind, options) => {
    const { said, fixes } = generateWebhooks(
      `export const w = defineWebhook(${kind}, { validate: { create() {} }${options} });`,
    );
    expect(said).toEqual([
      expect.stringMatching(
        /^manifests\/webhook-blocks-operator src\/webhooks\.ts:1:\d+ while the operator does not answer/,
      ),
    ]);
    expect(fixes[0]).toContain("values: ['sample-system']");
  });

  test.each([
    ['Secret', ", failurePolicy: 'Ignore'"],
    [
      'Secret',
      ", namespaceSelector: { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['sample-system'] }] }",
    ],
    ['Secret', ", namespaceSelector: { matchLabels: { team: 'shop' } }"],
    [
      'Secret',
      ", matchConditions: [{ name: 'elsewhere', expression: 'request.namespace != \"sample-system\"' }]",
    ],
    ['Pod', ", objectSelector: { matchLabels: { team: 'shop' } }"],
    ['Memcached', ''],
  ])('a webhook of %s%s does not', (kind, options) => {
    const { said } = generateWebhooks(
      `export const w = defineWebhook(${kind}, { validate: { create() {} }${options} });`,
    );
    expect(said).toEqual([]);
  });

  test('the namespace is that of the kustomization', () => {
    const { fixes } = generateWebhooks(
      `export const w = defineWebhook(Secret, { validate: { create() {} } });`,
      {
        files: {
          'config/default/kustomization.yaml': 'namespace: elsewhere\nresources:\n- ../webhook\n',
          'config/webhook/kustomization.yaml': 'resources:\n- manifests.yaml\n',
        },
      },
    );
    expect(fixes[0]).toContain("values: ['elsewhere']");
  });
});
