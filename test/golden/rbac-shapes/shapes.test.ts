import { afterAll, describe, expect, test } from 'vitest';
import { methodVerbs } from '../../../src/compiler/manifests/rbac/method-verbs.ts';
import { inferFiles } from './infer-shapes.ts';
import { fileOf, files, shapes } from './shapes.ts';

const found = inferFiles(files);
afterAll(() => found.remove());

describe('call shapes', () => {
  test.each(shapes.map((shape, i) => ({ ...shape, file: fileOf(i) })))(
    '$name',
    ({ rules = '', error, file }) => {
      const { rules: inferred, errors } = found.of(file);
      const codes = [...new Set(errors.map(({ code }) => code))];
      expect({ rules: inferred, codes, errors: errors.map(({ message }) => message) }).toEqual({
        rules,
        codes: error === undefined ? [] : [error],
        errors: error === undefined ? [] : expect.any(Array),
      });
      // The line that is named is one of the shape, not its header.
      for (const { where, fix = [] } of errors) {
        expect((where as { line: number }).line).toBeGreaterThan(1);
        expect(fix).not.toEqual([]);
      }
    },
  );

  test('each rule has a line that needs it', () => {
    for (const { places } of found.rules) {
      expect(places).not.toEqual([]);
      for (const { line, column } of places) expect(Math.min(line, column)).toBeGreaterThan(0);
    }
  });

  test('every method of the table is called by some shape', () => {
    const text = shapes.map(({ code }) => code).join('\n');
    const methods = Object.values(methodVerbs).flatMap((table) => Object.keys(table));
    expect(methods.filter((method) => !text.includes(`.${method}(`))).toEqual([]);
  });
});

test('functions of other files get their kinds from the calls in these', () => {
  expect(found.of('src/lib/remove.ts')).toEqual({
    rules: 'daemonsets:delete statefulsets:delete',
    errors: [],
  });
  expect(found.of('src/lib/default.ts')).toEqual({ rules: 'nodes:delete pods:delete', errors: [] });
  expect(found.of('src/lib/arrow.ts')).toEqual({ rules: 'services:delete', errors: [] });
  expect(found.of('src/lib/lazy.ts')).toEqual({ rules: 'services:update', errors: [] });
});
