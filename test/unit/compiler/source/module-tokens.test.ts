// The resources that a module exports, read from its source or from the JavaScript beside its declarations.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { moduleTokens } from '../../../../src/compiler/source/index.ts';
import { kindsInTables } from '../../../../src/kubernetes/tables/index.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'op-sdk-tokens-'));
  write('package.json', '{ "name": "project", "type": "module" }');
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function writePackage(declarations: string, script: string): void {
  write(
    'node_modules/widgets/package.json',
    JSON.stringify({
      name: 'widgets',
      type: 'module',
      exports: { './v1': { types: './v1.d.ts', default: './v1.js' } },
    }),
  );
  write(
    'node_modules/widgets/v1.d.ts',
    `import type { CustomResource, Resource } from 'opsdk';\n${declarations}`,
  );
  write('node_modules/widgets/v1.js', script);
}

const widget = { group: 'example.org', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true };

it('finds every built-in kind in its module', () => {
  const files = new Set(kindsInTables().map(({ file }) => file));
  expect(files.size).toBeGreaterThan(20);
  for (const file of files) {
    const tokens = moduleTokens(folder, `opsdk/k8s/${file}`) ?? [];
    const found = tokens.map(({ name, token: { group, version, kind } }) => {
      expect(name).toBe(kind);
      return { group, version, kind, file };
    });
    const known = kindsInTables().filter((each) => each.file === file);
    expect(found.map(({ kind }) => kind).sort()).toEqual(known.map(({ kind }) => kind).sort());
    expect(found).toEqual(expect.arrayContaining(known));
  }
});

it('reads a file of the project', () => {
  write(
    'src/widget.ts',
    `import { externalResource, type CustomResource } from 'opsdk';
export interface Widget extends CustomResource<'example.org/v1', 'Widget'> { spec: object }
export const Widget = externalResource<Widget>({ group: 'example.org', version: 'v1', kind: 'Widget', plural: 'widgets', scope: 'Namespaced' });
export const other = 3;`,
  );
  expect(moduleTokens(folder, './src/widget.ts')).toEqual([{ name: 'Widget', token: widget }]);
});

const declared = `export interface Widget extends CustomResource<'example.org/v1', 'Widget'> { spec: object }
export declare const Widget: Resource<Widget>;
`;

it('reads a package, by the JavaScript beside its declarations', () => {
  writePackage(
    declared,
    `import { defineResource as define } from 'opsdk';
export const Widget = define({ group: 'example.org', version: 'v1', kind: 'Widget', status: true });`,
  );
  expect(moduleTokens(folder, 'widgets/v1')).toEqual([{ name: 'Widget', token: widget }]);
});

it.each([
  [
    'a function of the same name',
    `const defineResource = (x) => x;\nexport const Widget = defineResource({ group: 'a.b', version: 'v1', kind: 'W' });`,
  ],
  [
    'a spread',
    `import { defineResource } from 'opsdk';\nconst base = { group: 'x.y' };\nexport const Widget = defineResource({ group: 'a.b', version: 'v1', kind: 'W', ...base });`,
  ],
  [
    'a computed value',
    `import { defineResource } from 'opsdk';\nexport const Widget = defineResource({ group: process.env.G, version: 'v1', kind: 'W' });`,
  ],
  [
    'a short form',
    `import { defineResource } from 'opsdk';\nconst group = 'a.b';\nexport const Widget = defineResource({ group, version: 'v1', kind: 'W' });`,
  ],
])('gives no token for %s', (_, script) => {
  writePackage(declared, script);
  expect(moduleTokens(folder, 'widgets/v1')).toEqual([]);
});

it('says when the module is missing', () => {
  expect(moduleTokens(folder, 'missing/v1')).toBeUndefined();
  expect(moduleTokens(folder, './src/missing.ts')).toBeUndefined();
});
