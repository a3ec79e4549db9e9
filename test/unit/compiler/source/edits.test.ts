// Edits of sources by splices of their text.
import ts from 'typescript';
import { expect, test } from 'vitest';
import {
  applyTextEdits,
  registrationsOf,
  relativeImports,
  resourceEdits,
} from '../../../../src/compiler/source/index.ts';

const compiler = { ts, program: ts.createProgram([], {}), projectDir: '/project' };

/** The edits of the first call in a text. */
function editsOf(text: string): ReturnType<typeof resourceEdits> {
  const source = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
  let call: ts.CallExpression | undefined;
  const visit = (node: ts.Node): void => {
    if (call === undefined && ts.isCallExpression(node)) call = node;
    ts.forEachChild(node, visit);
  };
  visit(source);
  if (call === undefined) throw new Error('no call');
  return resourceEdits(compiler, call);
}

test.each([
  ["f({ kind: 'A' });", "f({ kind: 'A', storage: true });"],
  ["f({ kind: 'A', plural: 'as' });", "f({ kind: 'A', storage: true, plural: 'as' });"],
  ["f({\n  kind: 'A'\n});", "f({\n  kind: 'A',\n  storage: true,\n});"],
  [
    "f({\n  kind: 'A', // a\n  plural: 'as',\n});",
    "f({\n  kind: 'A', // a\n  storage: true,\n  plural: 'as',\n});",
  ],
  ["f({\r\n\tkind: 'A',\r\n});", "f({\r\n\tkind: 'A',\r\n\tstorage: true,\r\n});"],
  ["f({ kind: 'A', storage: false } as const);", "f({ kind: 'A', storage: true } as const);"],
])('a property is added in the layout of its neighbours: %j', (text, expected) => {
  const edit = editsOf(text).set('storage', 'true');
  expect(edit && applyTextEdits(text, [edit])).toBe(expected);
});

test.each(['f(options);', 'f({ ...options });', "f({ kind: 'A', storage });"])(
  'nothing is added to %j',
  (text) => {
    expect(editsOf(text).set('storage', 'true')).toBeUndefined();
  },
);

test.each([
  ['f({ storage: true });', 'f({  });'],
  ["f({ kind: 'A', storage: true });", "f({ kind: 'A' });"],
  ["f({ storage: true, kind: 'A' });", "f({ kind: 'A' });"],
  ["f({\n  kind: 'A',\n  storage: true, // as ever\n});", "f({\n  kind: 'A',\n});"],
  ["f({\n  kind: 'A',\n  storage: true\n});", "f({\n  kind: 'A',\n});"],
  ['f({ ...stored });', 'f({ ...stored });'],
])('a property is removed with its comma, line and comment: %j', (text, expected) => {
  expect(applyTextEdits(text, editsOf(text).remove('storage'))).toBe(expected);
});

test('relative imports are found in all their forms', () => {
  const text = [
    "import { a } from './a.ts';",
    "export * from '../b.js';",
    "type C = import('./c.ts').C;",
    "const d = () => import('./d.ts');",
    "vi.mock('./e.ts');",
    "import f from 'f';",
  ].join('\n');
  expect(relativeImports(compiler.ts, 'src/x/y.ts', text).map(({ target, line }) => [target, line])).toEqual([
    ['src/x/a.ts', 1],
    ['src/b.js', 2],
    ['src/x/c.ts', 3],
    ['src/x/d.ts', 4],
    ['src/x/e.ts', 5],
  ]);
});

test('a registration is removed in any style; other uses are reported with their lines', () => {
  const text = [
    'import { createManager } from "opsdk"',
    'import { redisController as redis, other } from "./controllers/redis.js"',
    'const manager = await createManager({ name: "x" })',
    'manager',
    '  .add(redis)',
    'manager.add(createManager)',
    '',
  ].join('\n');
  const { edits, others } = registrationsOf(compiler, 'src/main.ts', text, 'src/controllers/redis.ts');
  expect(others).toEqual([]);
  expect(applyTextEdits(text, edits)).toBe(
    'import { createManager } from "opsdk"\nconst manager = await createManager({ name: "x" })\nmanager.add(createManager)\n',
  );
  const used = `${text}export { other };\nconsole.log(redis.name);\n`;
  expect(registrationsOf(compiler, 'src/main.ts', used, 'src/controllers/redis.ts').others).toEqual([7, 8]);
});
