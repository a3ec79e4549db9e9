// The public surface: every name that users can import, values and types. A name more or less is a decision, seen here.
// `UPDATE_GOLDEN=1` writes the lists.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The names that the source of an entry exports, types included. */
function exportedNames(file: string): string[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    `${root}tsconfig.json`,
    { noEmit: true },
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
        throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
      },
    },
  );
  const program = ts.createProgram([file], config?.options ?? {});
  const source = program.getSourceFile(file);
  const module = source && program.getTypeChecker().getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${file} is not a module`);
  return program
    .getTypeChecker()
    .getExportsOfModule(module)
    .map((symbol) => symbol.name);
}

const entries = [
  { entry: 'opsdk', source: 'src/index.ts', load: () => import('../../../src/index.ts') },
  {
    entry: 'opsdk/testing',
    source: 'src/testing/index.ts',
    load: () => import('../../../src/testing/index.ts'),
  },
];

test.each(entries)('the exports of $entry', async ({ entry, source, load }) => {
  const values = Object.keys(await load());
  const names = exportedNames(root + source);
  expect(names).toEqual(expect.arrayContaining(values));
  const kinds = names.map((name) => `${values.includes(name) ? 'value' : 'type '} ${name}`);
  const list = `${kinds.sort().join('\n')}\n`;
  const golden = fileURLToPath(new URL(`${entry.replace('/', '-')}.txt`, import.meta.url));
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, list);
  expect(list).toBe(readFileSync(golden, 'utf8'));
});
