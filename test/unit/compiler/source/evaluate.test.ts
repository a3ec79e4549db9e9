import fc from 'fast-check';
import ts from 'typescript';
import { afterEach, describe, expect, test } from 'vitest';
import { evaluate } from '../../../../src/compiler/source/evaluate/evaluate.ts';
import {
  opaqueParts,
  plainValue,
  type Evaluated,
} from '../../../../src/compiler/source/evaluate/evaluated-value.ts';
import { evaluateFixture } from './evaluate-fixture.ts';

const cleanups: (() => void)[] = [];
afterEach(() => cleanups.splice(0).forEach((cleanup) => cleanup()));

/** Evaluates the initializer of `const x` in src/main.ts. */
function evaluateX(main: string, others: Record<string, string> = {}): Evaluated {
  const { context, sources, remove } = evaluateFixture({ 'src/main.ts': main, ...others });
  cleanups.push(remove);
  const file = sources.find((source) => source.fileName.endsWith('src/main.ts'));
  let found: ts.Expression | undefined;
  file?.forEachChild((statement) => {
    if (!ts.isVariableStatement(statement)) return;
    for (const declaration of statement.declarationList.declarations)
      if (declaration.name.getText() === 'x') found = declaration.initializer;
  });
  if (found === undefined) throw new Error('no const x');
  return evaluate(context, found);
}

const valueOf = (main: string, others?: Record<string, string>): unknown =>
  plainValue(evaluateX(main, others));

/** The findings of all opaque parts as `line:column message`. */
function refusals(main: string, others?: Record<string, string>): string[] {
  return opaqueParts(evaluateX(main, others)).map(({ finding }) => {
    const where = finding.where;
    const place =
      where !== undefined && 'file' in where ? `${where.file}:${where.line}:${where.column}` : 'nowhere';
    expect(finding.code).toBe('manifests/not-constant');
    expect(finding.fix?.length).toBeGreaterThan(0);
    return `${place} ${finding.message}`;
  });
}

describe('what is a constant', () => {
  test.each([
    ['strings', `const x = 'a';`, 'a'],
    ['a template without values', 'const x = `a`;', 'a'],
    ['numbers', 'const x = 1_000.5;', 1000.5],
    ['hexadecimal numbers', 'const x = 0x10;', 16],
    ['negative numbers', 'const x = -3;', -3],
    ['booleans and null', 'const x = [true, false, null];', [true, false, null]],
    ['undefined, which JSON leaves out', 'const x = { a: undefined, b: 1 };', { b: 1 }],
    ['type syntax', `const x = ((({ a: 1 } as const) satisfies object) as unknown)!;`, { a: 1 }],
    [
      'string and number keys',
      `const x = { 'a-b': 1, 2: 2, ['c' as const]: 3 };`,
      { 'a-b': 1, '2': 2, c: 3 },
    ],
    ['names of primitives', `const G = 'g'; const x = { group: G };`, { group: 'g' }],
    ['shorthand', `const group = 'g'; const x = { group };`, { group: 'g' }],
    [
      'template literals',
      'const D = "example.com"; const n = 1; const x = `cache.${D}/v${n}`;',
      'cache.example.com/v1',
    ],
    ['property access', `const o = { a: { b: ['c'] } } as const; const x = o.a['b'][0];`, 'c'],
    ['as const behind satisfies', `const o = { a: 1 } as const satisfies { a: number }; const x = o.a;`, 1],
    ['spread, the last wins', `const a = { p: 1, q: 1 } as const; const x = { ...a, q: 2 };`, { p: 1, q: 2 }],
    ['array spread', `const a = [1, 2] as const; const x = [0, ...a, 3];`, [0, 1, 2, 3]],
    [
      'members of enumerations',
      `enum E { A = 'a', N = 2, M } const enum C { A = 'c' } namespace S { export enum E { A = 's' } } const x = [E.A, E.M, C.A, S.E.A];`,
      ['a', 3, 'c', 's'],
    ],
    [
      'rbac, which returns its argument',
      `import { rbac } from 'opsdk'; const x = rbac([{ verbs: ['get'] }]);`,
      [{ verbs: ['get'] }],
    ],
  ])('%s', (_name, main, expected) => {
    expect(valueOf(main)).toEqual(expected);
  });

  test('values of other project files: named, renamed, default, namespace and re-exported imports', () => {
    const others = {
      'src/names.ts': `export const GROUP = 'cache.example.com'; const all = { v: 'v1' } as const; export default all;`,
      'src/index.ts': `export { GROUP as THE_GROUP } from './names.ts'; export * as names from './names.ts';`,
    };
    const main = `
      import all, { GROUP as G } from './names.ts';
      import * as ns from './names.ts';
      import { THE_GROUP, names } from './index.ts';
      const x = [G, all.v, ns.GROUP, THE_GROUP, names.GROUP];`;
    const group = 'cache.example.com';
    expect(valueOf(main, others)).toEqual([group, 'v1', group, group, group]);
  });

  test('resource tokens: own kinds, built-in kinds, kinds of others, and their properties', () => {
    const main = `
      import { defineResource, externalResource } from 'opsdk';
      import { Deployment } from 'opsdk/k8s/apps/v1';
      const Memcached = defineResource<object>({ group: 'cache.example.com', version: 'v1', kind: 'Memcached', scope: 'Cluster' });
      const Other = externalResource({ group: 'o.example.com', version: 'v1', kind: 'Other', plural: 'others', scope: 'Namespaced' });
      const x = [Memcached, Deployment, Other, Memcached.plural, Deployment.apiVersion];`;
    expect(valueOf(main)).toEqual([
      {
        group: 'cache.example.com',
        version: 'v1',
        kind: 'Memcached',
        plural: 'memcacheds',
        namespaced: false,
      },
      { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', namespaced: true },
      { group: 'o.example.com', version: 'v1', kind: 'Other', plural: 'others', namespaced: true },
      'memcacheds',
      'apps/v1',
    ]);
  });

  test('every part knows where it was written', () => {
    const value = evaluateX(`const o = { b: 1 } as const;\nconst x = {\n  a: 'v',\n  ...o,\n};`);
    if (value.type !== 'object') throw new Error('not an object');
    expect(value.properties.get('a')?.value.place).toEqual({ file: 'src/main.ts', line: 3, column: 6 });
    expect(value.properties.get('b')?.value.place).toEqual({ file: 'src/main.ts', line: 1, column: 16 });
  });

  test('any JSON value written as source evaluates to itself', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (json) => {
        fc.pre(!JSON.stringify(json).includes('"__proto__"') && !Object.is(json, -0));
        expect(valueOf(`const x = ${JSON.stringify(json)};`)).toEqual(JSON.parse(JSON.stringify(json)));
      }),
      { numRuns: 15 },
    );
  });
});

describe('what is refused, with its place', () => {
  test.each([
    [
      'calls',
      `const x = String(1);`,
      ['src/main.ts:1:11 `String(1)` is a call: op-sdk reads the source, it does not run it'],
    ],
    ['the environment', `const x = process.env.GROUP;`, ['src/main.ts:1:11 `process` cannot be resolved']],
    ['sums', `const x = { a: 'b' + 'c' };`, [`src/main.ts:1:16 \`'b' + 'c'\` is not a constant`]],
    [
      'conditions',
      `const x = 1 > 0 ? 'a' : 'b';`,
      [`src/main.ts:1:11 \`1 > 0 ? 'a' : 'b'\` is not a constant`],
    ],
    ['let', `let y = 'a'; const x = y;`, ['src/main.ts:1:24 `y` is not a `const`']],
    [
      'objects that may change',
      `const o = { a: 1 }; o.a = 2; const x = o.a;`,
      ['src/main.ts:1:40 `o` is not `as const`: its content may change before it is used'],
    ],
    [
      'arrays that may change',
      `const o = [1]; const x = [...o];`,
      ['src/main.ts:1:30 `o` is not `as const`: its content may change before it is used'],
    ],
    ['functions', `const x = { f: () => 1 };`, ['src/main.ts:1:16 a function is not a constant']],
    [
      'methods',
      `const x = { f() { return 1; } };`,
      ['src/main.ts:1:13 a method or accessor is not a constant'],
    ],
    [
      'missing properties',
      `const o = { a: 1 } as const; const x = o.b;`,
      ['src/main.ts:1:40 `o.b` does not exist'],
    ],
    [
      'inherited properties',
      `const o = { a: 1 } as const; const x = o.toString;`,
      ['src/main.ts:1:40 `o.toString` does not exist'],
    ],
    [
      'enums as such, and their computed members',
      `enum E { A = 'a', B = 'b'.length } const x = [E, E.B, E.C];`,
      [
        'src/main.ts:1:47 `E` is an enum, which has no constant value',
        'src/main.ts:1:50 `E.B` is an enum, which has no constant value',
        'src/main.ts:1:55 `E` is an enum, which has no constant value',
      ],
    ],
    [
      'destructured names',
      `const { a } = { a: 1 } as const; const x = a;`,
      ['src/main.ts:1:44 `a` is part of a destructuring, which has no constant value'],
    ],
    ['cycles', `const a = b; const b = a; const x = a;`, ['src/main.ts:1:24 `a` is defined by itself']],
    [
      'undefined in a template',
      'const x = `a${undefined}`;',
      ['src/main.ts:1:15 `undefined` in a template literal is neither text nor a number'],
    ],
    ['prototypes', `const x = { __proto__: null };`, ['src/main.ts:1:13 `__proto__` is not a property']],
    ['array holes', `const x = [1,,2];`, ['src/main.ts:1:14 an array has a hole']],
    [
      'all of them at once',
      `const x = { a: f(), b: [g()] };`,
      [
        'src/main.ts:1:16 `f()` is a call: op-sdk reads the source, it does not run it',
        'src/main.ts:1:25 `g()` is a call: op-sdk reads the source, it does not run it',
      ],
    ],
  ])('%s', (_name, main, expected) => {
    expect(refusals(main)).toEqual(expected);
  });

  test('values of packages', () => {
    expect(refusals(`import { GROUP } from 'other'; const x = GROUP;`)).toEqual([
      `src/main.ts:1:42 \`GROUP\` comes from a package's declaration file, which does not say its value`,
    ]);
  });

  test('a property that a later spread of the unknown may replace is unknown', () => {
    const main = `declare const u: object; const o = { p: 1, ...u } as const; const x = o.p;`;
    expect(refusals(main)).toHaveLength(1);
  });

  test('a spread of the unknown makes every property unknown', () => {
    const value = evaluateX(`declare const o: { a: 1 }; const y = { ...o } as const; const x = y.a;`);
    expect(value.type).toBe('opaque');
  });

  test('a refused value in a file of its own is reported there', () => {
    expect(
      refusals(`import { G } from './g.ts'; const x = G;`, { 'src/g.ts': `\nexport const G = f();` }),
    ).toEqual(['src/g.ts:2:18 `f()` is a call: op-sdk reads the source, it does not run it']);
  });
});
