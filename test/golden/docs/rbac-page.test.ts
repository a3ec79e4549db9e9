// The examples of docs/rbac.md, compiled and inferred: the role is what the page says.
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { explanations } from '../../../src/cli/explanations/explanations.ts';
import { methodVerbs } from '../../../src/compiler/manifests/rbac/method-verbs.ts';
import { inferFiles } from '../rbac-shapes/infer-shapes.ts';

const page = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
const text = page('docs/rbac.md');
const blocks = (markdown: string): string[] =>
  [...markdown.matchAll(/^```ts\n(.*?)^```/gms)].map((match) => match[1] ?? '');

const [kind = ''] = blocks(page('docs/crd.md'));
const examples = blocks(text);
const fileOf = (index: number): string => `src/controllers/example-${index}.ts`;
const found = inferFiles({
  'src/api/cache/v1alpha1/memcached.ts': kind,
  ...Object.fromEntries(examples.map((code, i) => [fileOf(i), code])),
});
afterAll(() => found.remove());

/** A controller reads its kind, and records Events about failures. */
const rulesOfController = ['memcacheds:list,watch', 'events:create,patch'];

test.each(
  [
    ['configmaps:delete', 'secrets:delete'],
    [],
    ['deployments:delete', 'services:create,patch'],
    ['/metrics:get', 'configmaps:get', 'roles:bind,escalate', 'secrets:get'],
    ['memcacheds/finalizers:update', 'secrets:list,watch'],
  ].map((rules, index) => ({ rules, index })),
)('example $index needs $rules', ({ rules, index }) => {
  const file = fileOf(index);
  const isController = examples[index]?.includes('defineController({') ?? false;
  const expected = [...rules, ...(isController ? rulesOfController : [])].sort().join(' ');
  expect(found.of(file)).toEqual({ rules: expected, errors: [] });
  const source = found.program.program.getSourceFiles().find(({ fileName }) => fileName.endsWith(file));
  expect(found.program.program.getSemanticDiagnostics(source)).toEqual([]);
});

test('each example is one of these', () => expect(examples).toHaveLength(5));

test('the page names each method that needs a permission', () => {
  const methods = Object.values(methodVerbs)
    .flatMap((table) => Object.entries(table))
    .filter(([, { type }]) => type !== 'free')
    .map(([name]) => name);
  expect(methods.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
});

test('the codes of the page exist', () => {
  const codes = [...text.matchAll(/`(manifests\/[a-z-]+)`/g)].map(([, code]) => code);
  expect(codes.filter((code) => !Object.hasOwn(explanations, code ?? ''))).toEqual([]);
});
