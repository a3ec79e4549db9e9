import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { generateSchema, loadProgram } from '../../../../src/compiler/schema/index.ts';
import { withoutMargin } from '../../../../src/compiler/schema/comments/doc-comments.ts';

const folders: string[] = [];

function load(
  files: Record<string, string>,
  rootFiles = Object.keys(files).filter((path) => path.startsWith('src/')),
) {
  const dir = mkdtempSync(join(tmpdir(), 'opsdk-schema-'));
  folders.push(dir);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  return loadProgram({ projectDir: dir, rootFiles });
}

afterEach(() => {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true });
});

const kind = (name: string, spec: string, before = '') =>
  `import type { CustomResource, Int32 } from 'opsdk';\n${before}\nexport interface ${name} extends CustomResource { spec: ${spec} }\n`;

const typesOf = (source: ReturnType<typeof load>, name: string) => {
  const { schema, findings } = generateSchema(source, name);
  expect(findings).toEqual([]);
  return schema.properties?.['spec'];
};

test('same-named types at the same position of two files are distinguished', () => {
  const version = (name: string, type: string) => kind(name, 'Spec', `interface Spec { port: ${type} }`);
  const source = load({ 'src/a.ts': version('Aaa', 'string '), 'src/b.ts': version('Bbb', 'boolean') });
  expect(typesOf(source, 'Aaa')).toMatchObject({ properties: { port: { type: 'string' } } });
  expect(typesOf(source, 'Bbb')).toMatchObject({ properties: { port: { type: 'boolean' } } });
});

test('generic types are distinguished by arguments that differ in name or tags only', () => {
  const source = load({
    'src/a.ts': `import type { CustomResource, Int32, Int64 } from 'opsdk';
      interface Fields {
        /** @minLength 1 */
        some: string;
        any: string;
      }
      interface Box<T> { value: T }
      interface Outer<T> { box: Box<T> }
      export interface Aaa extends CustomResource {
        spec: { a: Outer<Int32>; b: Outer<Int64>; c: Outer<Fields['some']>; d: Outer<Fields['any']>; e: Outer<string[]> };
      }`,
  });
  const box = (value: object) => ({ properties: { box: { properties: { value } } } });
  const spec = typesOf(source, 'Aaa');
  expect(spec?.properties).toMatchObject({
    a: box({ format: 'int32' }),
    b: box({ format: 'int64' }),
    c: box({ minLength: 1 }),
    d: box({ type: 'string' }),
    e: box({ type: 'array' }),
  });
  expect(JSON.stringify(spec?.properties?.['d'])).not.toContain('minLength');
});

test('tags of one field do not reach another field of the same type', () => {
  const source = load({
    'src/a.ts': kind(
      'Aaa',
      '{\n/** @minimum 3 */\na: Int32;\nb: Int32;\nc?: { x: Port };\n/** @maximum 9 */\nd: Port }',
      '/** @minimum 1 */\ntype Port = Int32;',
    ),
  });
  expect(typesOf(source, 'Aaa')?.properties).toEqual({
    a: { type: 'integer', format: 'int32', minimum: 3 },
    b: { type: 'integer', format: 'int32' },
    c: {
      type: 'object',
      required: ['x'],
      properties: { x: { type: 'integer', format: 'int32', minimum: 1 } },
    },
    d: { type: 'integer', format: 'int32', minimum: 1, maximum: 9 },
  });
});

test('a field may have a name that JavaScript knows already', () => {
  const source = load({
    'src/a.ts': kind('Aaa', '{ constructor: string; toString?: Int32; __proto__: string }'),
  });
  const spec = typesOf(source, 'Aaa');
  expect(Object.keys(spec?.properties ?? {}).sort()).toEqual(['__proto__', 'constructor', 'toString']);
  expect(spec?.required).toEqual(['__proto__', 'constructor']);
});

test('the same sources give the same bytes', () => {
  const files = {
    'src/a.ts': kind(
      'Aaa',
      "{ a?: 'z' | 'a'; b: keyof Keys; c: Partial<Keys> }",
      'interface Keys { y: string; x: string }',
    ),
  };
  const [first, second] = [1, 2].map(() => JSON.stringify(generateSchema(load(files), 'Aaa')));
  expect(second).toBe(first);
});

test('the compiler is our own, whatever the project has installed', () => {
  const source = load({
    'src/a.ts': kind('Aaa', '{ n: Int32 }'),
    'node_modules/typescript/package.json':
      '{ "name": "typescript", "version": "7.0.2", "main": "./index.js" }',
    'node_modules/typescript/index.js': 'throw new Error("the compiler of the project was loaded")',
  });
  expect(source.ts.version).toMatch(/^5\.9\./);
  expect(typesOf(source, 'Aaa')).toMatchObject({ properties: { n: { type: 'integer' } } });
});

test('a type of a dependency is reported at the field that uses it', () => {
  const source = load({
    'package.json': '{ "type": "module" }',
    'node_modules/dep/package.json': '{ "name": "dep", "version": "1.0.0", "types": "./index.d.ts" }',
    'node_modules/dep/index.d.ts':
      'export interface Limits {\n  cpu: number;\n  many: Map<string, string>;\n}\n',
    'src/a.ts': kind('Aaa', '{\n  limits: Limits;\n}', "import type { Limits } from 'dep';"),
  });
  const { findings } = generateSchema(source, 'Aaa');
  expect(findings.map(({ code, where }) => ({ code, where }))).toEqual([
    { code: 'schema/plain-number', where: { file: 'src/a.ts', line: 4, column: 3 } },
    { code: 'schema/not-json', where: { file: 'src/a.ts', line: 4, column: 3 } },
  ]);
});

test('model classes of @kubernetes/client-node are refused', () => {
  const source = load({
    'node_modules/@kubernetes/client-node/package.json':
      '{ "name": "@kubernetes/client-node", "types": "./index.d.ts" }',
    'node_modules/@kubernetes/client-node/index.d.ts':
      "export declare class V1Container { 'name': string; }\n",
    'src/a.ts': kind(
      'Aaa',
      '{ container: V1Container }',
      "import type { V1Container } from '@kubernetes/client-node';",
    ),
  });
  const { findings } = generateSchema(source, 'Aaa');
  expect(findings).toMatchObject([
    { code: 'schema/client-node-type', fix: [expect.stringContaining('{ Container }')] },
  ]);
});

test.each([
  [{ 'src/a.ts': 'export {};' }, 'has no interface'],
  [{ 'src/a.ts': kind('Aaa', '{}'), 'src/b.ts': kind('Aaa', '{}') }, 'not unique'],
])('a name that is not one interface is a finding', (files, message) => {
  expect(generateSchema(load(files), 'Aaa').findings).toMatchObject([
    { code: 'schema/no-such-type', message: expect.stringContaining(message) },
  ]);
});

test.each([
  [' one line ', 'one line'],
  ['\n * a\n * b\n ', 'a\nb'],
  ['\n   * a\n   *\n   *   indented\n   ', 'a\n\n  indented'],
  ['\n     without stars\n     at all\n', 'without stars\nat all'],
  ['\r\n * a\r\n * b\r\n ', 'a\nb'],
  [' a*\\/b ', 'a*/b'],
  [' a*\\\\/b*\\\\\\/ ', 'a*\\/b*\\\\/'],
  ['\n * * a list\n ', '* a list'],
])('the margin of %j', (text, expected) => {
  expect(withoutMargin(text)).toBe(expected);
});
