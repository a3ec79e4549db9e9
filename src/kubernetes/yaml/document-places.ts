import { loadParts, type DocumentPart } from './load-document.ts';
import type { JsonPathSegment } from './locate.ts';

/** Finds the offset of what is at a path, or of the nearest thing that contains it. */
export type DocumentPlaces = (path: readonly JsonPathSegment[]) => number;

/** The places of a document that has been read before: its key in a mapping, its item in a list. */
export function documentPlaces(text: string): DocumentPlaces {
  const root = loadParts(text);
  // An alias has no parts of its own: those of its anchor are meant.
  const owners = new Map<unknown, DocumentPart>();
  const collect = (part: DocumentPart): void => {
    if (part.parts.length > 0 && !owners.has(part.value)) owners.set(part.value, part);
    part.parts.forEach(collect);
  };
  if (root !== undefined) collect(root);
  // Very many places may be asked for, in lists and mappings of very many parts.
  const known = new Map<DocumentPart, ReadonlyMap<JsonPathSegment, Found>>();
  const childrenOf = (part: DocumentPart): ReadonlyMap<JsonPathSegment, Found> => {
    const children =
      known.get(part) ?? (Array.isArray(part.value) ? itemsOf(part.value, part.parts) : pairsOf(part.parts));
    known.set(part, children);
    return children;
  };
  return (path) => {
    let part = root;
    let offset = root?.start ?? 0;
    for (const segment of path) {
      if (part === undefined) break;
      const owner = owners.get(part.value) ?? part;
      const next = childrenOf(owner).get(Array.isArray(owner.value) ? Number(segment) : String(segment));
      if (next === undefined) break;
      offset = next.at.start;
      part = next.part;
    }
    // An explicit key begins behind the blank that follows the `?`.
    while (text[offset] === ' ') offset++;
    return offset;
  };
}

interface Found {
  readonly at: DocumentPart;
  readonly part: DocumentPart | undefined;
}

function itemsOf(items: readonly unknown[], parts: readonly DocumentPart[]): ReadonlyMap<number, Found> {
  const found = new Map<number, Found>();
  let next = 0;
  for (const [index, item] of items.entries()) {
    const part = parts[next];
    // An item without any text has no part.
    if (part === undefined || !Object.is(part.value, item)) continue;
    found.set(index, { at: part, part });
    next++;
  }
  return found;
}

/** Places of the pairs of a mapping; of a key that is given twice the last one, whose value counts. */
function pairsOf(parts: readonly DocumentPart[]): ReadonlyMap<string, Found> {
  const found = new Map<string, Found>();
  for (let index = 0; index < parts.length; index += 2) {
    const at = parts[index];
    if (at !== undefined) found.set(String(at.value), { at, part: parts[index + 1] });
  }
  return found;
}
