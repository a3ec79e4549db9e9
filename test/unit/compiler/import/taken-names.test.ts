import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { takenNames } from '../../../../src/compiler/import/names.ts';
import { repositoryRoot } from '../../../helpers/source-files.ts';

/** Names of types begin with a capital letter. */
const isOfType = (name: string): boolean => /^[A-Z]/.test(name);

it('has every type that the package exports', () => {
  const list = readFileSync(`${repositoryRoot}test/golden/exports/opsdk.txt`, 'utf8');
  const exported = list.split('\n').map((line) => line.split(' ').at(-1) ?? '');
  expect(exported).toContain('Manager');
  expect(exported.filter((name) => isOfType(name) && !takenNames.has(name))).toEqual([]);
});

it('has every global name of TypeScript and Node', () => {
  const file = `${repositoryRoot}src/base/util/bytes.ts`;
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts'],
    types: ['node'],
    typeRoots: [`${repositoryRoot}node_modules/@types`],
    skipLibCheck: true,
  });
  const source = program.getSourceFile(file);
  if (source === undefined) throw new Error('the program has no file');
  const { Type, Value, Namespace } = ts.SymbolFlags;
  const globals = program
    .getTypeChecker()
    .getSymbolsInScope(source.endOfFileToken, Type | Value | Namespace)
    .map(({ name }) => name);
  for (const name of ['Intl', 'PropertyKey', 'Request', 'WeakMap']) expect(globals).toContain(name);
  expect(globals.filter((name) => isOfType(name) && !takenNames.has(name))).toEqual([]);
});
