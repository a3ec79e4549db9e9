// Code that readers copy is code that is compiled: what the pages show of the examples is what these hold, and the rest of the guide compiles.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { explanations } from '../../../src/cli/explanations/explanations.ts';
import { compileSnippets } from '../../helpers/compile-snippets.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const example = 'examples/memcached-operator';
const sources = readdirSync(join(root, example), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => read(`${example}/${path}`));
const blocksOf = (markdown: string, mark?: string): readonly string[] =>
  [...markdown.matchAll(/^```ts(?: (\w+))?\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === mark)
    .map(([, , code = '']) => code);
const titleOf = (code: string): string => code.slice(0, code.indexOf('\n'));

/** What the pieces of the guide use without declaring it. */
const declarations = {
  site: 'declare const site: Stored<Site>;',
  deployment: 'declare const deployment: Stored<Deployment>;',
  client: 'declare const client: ControllerClient;',
  events: 'declare const events: EventRecorder;',
  log: 'declare const log: Logger;',
  key: 'declare const key: ObjectKey;',
  manager: 'declare const manager: Manager;',
  error: 'declare const error: unknown;',
  reconcile: 'declare function reconcile(site: Stored<Site>, context: ReconcileContext): Promise<void>;',
  existsSync: "import { existsSync } from 'node:fs';",
  certificateChanges:
    'declare function certificateChanges(signal: AbortSignal): AsyncIterable<{ namespace: string; site: string }>;',
  isReachable: 'declare function isReachable(): Promise<boolean>;',
  addToLoadBalancer: 'declare function addToLoadBalancer(host: string, signal: AbortSignal): Promise<void>;',
  removeFromLoadBalancer:
    'declare function removeFromLoadBalancer(host: string, signal: AbortSignal): Promise<boolean>;',
};
/** What a controller is made with; the guide names each. */
const functions = [
  ...['allOf', 'annotationsChanged', 'anyOf', 'cached', 'conditionsOf', 'createManager', 'defaultPredicate'],
  ...['defineController', 'defineIndex', 'durationMs', 'every', 'from', 'generationChanged', 'isConflict'],
  ...[
    'isNotFound',
    'labelsChanged',
    'matchesLabels',
    'metadataOnly',
    'mutableCopy',
    'not',
    'owned',
    'ownedBy',
  ],
  ...['requeueAfter', 'resourceVersionChanged', 'setControllerReference', 'terminalError', 'watch'],
];

const isShownBy = (code: string): boolean =>
  sources.filter((source) => `\n${source}`.includes(`\n${code}`)).length === 1;

describe.each(['README.md', 'docs/tour.md'])('%s', (path) => {
  const blocks = blocksOf(read(path));

  test('has code', () => expect(blocks.length).toBeGreaterThan(0));

  test.each(blocks)('shows lines of the example: %s', (code) => expect(isShownBy(code), code).toBe(true));
});

describe('docs/controllers.md', () => {
  const guide = read('docs/controllers.md');
  // The first block declares the kind that the others are about.
  const [site = '', ...blocks] = blocksOf(guide);
  const named = Object.fromEntries(blocks.map((code, index) => [`${index} ${titleOf(code)}`, code]));
  const siteModule = `import { defineResource, type Condition, type CustomResource, type Int32, type ListMap } from 'opsdk';\n${site}`;
  const { [siteModule]: ofSite, ...problems } = compileSnippets({
    snippets: { [siteModule]: siteModule, ...named },
    modules: {
      'site.ts': siteModule,
      'others.ts': `import { ownedBy, type ApplyObject } from 'opsdk';\nimport type { Deployment } from 'opsdk/k8s/apps/v1';\nimport { Site } from './site.ts';\n${blocks.find((code) => code.includes('function desiredDeployment')) ?? ''}`,
    },
    declarations,
  });

  test('has code for each topic', () => expect(blocks.length).toBeGreaterThan(15));

  test('declares a kind', () => expect(ofSite).toEqual([]));

  test.each(Object.entries(problems))('compiles: %s', (_title, found) => expect(found).toEqual([]));

  test.each(blocksOf(guide, 'examples'))('shows lines of the example: %s', (code) =>
    expect(isShownBy(code), code).toBe(true),
  );

  test('explains what controllers are made with', () => {
    const missing = functions.filter((name) => !guide.includes(`\`${name}`) && !guide.includes(`${name}(`));
    expect(missing).toEqual([]);
  });
});

describe('docs/conventions.md', () => {
  const guide = read('docs/conventions.md');
  const [site = ''] = blocksOf(read('docs/controllers.md'));
  const siteModule = `import { defineResource, type Condition, type CustomResource, type Int32, type ListMap } from 'opsdk';\n${site}`;
  const named = Object.fromEntries(blocksOf(guide).map((code, index) => [`${index} ${titleOf(code)}`, code]));
  const problems = compileSnippets({
    snippets: named,
    modules: { 'site.ts': siteModule },
    declarations: {
      ...declarations,
      error: 'declare const error: Error;',
      conditions: "declare const conditions: ConditionList<'Ready'>;",
      readyReplicas: 'declare const readyReplicas: number;',
      replicas: 'declare const replicas: number;',
      result: 'declare const result: { readonly outcome: string; readonly text: string };',
    },
  });

  test('has code', () => expect(Object.keys(named).length).toBeGreaterThan(2));

  test.each(Object.entries(problems))('compiles: %s', (_title, found) => expect(found).toEqual([]));

  test('names the codes of the checks', () => {
    const codes = Object.keys(explanations).filter((code) =>
      /^manifests\/(?:varying-.*|reason-format|changing-message)$/.test(code),
    );
    expect(codes).toHaveLength(4);
    expect(codes.filter((code) => !guide.includes(`| \`${code}\` `))).toEqual([]);
  });
});

describe('docs/observability.md', () => {
  const blocks = blocksOf(read('docs/observability.md'));
  const named = Object.fromEntries(blocks.map((code, index) => [`${index} ${titleOf(code)}`, code]));

  test('has code', () => expect(blocks.length).toBeGreaterThan(2));

  test.each(Object.entries(compileSnippets({ snippets: named, declarations: { log: declarations.log } })))(
    'compiles: %s',
    (_title, found) => expect(found).toEqual([]),
  );
});

describe('docs/certificates.md', () => {
  test('compiles', () => {
    const [main = ''] = blocksOf(read('docs/certificates.md'));
    expect(main).toContain('createManager');
    expect(compileSnippets({ snippets: { main } })).toEqual({ main: [] });
  });
});

describe.each([
  'docs/moving-from-go.md',
  'docs/stateful-operators.md',
  'docs/versions.md',
  'docs/webhooks.md',
])('%s', (path) => {
  const guide = read(path);
  // What the page has its reader write, each at its place in the project; if it does so twice, the last one is the one that compiles.
  const files = Object.fromEntries(
    [...guide.matchAll(/^```ts (\S+\.ts)\n([\s\S]*?)^```$/gm)].map(([, file = '', code = '']) => [
      file,
      code,
    ]),
  );
  const pieces = Object.fromEntries(
    blocksOf(guide).map((code, index): [string, string] => [`${index} ${titleOf(code)}`, code]),
  );
  const problems = compileSnippets({
    snippets: { ...files, ...pieces },
    modules: {
      // Where the pieces find the kind that the page is about.
      'kind.ts': Object.values(files)[0] ?? '',
      // What `op-sdk generate manifests` writes.
      'src/generated/rbac.ts': `import type { RbacRule } from 'opsdk';\nexport const permissions: readonly RbacRule[] = [];\n`,
    },
  });

  test('has files', () => expect(Object.keys(files).length).toBeGreaterThan(2));

  test.each(Object.entries(problems))('compiles: %s', (_title, found) => expect(found).toEqual([]));
});

describe('docs/tracing.md', () => {
  const guide = read('docs/tracing.md');
  const files = Object.fromEntries(
    [...guide.matchAll(/^```ts src\/(\S+\.ts)\n([\s\S]*?)^```$/gm)].map(([, file = '', code = '']) => [
      file,
      code,
    ]),
  );
  const [mixin = ''] = blocksOf(guide);

  test('has a file that main.ts imports', () =>
    expect(Object.keys(files)).toEqual(['tracing.ts', 'main.ts']));

  test.each(Object.entries(compileSnippets({ snippets: { ...files, mixin } })))(
    'compiles: %s',
    (_title, found) => expect(found).toEqual([]),
  );
});

/** What the examples of docs/testing.md take from the project that they test. */
const memcachedModule = `import { defineConversion, defineResource, defineWebhook, type CustomResource, type Int32 } from 'opsdk';
interface Old extends CustomResource<'cache.example.com/v1alpha1', 'Memcached'> { spec: { size?: Int32 } }
interface Memcached extends CustomResource<'cache.example.com/v1', 'Memcached'> { spec: { replicas?: Int32; image?: string } }
const names = { group: 'cache.example.com', kind: 'Memcached' } as const;
export const v1alpha1 = { Memcached: defineResource<Old>({ ...names, version: 'v1alpha1' }) };
export const v1 = { Memcached: defineResource<Memcached>({ ...names, version: 'v1', storage: true }) };
export const memcachedWebhook = defineWebhook(v1.Memcached, { default: ({ spec }) => void (spec.image ??= 'memcached:1.6') });
export const memcachedConversion = defineConversion(v1.Memcached).spoke(v1alpha1.Memcached, {
  to: ({ spec }) => ({ spec: { replicas: spec.size, image: undefined } }),
  from: ({ spec }) => ({ spec: { size: spec.replicas } }),
});
`;

describe('docs/testing.md', () => {
  const blocks = blocksOf(read('docs/testing.md'));
  const snippets = Object.fromEntries(blocks.map((code, index) => [`${index} ${titleOf(code)}`, code]));
  const problems = compileSnippets({
    snippets,
    modules: { 'memcached.ts': memcachedModule },
  });

  test('has an example for each kind of test', () => expect(blocks).toHaveLength(9));

  test.each(Object.entries(problems))('compiles: %s', (_title, found) => expect(found).toEqual([]));
});

test('the README begins with the whole controller and its imports, before any command', () => {
  const readme = read('README.md');
  const file = read(`${example}/src/controllers/cache/memcached.ts`);
  const controller = file.slice(0, file.indexOf('\n});\n') + '\n});\n'.length);
  expect(controller).toContain('defineController({');
  expect(blocksOf(readme)[0]).toBe(controller);
  expect(readme.indexOf(controller)).toBeLessThan(readme.search(/^```sh|^\|/m));
});
