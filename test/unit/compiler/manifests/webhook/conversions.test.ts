import { describe, expect, test } from 'vitest';
import { conversion, generateWebhooks, versionsSource } from './webhook-project.ts';

const functions = '{ to: () => ({ spec: { size: 1 } }), from: () => ({ spec: {} }) }';
const crd = 'config/crd/bases/cache.example.com_memcacheds.yaml';
const expected = {
  strategy: 'Webhook',
  webhook: {
    clientConfig: { service: { name: 'webhook-service', namespace: 'system', path: '/convert' } },
    conversionReviewVersions: ['v1'],
  },
};

const specOf = ({ generated }: ReturnType<typeof generateWebhooks>) =>
  generated?.files.find(({ path }) => path === crd)?.document['spec'] as { conversion?: unknown } | undefined;

test('a conversion becomes spec.conversion of its kind, and nothing is to be said of a CA or of lost fields', () => {
  const outcome = generateWebhooks(conversion);
  expect(outcome.said).toEqual([]);
  expect(specOf(outcome)?.conversion).toEqual(expected);
});

test('without one the versions that differ are a warning that names it', () => {
  const outcome = generateWebhooks('');
  expect(outcome.said).toEqual([expect.stringContaining('manifests/no-conversion')]);
  expect(outcome.fixes[0]).toContain('defineConversion(Hub).spoke(Spoke, { to, from })');
  expect(specOf(outcome)?.conversion).toBeUndefined();
});

test('a conversion is read though only CRDs of one folder are generated', () => {
  const options = { only: 'crd', apisDir: 'src/api', outputDir: 'out' } as const;
  const files = {
    'src/api/memcached.ts': versionsSource,
    'src/api.ts': "export * from './api/memcached.ts';\n",
  };
  const { generated, said } = generateWebhooks(conversion, { files, ...options });
  expect(said).toEqual([]);
  expect(
    generated?.files.map(({ document }) => (document['spec'] as { conversion: unknown }).conversion),
  ).toEqual([expected]);
});

describe('what does not fit', () => {
  test.each([
    [
      'a hub that is not stored',
      `export const c = defineConversion(Beta).spoke(Memcached, ${functions});`,
      [
        /^manifests\/conversion-hub src\/webhooks\.ts:1:\d+ the hub of Memcached: expected the storage version v1 \(src\/api\.ts:7:\d+\), got v1beta1$/,
      ],
    ],
    [
      'a served version without a spoke',
      `export const c = defineConversion(Memcached);`,
      [
        /^manifests\/conversion-versions src\/webhooks\.ts:1:\d+ the version v1beta1 of Memcached is served \(src\/api\.ts:5:\d+\), but is neither the hub nor a spoke of the conversion/,
      ],
    ],
    [
      'a spoke of another kind',
      `${conversion.slice(0, -1)}\n  .spoke(Pod, ${functions});`,
      [
        /^manifests\/conversion-versions src\/webhooks\.ts:2:10 expected a version of Memcached, got \/v1, Kind=Pod/,
      ],
    ],
    [
      'a spoke twice',
      `${conversion.slice(0, -1)}\n  .spoke(Beta, ${functions});`,
      [
        /^manifests\/conversion-versions src\/webhooks\.ts:2:10 v1beta1 of Memcached is declared as a spoke twice, the first time at src\/webhooks\.ts:1:/,
      ],
    ],
    [
      'the hub as a spoke',
      `${conversion.slice(0, -1)}\n  .spoke(Memcached, ${functions});`,
      [/^manifests\/conversion-versions src\/webhooks\.ts:2:10 v1 is the hub of Memcached itself/],
    ],
    [
      'two conversions',
      `${conversion}\nexport const other = defineConversion(Memcached).spoke(Beta, ${functions});`,
      [
        /^manifests\/duplicate-conversion src\/webhooks\.ts:2:22 Memcached has two conversions, the first at src\/webhooks\.ts:1:/,
      ],
    ],
    [
      'a kind of others',
      `export const c = defineConversion(Pod as never);`,
      [
        /^manifests\/conversion-versions src\/webhooks\.ts:1:\d+ \/v1, Kind=Pod is not a kind that this project declares/,
      ],
    ],
    [
      'a version that cannot be known',
      `export const c = defineConversion(Memcached).spoke(pick(), ${functions}); function pick() { return Beta; }`,
      [/^manifests\/not-constant src\/webhooks\.ts:1:\d+ `pick\(\)` is a call/],
    ],
    [
      'spokes that are added elsewhere',
      `const hub = defineConversion(Memcached);\nexport const c = hub.spoke(Beta, ${functions});`,
      [
        /^manifests\/conversion-versions/,
        /^manifests\/indirect-declaration src\/webhooks\.ts:2:22 `spoke` is not called in the chain/,
      ],
    ],
  ])('%s', (_, code, messages) => {
    expect(generateWebhooks(code).said).toEqual(
      messages.map((each) => expect.stringMatching(each) as string),
    );
  });

  test('a conversion by hand beside it, with both places', () => {
    const byHand = versionsSource.replace(
      'storage: true }',
      "storage: true, conversion: { strategy: 'None' } }",
    );
    expect(generateWebhooks(conversion, { files: { 'src/api.ts': byHand } }).said).toEqual([
      expect.stringMatching(
        /^manifests\/said-twice src\/api\.ts:7:\d+ the conversion of Memcached is set in defineResource and by defineConversion \(src\/webhooks\.ts:1:/,
      ),
    ]);
  });

  test('the fix of a hub that is not stored names the command that moves the storage version', () => {
    const { fixes } = generateWebhooks(
      `export const c = defineConversion(Beta).spoke(Memcached, ${functions});`,
    );
    expect(fixes[0]).toBe(
      'move the storage version: op-sdk create api --group cache --version v1beta1 --kind Memcached --storage --force',
    );
  });
});

test('nothing is said of conversions beside a kind that cannot be read', () => {
  const broken = versionsSource.replace("version: 'v1beta1'", 'version: name()');
  const { said } = generateWebhooks(conversion, {
    files: { 'src/api.ts': `${broken} function name() { return 'v1beta1'; }` },
  });
  expect(said.filter((each) => each.includes('conversion-'))).toEqual([]);
});
