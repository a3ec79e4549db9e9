import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, isSeq, parseDocument, type ParsedNode } from 'yaml';
import { lineBreakOf } from '../../base/util/line-break.ts';
import { yamlToJson } from './document-to-json.ts';
import { YamlSpliceError } from './splice.ts';

/** An item of a list in block form (without brackets): its value, and its lines with the comment lines directly above it. */
export interface ListBlock {
  readonly value: unknown;
  /** Whole lines without the indentation of the list, joined by `\n`, without a line break at the end. */
  readonly text: string;
}

/** The new items of a list: items of the former list, by their index, and blocks that are new or replace others. */
export type WantedBlock = number | ListBlock;

interface PlacedBlock extends ListBlock {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the items of the list at `path` as blocks of text.
 * @throws YamlSpliceError if the value at `path` is not a list in block form, each item on lines of its own
 */
export function yamlListBlocks(text: string, path: readonly (string | number)[]): readonly ListBlock[] {
  return placedBlocks(text, path).blocks.map(({ value, text: lines }) => ({ value, text: lines }));
}

/**
 * Replaces the items of the list at `path`. Items that stay keep their text, and with it their comments and quoting; everything around the
 * list is kept byte for byte.
 * @throws YamlSpliceError as {@link yamlListBlocks}, and if the result would not have the wanted values
 */
export function setYamlListBlocks(
  text: string,
  path: readonly (string | number)[],
  wanted: readonly WantedBlock[],
): string {
  const { blocks, indent, root } = placedBlocks(text, path);
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (first === undefined || last === undefined)
    throw new YamlSpliceError(`${path.join('.')} is an empty list`);
  const eol = lineBreakOf(text);
  const lines = wanted.map((each, index): string => {
    if (typeof each !== 'number') return written(each.text, indent, eol);
    const block = blocks[each];
    if (block === undefined) throw new YamlSpliceError(`${path.join('.')} has no item ${each}`);
    // Lines between two items, such as blank ones, belong to the item above them as long as its successor is the same.
    const next = blocks[each + 1];
    const end = next !== undefined && wanted[index + 1] === each + 1 ? next.start : block.end;
    const own = text.slice(block.start, end);
    return own.endsWith('\n') ? own : own + eol;
  });
  const body = wanted.length === 0 ? `${indent}[]${eol}` : lines.join('');
  const rest = text.slice(last.end);
  const edited =
    text.slice(0, first.start) + (rest === '' && !text.endsWith('\n') ? body.trimEnd() : body) + rest;
  const values = wanted.map((each) => (typeof each === 'number' ? blocks[each]?.value : each.value));
  const result = placedRoot(edited);
  if (!isDeepStrictEqual(result.value, withList(root, path, values)))
    throw new YamlSpliceError('the edit would also change other parts of the file');
  return edited;
}

function placedBlocks(text: string, path: readonly (string | number)[]) {
  const { contents, value: root } = placedRoot(text);
  let node: ParsedNode | null | undefined = contents;
  let value = root;
  for (const key of path) {
    if (typeof key === 'number') node = isSeq(node) ? node.items[key] : undefined;
    else
      node = isMap(node)
        ? node.items.find((pair) => isScalar(pair.key) && pair.key.value === key)?.value
        : undefined;
    value = (value as Record<string | number, unknown> | undefined)?.[key];
  }
  if (!isSeq(node) || node.flow === true || !Array.isArray(value))
    throw new YamlSpliceError(`${path.join('.')} is not a list with an item on each line`);
  const values = value as readonly unknown[];
  const indent = ' '.repeat(node.range[0] - lineStart(text, node.range[0]));
  let previous = 0;
  const blocks = node.items.map((item, index): PlacedBlock => {
    const [begin, finish] = item.range;
    const from = lineStart(text, begin);
    if (!/^[ ]*-[ ]+$/.test(text.slice(from, begin)))
      throw new YamlSpliceError(`an item of ${path.join('.')} does not begin on a line of its own`);
    const start = aboveComments(text, from, previous);
    const end = text[finish - 1] === '\n' ? finish : lineEnd(text, finish);
    previous = end;
    return { value: values[index], text: plain(text.slice(start, end), indent), start, end };
  });
  return { blocks, indent, root };
}

function placedRoot(text: string): { readonly contents: ParsedNode | null; readonly value: unknown } {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw new YamlSpliceError(error.message, { cause: error });
  return { contents: document.contents, value: yamlToJson(document, () => undefined) };
}

/** Removes the indentation of the list. Comments that are indented less keep their text. */
function plain(lines: string, indent: string): string {
  return lines
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()))
    .join('\n');
}

function written(block: string, indent: string, eol: string): string {
  return block
    .split('\n')
    .map((line) => (line === '' ? eol : indent + line + eol))
    .join('');
}

/** Returns the start of the first of the comment lines directly above a line, but not above `limit`. */
function aboveComments(text: string, line: number, limit: number): number {
  let start = line;
  while (start > limit) {
    const above = lineStart(text, start - 1);
    if (above < limit || !/^\s*#/.test(text.slice(above, start))) return start;
    start = above;
  }
  return start;
}

function withList(
  value: unknown,
  [key, ...rest]: readonly (string | number)[],
  items: readonly unknown[],
): unknown {
  if (key === undefined) return items;
  if (typeof key === 'number') {
    const list = value as readonly unknown[];
    return list.with(key, withList(list[key], rest, items));
  }
  const map = value as Readonly<Record<string, unknown>>;
  return { ...map, [key]: withList(map[key], rest, items) };
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  return newline === -1 ? text.length : newline + 1;
}
