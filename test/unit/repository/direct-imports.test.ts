// The build resolves imports of indexes, so that nothing is loaded earlier for the sake of the tree.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { importDirectly } from '../../../scripts/lib/direct-imports.mjs';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

/** Gives back the texts of modules after the build has been through them. */
function resolved(files: Readonly<Record<string, string>>): (path: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'opsdk-direct-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  importDirectly(folder);
  return (path) => readFileSync(join(folder, path), 'utf8');
}

const rooms = {
  'index.js': `export { run } from './sdk/runtime/index.js';\n`,
  'sdk/net/index.js': `export { fetchAll } from './fetch.js';\nexport { convert as convertAll } from './convert.js';\n`,
  'sdk/net/fetch.js': `export const fetchAll = () => {};\n`,
  'sdk/net/convert.js': `export const convert = () => {};\n`,
  'sdk/runtime/index.js': `export { run } from './run.js';\nexport { prepare } from './prepare.js';\n`,
  'sdk/runtime/run.js': `import { fetchAll } from '../net/index.js';\nexport const run = () => fetchAll(import('./later.js'));\n`,
  'sdk/runtime/later.js': `import { convertAll } from '../net/index.js';\nexport const later = () => convertAll();\n`,
  'sdk/runtime/prepare.js': `export const prepare = () => {};\n`,
};

test('modules outside of operators import from where a name is declared, on the same lines', () => {
  const text = resolved({
    ...rooms,
    'cli/main.js': `import {\n  convertAll,\n  fetchAll as all,\n} from '../sdk/net/index.js';\nexport { prepare } from '../sdk/runtime/index.js';\nthrow new Error(convertAll, all);\n`,
  });
  expect(text('cli/main.js')).toBe(
    `import { convert as convertAll } from "../sdk/net/convert.js"; import { fetchAll as all } from "../sdk/net/fetch.js";\n\n\n\nexport { prepare } from "../sdk/runtime/prepare.js";\nthrow new Error(convertAll, all);\n`,
  );
});

test('a lazy import loads the one module that it takes names of; with names of several it stays', () => {
  const text = resolved({
    ...rooms,
    'cli/one.js': `export const f = async () => { const { convertAll } = await import('../sdk/net/index.js'); convertAll(); };\n`,
    'cli/two.js': `export const f = async () => { const { convertAll, fetchAll } = await import('../sdk/net/index.js'); fetchAll(convertAll); };\n`,
  });
  expect(text('cli/one.js')).toContain(
    'const { convert: convertAll } = await import("../sdk/net/convert.js")',
  );
  expect(text('cli/two.js')).toContain(`await import('../sdk/net/index.js')`);
});

test('what an operator starts with goes through indexes, which list nothing else', () => {
  const text = resolved(rooms);
  expect(text('sdk/runtime/run.js')).toBe(rooms['sdk/runtime/run.js']);
  expect(text('sdk/runtime/later.js')).toContain('from "../net/convert.js"');
  expect(text('sdk/net/index.js').trim()).toBe(`export { fetchAll } from './fetch.js';`);
  expect(text('sdk/runtime/index.js').trim()).toBe(`export { run } from './run.js';`);
});

test('what an operator loads later imports from indexes what is loaded already, for few chunks', () => {
  const text = resolved({
    ...rooms,
    'sdk/runtime/later.js': `import { fetchAll, convertAll } from '../net/index.js';\nimport { run } from './run.js';\nexport const later = () => convertAll(fetchAll, run);\n`,
    'sdk/net/later.js': `import { convert } from './convert.js';\nimport { fetchAll } from './fetch.js';\nexport const later = () => convert(fetchAll);\n`,
  });
  expect(text('sdk/runtime/later.js')).toBe(
    `import { fetchAll } from "../net/index.js"; import { convert as convertAll } from "../net/convert.js";\nimport { run } from "./index.js";\nexport const later = () => convertAll(fetchAll, run);\n`,
  );
  expect(text('sdk/net/later.js')).toBe(
    `import { convert } from './convert.js';\nimport { fetchAll } from "./index.js";\nexport const later = () => convert(fetchAll);\n`,
  );
  expect(text('sdk/net/index.js').trim()).toBe(`export { fetchAll } from './fetch.js';`);
});

test('an index that exports all of a module is refused', () => {
  const files = { ...rooms, 'sdk/net/index.js': `export * from './fetch.js';\n` };
  expect(() => resolved(files)).toThrow('exports all of ./fetch.js: list the names');
});
