import type ts from 'typescript';
import type { TypeScript } from '../program/compiler.ts';
import { insertProperty, literalOf } from './object-property.ts';
import { parseFile, applyTextEdits, wholeLines, type TextEdit } from './imports.ts';

/** A text after an edit, or the reason why the edit cannot be made safely. The reason is phrased to follow the name of the file. */
export type Spliced = { readonly content: string } | { readonly problem: string };

/**
 * Adds options to the only call of `defineWebhook` in a file. Existing options stay unchanged.
 * @param options name and text of each option: `['default', 'default() {}']`; a third text is the `path` that the option must have, even if
 * the option already exists
 */
export function addWebhookOptions(
  ts: TypeScript,
  file: string,
  text: string,
  options: readonly (readonly [name: string, written: string, path?: string])[],
): Spliced {
  const source = parseFile(ts, file, text);
  const call = onlyCall(ts, source, 'defineWebhook');
  if (typeof call === 'string') return { problem: call };
  const literal = literalOf(ts, call.arguments[1]);
  if (literal === undefined) return { problem: 'does not write the options of defineWebhook in the call' };
  const { properties } = literal;
  if (properties.some((property) => ts.isSpreadAssignment(property)))
    return { problem: 'spreads an object into the options of defineWebhook, which may hold anything' };
  const names = properties.map((property) => property.name?.getText(source).replaceAll(/['"]/g, ''));
  for (const [name, , path] of options) {
    const present = properties[names.indexOf(name)];
    if (path !== undefined && present !== undefined && pathIn(ts, present) !== path)
      return { problem: `has the option ${name} already; expected path: '${path}' in it` };
  }
  const missing = options.filter(([name]) => !names.includes(name)).map(([, written]) => written);
  const last = properties.at(-1);
  if (missing.length === 0) return { content: text };
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  if (last === undefined) {
    const lines = missing.map((written) => `  ${written},${eol}`).join('');
    return {
      content: applyTextEdits(text, [
        { start: literal.getStart(source), end: literal.end, text: `{${eol}${lines}}` },
      ]),
    };
  }
  const lineStart = text.lastIndexOf('\n', last.getStart(source) - 1) + 1;
  const before = text.slice(lineStart, last.getStart(source));
  const glue = before.trim() === '' ? `,${eol}${before}` : ', ';
  return { content: applyTextEdits(text, [insertProperty(text, last, missing.join(glue))]) };
}

/** The text of `path` in an option such as `defaulting: { path: '/x' }`. */
function pathIn(ts: TypeScript, option: ts.ObjectLiteralElementLike): string | undefined {
  const value = ts.isPropertyAssignment(option) ? literalOf(ts, option.initializer) : undefined;
  const path = value?.properties.find(
    (each) => ts.isPropertyAssignment(each) && each.name.getText().replaceAll(/['"]/g, '') === 'path',
  );
  return path !== undefined && ts.isPropertyAssignment(path) && ts.isStringLiteralLike(path.initializer)
    ? path.initializer.text
    : undefined;
}

/** A version that is added to a conversion. */
interface AddedSpoke {
  /** Local name of the version's types in the file. */
  readonly name: string;
  /** Import statement for the types. */
  readonly importLine: string;
  /** Text of the call `.spoke(…)`. */
  readonly call: string;
}

/** Adds versions at the end of the only `defineConversion(…).spoke(…)` in a file. */
export function addSpokes(
  ts: TypeScript,
  file: string,
  text: string,
  spokes: readonly AddedSpoke[],
): Spliced {
  const source = parseFile(ts, file, text);
  const call = onlyCall(ts, source, 'defineConversion');
  if (typeof call === 'string') return { problem: call };
  const taken = spokes.find(({ name }) => isDeclared(ts, source, name));
  if (taken !== undefined) return { problem: `has something called ${taken.name} already` };
  const last = chainOf(ts, call).at(-1);
  const end = last?.end ?? call.end;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lastImport = source.statements.findLast((statement) => ts.isImportDeclaration(statement));
  // In a chain on several lines, each added call gets a line of its own.
  const inner = last && (last.expression as ts.PropertyAccessExpression).expression;
  const indent = inner && /^\s*?\n([ \t]*)\./.exec(text.slice(inner.end))?.[1];
  const glue = indent === undefined ? '' : `${eol}${indent}`;
  const calls = spokes
    .map((spoke) => `${glue}${spoke.call.replaceAll('\n', `${eol}${indent ?? ''}`)}`)
    .join('');
  const imports = spokes.map(({ importLine }) => `${eol}${importLine}`).join('');
  if (lastImport === undefined) return { problem: 'imports nothing' };
  return {
    content: applyTextEdits(text, [
      { start: end, end, text: calls },
      { start: lastImport.end, end: lastImport.end, text: imports },
    ]),
  };
}

/**
 * Removes a version from the only `defineConversion(…).spoke(…)` in a file, with the import of its types.
 * @param importsTypes returns true if the module specifier whose text is at an offset leads to the types of the version
 * @returns `isLast` if no other version is left
 */
export function removeSpoke(
  ts: TypeScript,
  file: string,
  text: string,
  importsTypes: (start: number) => boolean,
): (Spliced & { readonly isLast?: boolean }) | undefined {
  const source = parseFile(ts, file, text);
  const found = source.statements
    .filter((statement) => ts.isImportDeclaration(statement))
    .find(({ moduleSpecifier }) => importsTypes(moduleSpecifier.getStart(source) + 1));
  if (found === undefined) return undefined;
  const bindings = found.importClause?.namedBindings;
  const [named, ...others] = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : [];
  if (named === undefined || others.length > 0 || found.importClause?.name !== undefined)
    return { problem: 'imports more than the kind from there' };
  const call = onlyCall(ts, source, 'defineConversion');
  if (typeof call === 'string') return { problem: call };
  const chain = chainOf(ts, call);
  const spoke = chain.find(({ arguments: [first] }) => first?.getText(source) === named.name.text);
  if (spoke === undefined) return { problem: `uses ${named.name.text} elsewhere than in .spoke` };
  const inner = (spoke.expression as ts.PropertyAccessExpression).expression;
  const edits: TextEdit[] = [
    { ...wholeLines(text, found.getStart(source), found.end), text: '' },
    { start: inner.end, end: spoke.end, text: '' },
  ];
  const content = applyTextEdits(text, edits);
  if (isDeclared(ts, parseFile(ts, file, content), named.name.text))
    return { problem: `uses ${named.name.text} elsewhere than in .spoke` };
  return { content, isLast: chain.length === 1 };
}

/** The calls of `.spoke` behind `defineConversion(…)`, in order. */
function chainOf(ts: TypeScript, call: ts.CallExpression): readonly ts.CallExpression[] {
  const chain: ts.CallExpression[] = [];
  for (let node: ts.Node = call; ;) {
    const access = node.parent;
    const outer = access.parent;
    if (
      !ts.isPropertyAccessExpression(access) ||
      access.name.text !== 'spoke' ||
      !ts.isCallExpression(outer) ||
      outer.expression !== access
    )
      return chain;
    chain.push(outer);
    node = outer;
  }
}

/** Returns the only call of a function of opsdk in a file, or the problem if the file has none or several. */
function onlyCall(ts: TypeScript, source: ts.SourceFile, name: string): ts.CallExpression | string {
  const calls: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === name)
      calls.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const [call] = calls;
  return call !== undefined && calls.length === 1
    ? call
    : `calls ${name} ${calls.length} times; expected once`;
}

function isDeclared(ts: TypeScript, source: ts.SourceFile, name: string): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === name) found = true;
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
