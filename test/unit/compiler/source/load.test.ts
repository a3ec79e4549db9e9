import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { isProjectFile, loadProgram } from '../../../../src/compiler/schema/index.ts';

const folders: string[] = [];

function project(files: Record<string, string>): string {
  const dir = mkdtempSync(join(tmpdir(), 'opsdk-load-'));
  folders.push(dir);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  return dir;
}

afterEach(() => {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true });
});

const projectFilesOf = (dir: string, rootFiles: string[]) => {
  const loaded = loadProgram({ projectDir: dir, rootFiles });
  return loaded.program
    .getSourceFiles()
    .filter((file) => isProjectFile(loaded.program, file))
    .map((file) => file.fileName.slice(loaded.projectDir.length + 1))
    .sort();
};

test('opsdk resolves to the running package in a project that has nothing installed', () => {
  const dir = project({ 'a.ts': "import type { Int32 } from 'opsdk';\nexport interface A { n: Int32 }\n" });
  const { program, checker, diagnostics } = loadProgram({ projectDir: dir, rootFiles: ['a.ts'] });
  const [statement] = program.getSourceFile(join(dir, 'a.ts'))!.statements;
  const symbol = checker.getSymbolAtLocation((statement as { moduleSpecifier?: never }).moduleSpecifier!);
  expect(checker.getExportsOfModule(symbol!).map((item) => item.name)).toContain('Int32');
  expect(diagnostics).toEqual([]);
});

test('every syntax error of every reached file is found, each with its place', () => {
  const dir = project({
    'src/a.ts': "import type { B } from './b.ts';\nexport interface A {\n  b: B;\n  c string\n}\n",
    'src/b.ts': 'export interface B {\n  /** ends */ early */\n  d: string;\n}\n',
  });
  const { diagnostics } = loadProgram({ projectDir: dir, rootFiles: ['src/a.ts'] });
  const places = diagnostics.map((item) => item.where as { file: string; line: number; column: number });
  expect(new Set(diagnostics.map((item) => item.code))).toEqual(new Set(['schema/syntax-error']));
  expect(places.some((place) => place.file === 'src/a.ts' && place.line === 4 && place.column > 1)).toBe(
    true,
  );
  expect(places.some((place) => place.file === 'src/b.ts' && place.line === 2)).toBe(true);
});

test('a missing root file is a finding', () => {
  const { diagnostics } = loadProgram({ projectDir: project({}), rootFiles: ['none.ts'] });
  expect(diagnostics.map((item) => item.code)).toEqual(['io/not-found']);
});

test('paths come from the nearest tsconfig with its extends; options of other compilers are ignored', () => {
  const dir = project({
    'tsconfig.base.json':
      '{ "compilerOptions": { "paths": { "#api/*": ["./src/api/*"] }, "strictNullChecks": false } }',
    'tsconfig.json':
      '{ "extends": "./tsconfig.base.json", /* a comment */ "compilerOptions": { "fromTheFuture": true, "lib": ["dom"] } }',
    'src/main.ts': "import type { B } from '#api/b.ts';\nexport type A = B;\n",
    'src/api/b.ts': 'export interface B { x?: string }\n',
  });
  const loaded = loadProgram({ projectDir: dir, rootFiles: ['src/main.ts'] });
  expect(projectFilesOf(dir, ['src/main.ts'])).toEqual(['src/api/b.ts', 'src/main.ts']);
  expect(loaded.program.getCompilerOptions()).toMatchObject({
    strict: true,
    lib: ['lib.es2023.d.ts'],
    types: [],
  });
  expect(loaded.program.getCompilerOptions().strictNullChecks).toBeUndefined();
});

test.each([
  ['./missing.json', 2],
  ['@some/missing-package/tsconfig.json', 2],
  [['./base.json', './missing.json'], 2],
])('a tsconfig that extends %j, which is missing, is a finding at its place', (missing, line) => {
  const dir = project({
    'base.json': '{ "compilerOptions": { "strict": true } }',
    'tsconfig.json': `{\n  "extends": ${JSON.stringify(missing)}\n}\n`,
    'a.ts': 'export {};\n',
  });
  const { diagnostics } = loadProgram({ projectDir: dir, rootFiles: ['a.ts'] });
  expect(diagnostics).toMatchObject([{ code: 'schema/tsconfig', where: { file: 'tsconfig.json', line } }]);
  expect(diagnostics[0]?.message).toContain('missing');
});

test('a syntax error in what a tsconfig extends is a finding there', () => {
  const dir = project({
    'base.json': '{ "compilerOptions": { "strict": } }',
    'tsconfig.json': '{ "extends": "./base.json" }',
    'a.ts': 'export {};\n',
  });
  const { diagnostics } = loadProgram({ projectDir: dir, rootFiles: ['a.ts'] });
  expect(diagnostics[0]).toMatchObject({ code: 'schema/tsconfig', where: { file: 'base.json', line: 1 } });
});

test('tsconfigs that extend each other are a finding', () => {
  const dir = project({
    'base.json': '{ "extends": "./tsconfig.json" }',
    'tsconfig.json': '{ "extends": "./base.json" }',
    'a.ts': 'export {};\n',
  });
  const { diagnostics } = loadProgram({ projectDir: dir, rootFiles: ['a.ts'] });
  expect(diagnostics[0]).toMatchObject({ code: 'schema/tsconfig' });
});

test('a broken tsconfig is a finding at its place', () => {
  const dir = project({ 'tsconfig.json': '{\n  "compilerOptions": {\n', 'a.ts': 'export {};\n' });
  const { diagnostics } = loadProgram({ projectDir: dir, rootFiles: ['a.ts'] });
  expect(diagnostics[0]).toMatchObject({ code: 'schema/tsconfig', where: { file: 'tsconfig.json' } });
});

test.each([
  ['node16 with .js specifiers', '{ "compilerOptions": { "module": "nodenext" } }', './b.js'],
  [
    'bundler without extensions',
    '{ "compilerOptions": { "module": "esnext", "moduleResolution": "bundler" } }',
    './b',
  ],
  ['no tsconfig options at all', '{}', './b'],
])('imports resolve with %s', (_name, tsconfig, specifier) => {
  const dir = project({
    'package.json': '{ "type": "module" }',
    'tsconfig.json': tsconfig,
    'a.ts': `import type { B } from '${specifier}';\nexport type A = B;\n`,
    'b.ts': 'export interface B { x: string }\n',
  });
  expect(projectFilesOf(dir, ['a.ts'])).toEqual(['a.ts', 'b.ts']);
});

test('texts stand in for files: sources, what they import, the tsconfig and package.json; the rest is read from disk', () => {
  const dir = project({
    'disk.ts': 'export interface Disk { d: string }\n',
    'src/a.ts': 'export interface Old { o: string }\n',
  });
  const texts = new Map([
    ['src/a.ts', "import type { B } from './new/b.ts';\nexport interface New { b: B }\n"],
    [
      'src/new/b.ts',
      "import type { C } from '#c';\nimport type { D } from '@/disk';\nexport type B = C | D;\n",
    ],
    ['src/c.ts', "import type { Disk } from '../disk.ts';\nexport type C = Disk;\n"],
    ['package.json', '{ "type": "module", "imports": { "#c": "./src/c.ts" } }'],
    ['tsconfig.json', '{ "compilerOptions": { "paths": { "@/*": ["./*"] } } }'],
  ]);
  const loaded = loadProgram({ projectDir: dir, rootFiles: ['src/a.ts'], texts });
  const files = loaded.program
    .getSourceFiles()
    .filter((file) => isProjectFile(loaded.program, file))
    .map((file) => file.fileName.slice(loaded.projectDir.length + 1));
  expect(loaded.diagnostics).toEqual([]);
  expect(files.sort()).toEqual(['disk.ts', 'src/a.ts', 'src/c.ts', 'src/new/b.ts']);
  expect(loaded.program.getSourceFile(join(dir, 'src/a.ts'))?.text).toContain('New');
  expect(projectFilesOf(dir, ['src/a.ts'])).toEqual(['src/a.ts']);
});

test('a syntax error in a text has its place in the file that the text replaces', () => {
  const dir = project({});
  const texts = new Map([['src/a.ts', 'export interface A {\n  a string\n}\n']]);
  const { diagnostics } = loadProgram({ projectDir: dir, rootFiles: ['src/a.ts'], texts });
  expect(diagnostics[0]).toMatchObject({ code: 'schema/syntax-error', where: { file: 'src/a.ts', line: 2 } });
});
