import type ts from 'typescript';
import type { TypeScript } from '../program/compiler.ts';
import type { SourceProgram } from '../program/load.ts';
import { type TextEdit, parseFile } from './imports.ts';

/** Returns the object literal of an expression, inside of `as const`, `satisfies` and parentheses. */
export function literalOf(
  ts: TypeScript,
  expression: ts.Expression | undefined,
): ts.ObjectLiteralExpression | undefined {
  let node = expression;
  while (
    node !== undefined &&
    (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node))
  )
    node = node.expression;
  return node !== undefined && ts.isObjectLiteralExpression(node) ? node : undefined;
}

/** The property of this name that is written out in an object literal: `name: value`. */
function propertyIn(
  ts: TypeScript,
  literal: ts.ObjectLiteralExpression,
  name: string,
): ts.PropertyAssignment | undefined {
  return literal.properties.find(
    (property): property is ts.PropertyAssignment =>
      ts.isPropertyAssignment(property) &&
      (ts.isIdentifier(property.name) || ts.isStringLiteral(property.name)) &&
      property.name.text === name,
  );
}

/**
 * Removes a property from an object literal, with its line, its comma and the comments on that line.
 * @param text text of the file
 */
function removeProperty(
  text: string,
  literal: ts.ObjectLiteralExpression,
  property: ts.ObjectLiteralElementLike,
): TextEdit {
  const { properties } = literal;
  const index = properties.indexOf(property);
  const start = property.getStart();
  const comma = /^\s*,/.exec(text.slice(property.end))?.[0].length ?? 0;
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const rest = /^[ \t]*(?:\/\/[^\n]*)?(?:\r?\n|$)/.exec(text.slice(property.end + comma));
  if (text.slice(lineStart, start).trim() === '' && rest !== null)
    return { start: lineStart, end: property.end + comma + rest[0].length, text: '' };
  const previous = properties[index - 1];
  if (previous !== undefined) return { start: previous.end, end: property.end, text: '' };
  const next = properties[index + 1];
  return { start, end: next?.getStart() ?? property.end + comma, text: '' };
}

/**
 * Adds a property behind another property, in the same layout.
 * @param text text of the file
 */
export function insertProperty(text: string, anchor: ts.ObjectLiteralElementLike, written: string): TextEdit {
  const lineStart = text.lastIndexOf('\n', anchor.getStart() - 1) + 1;
  if (text.slice(lineStart, anchor.getStart()).trim() !== '')
    return { start: anchor.end, end: anchor.end, text: `, ${written}` };
  const at = anchor.end + (/^\s*,/.exec(text.slice(anchor.end))?.[0].length ?? 0);
  const indent = text.slice(lineStart, anchor.getStart());
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  // A comment behind a property stays on its line.
  const remark = /^[ \t]*\/\/[^\r\n]*/.exec(text.slice(at))?.[0] ?? '';
  return { start: anchor.end, end: at + remark.length, text: `,${remark}${eol}${indent}${written},` };
}

type Call = ts.CallExpression;
type Syntax = Pick<SourceProgram, 'ts'>;

/**
 * Edits of the argument of a `defineResource` call, as ranges of the text of its file. Only values that are written in the call itself can
 * be edited, because a value from a constant or a spread may be used elsewhere, too.
 *
 * Each function returns undefined if its value cannot be edited.
 */
interface ResourceEdits {
  /** Sets a property to a value that is written as `text`. Replaces the property if it exists. */
  set(name: string, text: string): TextEdit | undefined;
  /** Removes a property. Returns no edit if the property is not written in the call. */
  remove(name: string): readonly TextEdit[];
  /** Replaces the value of a property, if the value is a string in quotes. */
  setText(name: string, value: string): TextEdit | undefined;
  /** Adds a text to a list in a nested object: `crd: { versionOrder: ['v1'] }`. */
  addToList(owner: string, name: string, value: string): TextEdit | undefined;
  /** Removes a property of a nested object. Also removes the object if it contains nothing else. */
  removeNested(owner: string, name: string): readonly TextEdit[];
}

export function resourceEdits({ ts }: Syntax, call: Call): ResourceEdits {
  const text = call.getSourceFile().text;
  const literal = literalOf(ts, call.arguments[0]);
  const find = (name: string): ts.PropertyAssignment | undefined =>
    literal === undefined ? undefined : propertyIn(ts, literal, name);
  const nested = (owner: string): ts.ObjectLiteralExpression | undefined =>
    literalOf(ts, find(owner)?.initializer);
  return {
    set(name, written) {
      const property = find(name);
      if (property !== undefined)
        return { start: property.initializer.getStart(), end: property.initializer.end, text: written };
      const isShorthand = literal?.properties.some((each) => each.name?.getText() === name) === true;
      const anchor = find('scope') ?? find('kind') ?? find('version');
      return anchor === undefined || isShorthand
        ? undefined
        : insertProperty(text, anchor, `${name}: ${written}`);
    },
    remove(name) {
      const property = find(name);
      return literal === undefined || property === undefined ? [] : [removeProperty(text, literal, property)];
    },
    setText(name, value) {
      const written = find(name)?.initializer;
      if (written === undefined || !ts.isStringLiteralLike(written)) return undefined;
      return { start: written.getStart() + 1, end: written.end - 1, text: value };
    },
    addToList(owner, name, value) {
      const inner = nested(owner);
      const list = inner && propertyIn(ts, inner, name)?.initializer;
      if (list === undefined || !ts.isArrayLiteralExpression(list)) return undefined;
      const last = list.elements.at(-1);
      const at = last?.end ?? list.getStart() + 1;
      return { start: at, end: at, text: `${last === undefined ? '' : ', '}'${value}'` };
    },
    removeNested(owner, name) {
      const inner = nested(owner);
      const property = inner && propertyIn(ts, inner, name);
      if (literal === undefined || inner === undefined || property === undefined) return [];
      const whole = inner.properties.length === 1 ? find(owner) : undefined;
      return [
        whole === undefined ? removeProperty(text, inner, property) : removeProperty(text, literal, whole),
      ];
    },
  };
}

/** A string in quotes in a source. */
interface WrittenText {
  /** Start of the text between the quotes. */
  readonly start: number;
  readonly end: number;
  /** Line of the string, counted from 1. */
  readonly line: number;
  /** If the string is the value of a property of an object: the texts of the other properties, by their names. */
  readonly neighbours: ReadonlyMap<string, string>;
}

/** Returns every string literal of a file with exactly this text, both in values and in types. */
export function textsIn({ ts }: Syntax, file: string, text: string, wanted: string): readonly WrittenText[] {
  const source = parseFile(ts, file, text);
  const found: WrittenText[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && node.text === wanted)
      found.push({
        start: node.getStart(source) + 1,
        end: node.end - 1,
        line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1,
        neighbours: neighboursOf({ ts }, node),
      });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function neighboursOf({ ts }: Syntax, node: ts.Node): ReadonlyMap<string, string> {
  const owner = node.parent.parent;
  const texts = new Map<string, string>();
  if (!ts.isPropertyAssignment(node.parent) || !ts.isObjectLiteralExpression(owner)) return texts;
  for (const property of owner.properties) {
    if (!ts.isPropertyAssignment(property) || !ts.isIdentifier(property.name)) continue;
    const value = ts.isAsExpression(property.initializer)
      ? property.initializer.expression
      : property.initializer;
    if (ts.isStringLiteralLike(value)) texts.set(property.name.text, value.text);
  }
  return texts;
}
