import { isAlias, isMap, isNode, isScalar, isSeq, type Document } from 'yaml';

/** A key of an object or an index of a list. */
export type JsonPathSegment = string | number;

/** The offset in the text of the value at the path, or of the nearest value that contains it. */
export function nodeAt(document: Document.Parsed, path: readonly JsonPathSegment[]): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? document.range[0];
  for (const segment of path) {
    if (isAlias(node)) node = node.resolve(document);
    const next = child(node, segment);
    if (next === undefined) break;
    offset = startOf(next.at) ?? offset;
    node = next.value;
  }
  return offset;
}

function child(node: unknown, segment: JsonPathSegment): { at: unknown; value: unknown } | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(segment)];
    return item === undefined ? undefined : { at: item, value: item };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(segment));
  return pair === undefined ? undefined : { at: pair.key, value: pair.value };
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
