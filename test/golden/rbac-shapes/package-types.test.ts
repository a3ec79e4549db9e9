// Clients in types of packages: followed where a package may hold one, and the types of others are not looked into.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inferFiles, type InferredShapes } from './infer-shapes.ts';

const declarations: Readonly<Record<string, string>> = {
  // Each member is a new type of the same class: without end.
  endless: `export interface Wrapped<T> { readonly optional: Wrapped<T | undefined>; readonly list: Wrapped<T[]>; readonly pair: Wrapped<[T, T]>; readonly value: T; map<U>(change: (value: T) => U): Wrapped<U>; }
export interface FirstOf<F extends (...all: never) => unknown> { readonly first: Parameters<F>[0]; }
export interface Base { readonly name: string; }
export interface Derived extends Base { readonly more: string; }
export declare function use(value: unknown): void;`,
  acquainted: `import type { ControllerClient } from 'opsdk';
export interface Deps { readonly client: ControllerClient; }`,
  byType: `export interface Deps { readonly client: import('opsdk').ControllerClient; }`,
  friend: `import type { Deps } from 'acquainted';
export interface Outer { readonly deps: Deps; }
export interface Inner extends Deps { readonly more: string; }`,
};

const shapes: Readonly<Record<string, string>> = {
  'an interface of a package that imports opsdk':
    "import type { Deps } from 'acquainted'; declare const deps: Deps; use(deps);",
  'an interface of a package with an import type':
    "import type { Deps } from 'byType'; declare const deps: Deps; use(deps);",
  'an interface of a package that imports such a package':
    "import type { Outer } from 'friend'; declare const outer: Outer; use(outer);",
  'an interface that extends one of such a package':
    "import type { Inner } from 'friend'; declare const inner: Inner; use(inner);",
  'a type argument': 'declare const wrapped: Wrapped<ControllerClient>; use(wrapped);',
  'a type argument of a type argument':
    'declare const wrapped: Wrapped<Wrapped<{ c: ControllerClient }>>; use(wrapped);',
  'what a function takes': 'declare const first: FirstOf<(client: ControllerClient) => void>; use(first);',
  'an interface that the project adds to': 'declare const base: Base; use(base);',
  'an interface that extends one that the project adds to': 'declare const derived: Derived; use(derived);',
};

const harmless = 'declare const wrapped: Wrapped<{ name: string }>; use(wrapped.optional.list.pair);';

const fileOf = (index: number): string => `src/shape-${index}.ts`;
const codes = [...Object.values(shapes), harmless];

let inferred: InferredShapes;
beforeAll(() => {
  inferred = inferFiles({
    ...Object.fromEntries(
      Object.entries(declarations).flatMap(([name, text]) => [
        [
          `node_modules/${name}/package.json`,
          JSON.stringify({ name, version: '1.0.0', types: 'index.d.ts' }),
        ],
        [`node_modules/${name}/index.d.ts`, text],
      ]),
    ),
    'src/augment.ts': `import type { ControllerClient } from 'opsdk';
declare module 'endless' { interface Base { readonly client: ControllerClient; } }`,
    ...Object.fromEntries(
      codes.map((code, index) => [
        fileOf(index),
        `import type { ControllerClient } from 'opsdk'; import './augment.ts';
import { use, type Base, type Derived, type FirstOf, type Wrapped } from 'endless';
${code}
export type All = [ControllerClient, Base, Derived, FirstOf<never>, Wrapped<1>];\n`,
      ]),
    ),
  });
}, 300_000);
afterAll(() => inferred.remove());

test.each(Object.keys(shapes))('a client in %s is followed', (name) => {
  const { errors } = inferred.of(fileOf(Object.keys(shapes).indexOf(name)));
  expect(errors.map(({ code }) => code)).toEqual(['manifests/client-escapes']);
});

test('a type of a package that knows no client holds none', () => {
  expect(inferred.of(fileOf(codes.length - 1)).errors).toEqual([]);
});
