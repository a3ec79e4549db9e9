import type ts from 'typescript';
import { lineBreakOf } from '../../../base/util/line-break.ts';
import type { TypeScript } from '../program/compiler.ts';
import { insertProperty, literalOf } from './object-property.ts';
import { parseFile, applyTextEdits, wholeLines, type TextEdit } from './imports.ts';

/**
 * Text of a file after an edit, or the reason why the edit cannot be made safely. In a message, the reason follows the name of the file.
 */
export type Spliced = { readonly content: string } | { readonly problem: string };

/**
 * Adds options to the only call of `defineWebhook` in a file. Options that already exist in the call stay unchanged.
 * @param options name and source text of each option: `['default', 'default() {}']`. An optional third text is the `path` that the option
 * must have. If the option already exists with a different path, a problem is returned
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
  if (literal === undefined)
    return { problem: 'does not pass the options of defineWebhook as an object literal in the call' };
  const { properties } = literal;
  if (properties.some((property) => ts.isSpreadAssignment(property)))
    return { problem: 'spreads an object of unknown content into the options of defineWebhook' };
  const names = properties.map((property) => property.name?.getText(source).replaceAll(/['"]/g, ''));
  for (const [name, , path] of options) {
    const present = properties[names.indexOf(name)];
    if (path !== undefined && present !== undefined && pathIn(ts, present) !== path)
      return { problem: `has the option ${name} already; expected path: '${path}' in it` };
  }
  const missing = options.filter(([name]) => !names.includes(name)).map(([, written]) => written);
  const last = properties.at(-1);
  if (missing.length === 0) return { content: text };
  const eol = lineBreakOf(text);
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

/** Returns the value of `path` in an option such as `defaulting: { path: '/x' }`. */
function pathIn(ts: TypeScript, option: ts.ObjectLiteralElementLike): string | undefined {
  const value = ts.isPropertyAssignment(option) ? literalOf(ts, option.initializer) : undefined;
  const path = value?.properties.find(
    (each) => ts.isPropertyAssignment(each) && each.name.getText().replaceAll(/['"]/g, '') === 'path',
  );
  return path !== undefined && ts.isPropertyAssignment(path) && ts.isStringLiteralLike(path.initializer)
    ? path.initializer.text
    : undefined;
}

/** A version to add to a conversion, by a call `.spoke(…)`. */
interface AddedSpoke {
  /** Name under which the file imports the type of the version. */
  readonly name: string;
  /** Statement that imports the type of the version. */
  readonly importLine: string;
  /** Source text of the call `.spoke(…)`. */
  readonly call: string;
}

/** Adds versions at the end of the only chain `defineConversion(…).spoke(…)` in a file, and imports their types. */
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
  if (taken !== undefined) return { problem: `already declares another ${taken.name}` };
  const last = chainOf(ts, call).at(-1);
  const end = last?.end ?? call.end;
  const eol = lineBreakOf(text);
  const lastImport = source.statements.findLast((statement) => ts.isImportDeclaration(statement));
  // If the chain spans several lines, each added call gets a line of its own.
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
 * Removes a version from the only chain `defineConversion(…).spoke(…)` in a file, and removes the import of its type.
 * @param importsTypes returns true if the module specifier at an offset leads to the type of the version
 * @returns the new text, with `isLast` if the chain contains no other version; undefined if the file does not import the type
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
    return { problem: 'imports more than the kind in the import to be removed' };
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

/** Returns the calls of `.spoke` after `defineConversion(…)`, in the order of the source. */
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

/**
 * Returns the call of an opsdk function in a file. If the file contains no such call or several, returns the description of this problem.
 */
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
