// Two functions of one name are two answers to one question, and drift apart. Re-exports are no second definition.
import { expect, test } from 'vitest';
import { filesBelow } from '../../helpers/source-files.ts';

/** The interface of modules that are loaded by name: `command` of cli/commands. */
const interfaces: readonly string[] = ['command'];

/** The names of the values that a file declares and exports at once; Prettier puts each at the start of a line. */
function exportedValues(text: string): string[] {
  const declaration =
    /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|enum) (\w+)/gm;
  return [...text.matchAll(declaration)].map(([, name = '']) => name);
}

test('no two files of src export a value of the same name', () => {
  const filesOf = new Map<string, string[]>();
  for (const { path, text } of filesBelow('src', (path) => path.endsWith('.ts')))
    for (const name of new Set(exportedValues(text))) filesOf.set(name, [...(filesOf.get(name) ?? []), path]);
  const offenders = [...filesOf].filter(([name, files]) => files.length > 1 && !interfaces.includes(name));
  expect(Object.fromEntries(offenders)).toEqual({});
});
