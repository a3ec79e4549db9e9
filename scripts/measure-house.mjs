// `node scripts/measure-house.mjs [--list]`: how the hand-written sources are built. Prints a figure a line; with --list also the files and
// functions behind those that should fall.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { root } from './lib/run.mjs';
import { handWrittenSources } from './lib/source-files.mjs';

/** Folders whose subfolders are rooms; any other folder of src is one room. */
const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs');
const wings = new Set(forbidden.flatMap(({ name }) => /^room-([a-z0-9]+)-/.exec(name)?.[1] ?? []));

const longFunction = 80;
const source = join(root, 'src');

const files = new Map(handWrittenSources().map((path) => [path, undefined]));
for (const path of files.keys()) files.set(path, measured(path));

const lengths = [...files.values()].map(({ lines }) => lines).sort((a, b) => a - b);
const imports = [...files].flatMap(([from, { targets }]) => [...targets].map((to) => ({ from, to })));
const importers = new Map();
for (const { to } of imports) importers.set(to, (importers.get(to) ?? 0) + 1);
const past = imports.filter(({ from, to }) => isPastIndex(from, to));
const circles = components().filter((files) => files.length > 1);
const long = [...files].flatMap(([path, { long }]) => long.map((each) => `${path}:${each}`));

print('files', files.size);
print('median lines of a file', lengths[Math.floor(lengths.length / 2)]);
print(
  'all lines',
  lengths.reduce((sum, lines) => sum + lines, 0),
);
print(
  'exported values',
  [...files.values()].reduce((sum, { values }) => sum + values, 0),
);
print(
  'files with one importer',
  [...files.keys()].filter((path) => !path.endsWith('index.ts') && importers.get(path) === 1).length,
);
print(
  'imports past an index',
  past.length,
  past.map(({ from, to }) => `${from} -> ${to}`),
);
print(
  'circles of files',
  circles.length,
  circles.map((files) => files.join(' <-> ')),
);
print(`functions over ${longFunction} lines`, long.length, long);

function print(title, figure, list = []) {
  console.log(`${title.padEnd(28)}${String(figure).padStart(8)}`);
  if (process.argv.includes('--list')) for (const line of list.toSorted()) console.log(`    ${line}`);
}

/** The lines of a file, the files that it imports, the values that it declares and exports, and its long functions. */
function measured(path) {
  const text = readFileSync(join(source, path), 'utf8');
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position) => tree.getLineAndCharacterOfPosition(position).line + 1;
  const targets = new Set();
  const long = [];
  const visit = (node) => {
    const specifier = specifierOf(node);
    const target = specifier?.startsWith('.')
      ? join(dirname(path), specifier).replaceAll('\\', '/')
      : undefined;
    if (target !== undefined && files.has(target)) targets.add(target);
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const start = lineAt(node.getStart());
      const count = lineAt(node.end) - start + 1;
      if (count > longFunction) long.push(`${start} ${node.name?.getText() ?? 'a function'}: ${count}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  const values = tree.statements.flatMap(valuesOf).length;
  return { lines: text.split('\n').length - 1, targets, values, long };
}

/** The module that a node imports or exports from, types of `import('…')` included. */
function specifierOf(node) {
  const isStatic = ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
  if (isStatic) return node.moduleSpecifier?.text;
  if (ts.isImportTypeNode(node)) return node.argument.literal?.text;
  const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isDynamic ? node.arguments[0]?.text : undefined;
}

/** The names of values that a statement declares and exports. */
function valuesOf(statement) {
  const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  if (!isExported || ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement)) return [];
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations;
  return [statement.name];
}

/** The room of a file: `sdk/kube`, or `cluster`; that of a file at the top is the file itself. */
function roomOf(path) {
  const [first, second] = path.split('/');
  return wings.has(first) ? `${first}/${second}` : first;
}

/** Whether an import reaches into a room that has an index. */
function isPastIndex(from, to) {
  const room = roomOf(to);
  return room !== roomOf(from) && files.has(`${room}/index.ts`) && to !== `${room}/index.ts`;
}

/** Sets of files that import each other, directly or not: strongly connected components, by Tarjan. */
function components() {
  const found = [];
  const seen = new Map();
  const open = [];
  const enter = (path) => {
    const own = { index: seen.size, low: seen.size, isOpen: true };
    seen.set(path, own);
    open.push(path);
    for (const to of files.get(path).targets) {
      const other = seen.get(to) ?? enter(to);
      if (other.isOpen) own.low = Math.min(own.low, other.low);
    }
    if (own.low === own.index) {
      const members = open.splice(open.indexOf(path));
      for (const member of members) seen.get(member).isOpen = false;
      found.push(members);
    }
    return own;
  };
  for (const path of files.keys()) if (!seen.has(path)) enter(path);
  return found;
}
