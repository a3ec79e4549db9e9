import type ts from 'typescript';
import { lineBreakOf } from '../../../base/util/line-break.ts';
import type { TypeScript } from '../program/compiler.ts';
import type { SourceProgram } from '../program/load.ts';
import { type TextEdit, parseFile } from './imports.ts';

/**
 * Returns the object literal that an expression consists of, without `as const`, `satisfies` and parentheses around it; undefined for any
 * other expression.
 */
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

/** Returns the property with the given name, if the object literal contains it in the form `name: value`. */
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
 * Returns an edit that removes a property from an object literal, including its comma. If nothing else is on its lines, the edit also
 * removes the lines and a comment at their end.
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
 * Returns an edit that adds a property after an existing property, in the same layout.
 * @param anchor the existing property
 * @param text text of the file
 */
export function insertProperty(text: string, anchor: ts.ObjectLiteralElementLike, written: string): TextEdit {
  const lineStart = text.lastIndexOf('\n', anchor.getStart() - 1) + 1;
  if (text.slice(lineStart, anchor.getStart()).trim() !== '')
    return { start: anchor.end, end: anchor.end, text: `, ${written}` };
  const at = anchor.end + (/^\s*,/.exec(text.slice(anchor.end))?.[0].length ?? 0);
  const indent = text.slice(lineStart, anchor.getStart());
  const eol = lineBreakOf(text);
  // A comment at the end of the existing property's line stays on this line.
  const remark = /^[ \t]*\/\/[^\r\n]*/.exec(text.slice(at))?.[0] ?? '';
  return { start: anchor.end, end: at + remark.length, text: `,${remark}${eol}${indent}${written},` };
}

type Call = ts.CallExpression;
type Syntax = Pick<SourceProgram, 'ts'>;

/**
 * Edits for the argument of a `defineResource` call. Each edit is a range in the text of the file. Only values that are written in the call
 * itself can be edited, because a value from a constant or a spread may also be used elsewhere.
 *
 * Each function returns undefined or an empty list if the value cannot be edited.
 */
interface ResourceEdits {
  /** Sets a property to a value, given as source text in `text`. If the property exists, its value is replaced. */
  set(name: string, text: string): TextEdit | undefined;
  /** Removes a property. Returns an empty list if the property is not written in the call. */
  remove(name: string): readonly TextEdit[];
  /** Replaces the value of a property with another string, if the value is a string literal. */
  setText(name: string, value: string): TextEdit | undefined;
  /**
   * Adds a string to a list in a nested object. For example, the list `versionOrder` in the object `crd`: `crd: { versionOrder: ['v1'] }`.
   */
  addToList(owner: string, name: string, value: string): TextEdit | undefined;
  /** Removes a property of a nested object. If the property is the only one, removes the nested object. */
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

/** A string literal in a source file. */
interface WrittenText {
  /** Offset in the file at which the text between the quotes starts. */
  readonly start: number;
  readonly end: number;
  /** Line of the string literal, counted from 1. */
  readonly line: number;
  /**
   * Values of the other properties of the same object, by name, if these values are strings. Empty if the string literal is not the value
   * of a property.
   */
  readonly neighbours: ReadonlyMap<string, string>;
}

/** Returns all string literals in a file whose text equals `wanted`, both in values and in types. */
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
