import { afterEach, expect, test } from 'vitest';
import { findDeclarations } from '../../../../src/compiler/source/evaluate/evaluate-declarations.ts';
import { evaluateFixture } from './evaluate-fixture.ts';

const cleanups: (() => void)[] = [];
afterEach(() => cleanups.splice(0).forEach((cleanup) => cleanup()));

function find(files: Record<string, string>): { calls: string[]; findings: string[] } {
  const { context, sources, remove } = evaluateFixture(files);
  cleanups.push(remove);
  const found = findDeclarations(context, sources);
  return {
    calls: found.calls.map(({ callee, place }) => `${callee} ${place.file}:${place.line}`),
    findings: found.findings.map(({ message }) => message),
  };
}

const index = `export { defineResource as kind } from 'opsdk'; export * as sdk from 'opsdk';`;

test.each([
  ['directly', `import { defineResource } from 'opsdk';\ndefineResource({});`],
  ['under another name', `import { defineResource as d } from 'opsdk';\nd({});`],
  ['through a namespace', `import * as o from 'opsdk';\no.defineResource({});`],
  ['through a re-export', `import { kind } from './index.ts';\nkind({});`],
  ['through a re-exported namespace', `import { sdk } from './index.ts';\nsdk.defineResource({});`],
  ['through a namespace of namespaces', `import * as i from './index.ts';\ni.sdk.defineResource({});`],
  ['through a constant', `import { defineResource } from 'opsdk'; const d = defineResource;\nd({});`],
  ['through an exported constant', `import { d } from './alias.ts';\nd({});`],
  ['in parentheses', `import { defineResource } from 'opsdk';\n(defineResource)({});`],
])('a call is found %s', (_name, main) => {
  const files = {
    'src/main.ts': main,
    'src/index.ts': index,
    'src/alias.ts': `import { defineResource } from 'opsdk'; export const d = defineResource;`,
  };
  expect(find(files)).toEqual({ calls: ['defineResource src/main.ts:2'], findings: [] });
});

test('functions of the same name that are not ours are not ours', () => {
  expect(
    find({
      'src/a.ts': `import { defineResource } from 'other'; defineResource({});`,
      'src/b.ts': `function rbac(x: unknown) { return x; } rbac([]);`,
      'src/c.ts': `import { defineResource } from 'opsdk'; function f(defineResource: (x: object) => void) { defineResource({}); }`,
    }),
  ).toEqual({ calls: [], findings: [] });
});

test('a function that is handed on as a value is reported', () => {
  const main = `import { defineResource, rbac } from 'opsdk'; const tools = { d: defineResource }; [[]].map(rbac); export type D = typeof rbac;`;
  expect(find({ 'src/main.ts': main })).toEqual({
    calls: [],
    findings: [
      '`defineResource` is used as a value, not called: what it declares here cannot be read from the source',
      '`rbac` is used as a value, not called: what it declares here cannot be read from the source',
    ],
  });
});

test.each([
  [`import * as sdk from 'opsdk'; const { rbac } = sdk; rbac([]);`, 1],
  [`import * as sdk from 'opsdk'; const { rbac: permissions } = sdk; permissions([]);`, 1],
  [`import * as sdk from 'opsdk'; sdk['rbac']([]);`, 1],
  [`import * as sdk from 'opsdk'; const { ...all } = sdk; all.rbac([]);`, 1],
  [`import { rbac } from 'opsdk'; const tools = { rbac }; tools.rbac([]);`, 1],
  [`const { rbac } = await import('opsdk'); rbac([]);`, 1],
  [`const sdk = await import('./index.ts'); sdk.kind({});`, 1],
  [`(await import('opsdk')).rbac([]);`, 1],
  [`import * as sdk from 'opsdk'; const { createManager } = sdk;`, 0],
  [`const { createManager } = await import('opsdk'); await import('opsdk'); await import('./other.ts');`, 0],
  [`const other = await import('./other.ts'); console.log(other);`, 0],
])('a function that is taken from a whole module is reported: %s', (main, count) => {
  const { calls, findings } = find({
    'src/main.ts': main,
    'src/index.ts': index,
    'src/other.ts': `import { rbac } from 'opsdk'; export const one = 1; export { rbac as unused } from 'other';`,
  });
  expect(calls).toEqual([]);
  expect(findings.filter((message) => message.includes('used as a value'))).toHaveLength(count);
});

test('calls come in the order of files and positions', () => {
  const call = `import { defineController, rbac } from 'opsdk';\nrbac([]);\ndefineController({ rbac: rbac([]) });`;
  expect(find({ 'src/z.ts': call, 'src/a.ts': call }).calls).toEqual([
    'rbac src/a.ts:2',
    'defineController src/a.ts:3',
    'rbac src/a.ts:3',
    'rbac src/z.ts:2',
    'defineController src/z.ts:3',
    'rbac src/z.ts:3',
  ]);
});
