import type ts from 'typescript';
import type { TypeScript } from '../program/compiler.ts';
import type { TextEdit } from './text-edits.ts';

/** The object literal of an expression, seen through `as const`, `satisfies` and parentheses. */
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
export function propertyIn(
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
 * Takes a property out of an object literal, with its line, its comma and the comments of that line.
 * @param text of the file
 */
export function removeProperty(
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
 * Adds a property behind another one, in its layout.
 * @param text of the file
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
