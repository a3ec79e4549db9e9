import type ts from 'typescript';
import type { SourceProgram } from '../program/load.ts';
import { insertProperty, literalOf, propertyIn, removeProperty } from './object-property.ts';
import { parseFile } from './parse-file.ts';
import type { TextEdit } from './text-edits.ts';

type Call = ts.CallExpression;
type Syntax = Pick<SourceProgram, 'ts'>;

/**
 * Edits of the argument of a `defineResource` call, as ranges of the text of its file. Only what is written out in the call itself
 * can be edited: a value that comes from a constant or a spread may be that of others, too.
 *
 * Each function returns undefined where that is not so.
 */
export interface ResourceEdits {
  /** Gives a property a value that is written as `text`; replaces the one that is there. */
  set(name: string, text: string): TextEdit | undefined;
  /** Removes a property; no edit if the call does not write it out. */
  remove(name: string): readonly TextEdit[];
  /** Replaces the text of a property, if that is a string in quotes. */
  setText(name: string, value: string): TextEdit | undefined;
  /** Adds a text to a list in a nested object: `crd: { versionOrder: ['v1'] }`. */
  addToList(owner: string, name: string, value: string): TextEdit | undefined;
  /** Removes a property of a nested object; the object, too, if nothing else is in it. */
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
export interface WrittenText {
  /** Start of the text between the quotes. */
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly line: number;
  /** If it is the value of a property of an object: the texts of the neighbours, by their names. */
  readonly neighbours: ReadonlyMap<string, string>;
}

/** Every string literal of a file with exactly this text, in values and in types. */
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
