// Code that readers copy is code that is compiled: what the pages show of the examples is what these hold, and the rest of the guide compiles.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
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

describe('README.md', () => {
  const blocks = blocksOf(read('README.md'));

  test('has code', () => expect(blocks.length).toBeGreaterThan(1));

  test.each(blocks)('shows lines of the example: %s', (code) => expect(isShownBy(code), code).toBe(true));

  test('says what makes `owns` work', () => expect(read('README.md')).toContain('ownedBy'));
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
      'others.ts': `import { ownedBy } from 'opsdk';\nimport { Site } from './site.ts';\n${blocks.find((code) => code.includes('function desiredDeployment')) ?? ''}`,
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

test('the README begins with the whole controller and its imports, before any command', () => {
  const readme = read('README.md');
  const file = read(`${example}/src/controllers/cache/memcached.ts`);
  const controller = file.slice(0, file.indexOf('\n});\n') + '\n});\n'.length);
  expect(controller).toContain('defineController({');
  expect(blocksOf(readme)[0]).toBe(controller);
  expect(readme.indexOf(controller)).toBeLessThan(readme.search(/^```sh|^\|/m));
});
