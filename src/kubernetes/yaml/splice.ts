import { isJsonMap, type JsonMap } from '../../base/util/json-map.ts';
import { lineBreakOf } from '../../base/util/line-break.ts';
import { isDeepStrictEqual } from 'node:util';
import {
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  type Pair,
  type ParsedNode,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { yamlToJson } from './document-to-json.ts';
import { compareYamlKeys } from './writer.ts';
import { toYaml } from './to-yaml.ts';

/**
 * Thrown if a YAML file cannot be edited by replacing parts of its text. Reasons: the file is not YAML, it has another structure than
 * expected, or the edit would also change other values.
 */
export class YamlSpliceError extends Error {}

/** A path of map keys and list indexes. */
type Path = readonly (string | number)[];

/**
 * Adds `item` to the list at `path` by inserting text. Comments, order, quoting and line breaks of the rest are kept byte for byte. The
 * list is created if it is absent or empty.
 * @param where `first` inserts the item before all others
 * @returns the new text; the same text if the list already contains an equal item
 * @throws YamlSpliceError if the value at `path` is not a list
 */
export function addToYamlList(
  text: string,
  path: Path,
  item: unknown,
  where: 'first' | 'last' = 'last',
): string {
  const items = valueAt(parse(text).value, path);
  const isPresent = isArray(items) && items.some((present) => isDeepStrictEqual(present, item));
  return isPresent ? text : appendToYamlList(text, path, item, where);
}

/** Adds `item` to the list at `path` as {@link addToYamlList} does, even if the list already contains an equal item. */
export function appendToYamlList(
  text: string,
  path: Path,
  item: unknown,
  where: 'first' | 'last' = 'last',
): string {
  const { root, value } = parse(text);
  const list = find(root, path);
  const items: unknown = valueAt(value, path) ?? [];
  if (!isArray(items)) throw new YamlSpliceError(`${path.join('.')} is not a list`);

  const expected = withValue(value, path, where === 'first' ? [item, ...items] : [...items, item]);
  if (isSeq(list)) return verified(insertItem(text, list, item, where), expected);
  return verified(addToMap(text, root, path.slice(0, -1), { [String(path.at(-1))]: [item] }), expected);
}

/**
 * Sets entries of the map at `path` by changing only their text: new keys are inserted in key order, and differing values are replaced. The
 * map is created if it is absent.
 * @throws YamlSpliceError if the value at `path` is not a map
 */
export function setInYamlMap(text: string, path: Path, entries: JsonMap): string {
  let result = text;
  for (const [key, entry] of Object.entries(entries)) {
    const { root, value } = parse(result);
    const present = valueAt(value, [...path, key]);
    if (isDeepStrictEqual(present, entry)) continue;
    const expected = withValue(value, [...path, key], entry);
    const node = find(root, [...path, key]);
    const isEmpty = node === undefined || (isScalar(node) && node.value === null);
    result = isEmpty
      ? verified(addToMap(result, root, path, { [key]: entry }), expected)
      : replaceScalar(result, node, key, entry, expected);
  }
  return result;
}

/**
 * Replaces the value of an entry of the map at `path` by one of any type, on the lines of the former one. A comment behind it is kept.
 * @throws YamlSpliceError if the entry is not on lines of its own, or if its lines have comments, which would be lost
 */
export function replaceInYamlMap(text: string, path: Path, key: string, entry: unknown): string {
  const { root, value } = parse(text);
  const map = find(root, path);
  const pair = isMap(map) ? pairOf(map, key) : undefined;
  if (!isMap(map) || pair === undefined) throw new YamlSpliceError(`${key} is not there`);
  const [start] = pair.key.range;
  const from = lineStart(text, start);
  if (map.flow === true || text.slice(from, start).trim() !== '')
    throw new YamlSpliceError(`${key} is not on lines of its own`);
  const end = pair.value?.range?.[1] ?? pair.key.range[1];
  if (/^\s*#|\s#/m.test(text.slice(start, end)))
    throw new YamlSpliceError(`${key} has comments among its lines, which would be lost`);
  const to = text[end - 1] === '\n' ? end : lineEnd(text, end);
  const eol = lineBreakOf(text);
  const comment = text[end - 1] === '\n' ? '' : text.slice(end, to).trimEnd();
  const [first = '', ...rest] = block({ [key]: entry }, start - from);
  const written = [first + comment, ...rest].map((line) => line + eol).join('');
  return verified(splice(text, from, to, written), withValue(value, [...path, key], entry));
}

/**
 * Edits one document of a stream. All other documents, and the lines between them, are kept byte for byte.
 * @param wanted returns true for the value of the document to edit
 * @returns the edited stream; undefined if `wanted` returns true for none of the documents
 * @throws YamlSpliceError as `edit` does, and for a document that is not YAML
 */
export function editYamlDocument(
  text: string,
  wanted: (value: unknown) => boolean,
  edit: (document: string, value: unknown) => string,
): string | undefined {
  const parts = text.split(/^(---(?:[ \t].*)?\r?\n)/m);
  const index = parts.findIndex((part, at) => at % 2 === 0 && wanted(parse(part).value));
  const part = parts[index];
  return part === undefined ? undefined : parts.with(index, edit(part, parse(part).value)).join('');
}

/**
 * Removes an entry, with all its lines, from the map at `path`. Comments above the entry are kept.
 * @returns the new text, or the same text if the entry does not exist
 * @throws YamlSpliceError if the removal would also remove other entries
 */
export function removeFromYamlMap(text: string, path: Path, key: string): string {
  const { root, value } = parse(text);
  const map = find(root, path);
  const index = isMap(map) ? map.items.findIndex((pair) => isScalar(pair.key) && pair.key.value === key) : -1;
  const pair = isMap(map) ? map.items[index] : undefined;
  if (!isMap(map) || pair === undefined) return text;
  const [start] = pair.key.range;
  const end = pair.value?.range?.[1] ?? pair.key.range[1];
  const previous = map.items[index - 1];
  const next = map.items[index + 1];
  const isOnOwnLine = map.flow !== true && text.slice(lineStart(text, start), start).trim() === '';
  let edited: string;
  // A value in block form (without brackets) already includes the line break of its last line.
  const blockEnd = text[end - 1] === '\n' ? end : lineEnd(text, end);
  if (isOnOwnLine) edited = splice(text, lineStart(text, start), blockEnd, '');
  else if (map.flow === true && previous !== undefined)
    edited = splice(text, previous.value?.range?.[1] ?? previous.key.range[1], end, '');
  else if (next !== undefined) edited = splice(text, start, next.key.range[0], '');
  else throw new YamlSpliceError(`${key} cannot be removed: it is the only key of its map`);
  return verified(edited, withoutKey(value, path, key));
}

/**
 * Removes the first matching item of the list at `path`, with its lines and the comment after it. Comments above the item are kept. If the
 * list had only this item, the key of the list remains without a value; a list in brackets remains as an empty list.
 * @returns the new text, or the same text if no item matches
 * @throws YamlSpliceError if the removal would also remove other items
 */
export function removeFromYamlList(
  text: string,
  path: Path,
  isMeant: (item: unknown, index: number) => boolean,
): string {
  const { root, value } = parse(text);
  const items: unknown = valueAt(value, path);
  const list = find(root, path);
  if (!isSeq(list) || !isArray(items)) return text;
  const index = items.findIndex(isMeant);
  const range = list.items[index]?.range;
  if (range === undefined || range === null) return text;
  const [start, end] = range;
  const rest = items.filter((_item, at) => at !== index);
  const isFlow = list.flow === true;
  const expected = withValue(value, path, rest.length === 0 && !isFlow ? null : rest);
  if (isFlow) {
    const [previous, next] = [list.items[index - 1]?.range, list.items[index + 1]?.range];
    if (previous) return verified(splice(text, previous[1], end, ''), expected);
    return verified(splice(text, start, next?.[0] ?? end, ''), expected);
  }
  const from = lineStart(text, start);
  if (!/^[ ]*-[ ]+$/.test(text.slice(from, start)))
    throw new YamlSpliceError(`an item of ${path.join('.')} does not begin on a line of its own`);
  const to = text[end - 1] === '\n' ? end : lineEnd(text, end);
  return verified(splice(text, from, to, ''), expected);
}

function withoutKey(value: unknown, path: Path, key: string): unknown {
  const map = valueAt(value, path);
  const rest = Object.entries(isJsonMap(map) ? map : {}).filter(([name]) => name !== key);
  return withValue(value, path, Object.fromEntries(rest));
}

function parse(text: string): { root: ParsedNode | null; value: unknown } {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw new YamlSpliceError(error.message, { cause: error });
  // Values are converted as other readers convert them. For example, `38e41947` is a text, because it exceeds the range of numbers.
  // Ambiguous values are refused when the file is read, not here.
  return { root: document.contents, value: yamlToJson(document, () => undefined) };
}

/**
 * Parses the edited text again and returns the text. Throws if its value is not the expected value, because then the edit has also changed
 * other values.
 */
function verified(text: string, expected: unknown): string {
  const { value } = parse(text);
  if (!isDeepStrictEqual(value, expected))
    throw new YamlSpliceError('the edit would also change other parts of the file');
  return text;
}

function find(root: ParsedNode | null, path: Path): ParsedNode | undefined {
  let node: ParsedNode | null | undefined = root;
  for (const key of path) {
    if (typeof key === 'number') node = isSeq(node) ? node.items[key] : undefined;
    else node = isMap(node) ? pairOf(node, key)?.value : undefined;
  }
  return node ?? undefined;
}

function pairOf(map: YAMLMap.Parsed, key: string): Pair<ParsedNode, ParsedNode | null> | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

function insertItem(text: string, list: YAMLSeq.Parsed, item: unknown, where: 'first' | 'last'): string {
  const [start, end] = list.range;
  if (list.flow === true) {
    const json = JSON.stringify(item);
    if (list.items.length === 0) return splice(text, start + 1, start + 1, json);
    if (where === 'first') return splice(text, start + 1, start + 1, `${json}, `);
    const last = list.items.at(-1)?.range?.[1] ?? end - 1;
    return splice(text, last, last, `, ${json}`);
  }
  const lines = block([item], columnOf(text, start));
  return insertLines(text, where === 'first' ? lineStart(text, start) : end, lines);
}

/** Adds entries to the map at `path`. Creates missing maps on the path. */
function addToMap(text: string, root: ParsedNode | null, path: Path, entries: JsonMap): string {
  const node = find(root, path);
  if (isMap(node)) return insertEntry(text, node, entries);
  const isEmpty = node === undefined || (isScalar(node) && node.value === null);
  const [key, ...above] = path.toReversed();
  if (isEmpty && typeof key === 'string') return addToMap(text, root, above.reverse(), { [key]: entries });
  if (isEmpty && key === undefined) return insertLines(text, text.length, block(entries, 0));
  throw new YamlSpliceError(`${path.join('.')} is not a map`);
}

function insertEntry(text: string, map: YAMLMap.Parsed, entries: JsonMap): string {
  const [start, end] = map.range;
  const [[key, value] = ['', null]] = Object.entries(entries);
  const present = pairOf(map, key);
  if (map.flow === true) {
    if (present !== undefined)
      throw new YamlSpliceError(`${key} has an empty value in a map in braces, which op-sdk cannot edit`);
    const json = `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
    const last = map.items.at(-1);
    if (last === undefined) return splice(text, start + 1, start + 1, json);
    const at = (last.value ?? last.key).range[1];
    return splice(text, at, at, `, ${json}`);
  }
  const column = columnOf(text, start);
  if (present !== undefined) {
    // The key is written without a value (`key:`), so the value is inserted on the lines below.
    const [, keyEnd] = present.key.range;
    const lines = block(entries, column).slice(1);
    return insertLines(text, lineEnd(text, keyEnd), lines);
  }
  // The first entry of a map that is a list item is on the line of the dash.
  const isInList = text.slice(lineStart(text, start), start).trim() !== '';
  const next = map.items.find(
    (pair, index) =>
      !(isInList && index === 0) && isScalar(pair.key) && compareYamlKeys(String(pair.key.value), key) > 0,
  );
  const at =
    next === undefined
      ? end
      : next === map.items[0]
        ? lineStart(text, start)
        : aboveComments(text, next.key.range[0]);
  return insertLines(text, at, block(entries, column));
}

/**
 * Replaces the text of a scalar. If possible, writes the new value in the format of generated files, even if it takes several lines;
 * otherwise writes it as JSON.
 */
function replaceScalar(
  text: string,
  node: ParsedNode,
  key: string,
  value: unknown,
  expected: unknown,
): string {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  if (!isScalar(node) || !isPlain)
    throw new YamlSpliceError('expected a single value to replace, got a list, a map or nothing');
  const [start, end] = node.range;
  const eol = lineBreakOf(text);
  const indent = /^[ ]*(?:- +)*/.exec(text.slice(lineStart(text, start)))?.[0].length ?? 0;
  const written = block({ [key]: value }, indent)
    .join(eol)
    .slice(indent);
  // A value that occupies lines of its own includes the line break of its last line, so the new text also needs one.
  const tail = text[end - 1] === '\n' ? eol : '';
  const replaced = splice(text, start, end, written.slice(toYaml(key).trimEnd().length + 2) + tail);
  try {
    return verified(replaced, expected);
  } catch (error) {
    // The format of generated files may be invalid inside braces or before a comment, so the value is written as JSON.
    if (!(error instanceof YamlSpliceError)) throw error;
    return verified(splice(text, start, end, JSON.stringify(value) + tail), expected);
  }
}

/** Returns the lines of a value in YAML block form (without brackets), indented to `column`. */
function block(value: unknown, column: number): string[] {
  const indent = ' '.repeat(column);
  return toYaml(value)
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? line : indent + line));
}

function insertLines(text: string, at: number, lines: readonly string[]): string {
  const eol = lineBreakOf(text);
  const glue = at > 0 && text[at - 1] !== '\n' ? eol : '';
  return splice(text, at, at, glue + lines.map((line) => line + eol).join(''));
}

function splice(text: string, start: number, end: number, insertion: string): string {
  return text.slice(0, start) + insertion + text.slice(end);
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  return newline === -1 ? text.length : newline + 1;
}

function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

/**
 * Returns the offset of the first of the comment lines directly above the line of `offset`. Without such comments, returns the start of the
 * line itself.
 */
function aboveComments(text: string, offset: number): number {
  let start = lineStart(text, offset);
  while (start > 0) {
    const previous = lineStart(text, start - 1);
    if (!/^\s*#/.test(text.slice(previous, start))) return start;
    start = previous;
  }
  return start;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (typeof key === 'number') return isArray(inner) ? inner[key] : undefined;
    return isJsonMap(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
  }, value);
}

function withValue(value: unknown, path: Path, leaf: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return leaf;
  if (typeof key === 'number') {
    return isArray(value)
      ? value.map((item, index) => (index === key ? withValue(item, rest, leaf) : item))
      : value;
  }
  const object = isJsonMap(value) ? value : {};
  return { ...object, [key]: withValue(object[key], rest, leaf) };
}

function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
