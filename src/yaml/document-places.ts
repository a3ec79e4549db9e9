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
  return (path) => {
    let part = root;
    let offset = root?.start ?? 0;
    for (const segment of path) {
      if (part === undefined) break;
      const parts = (owners.get(part.value) ?? part).parts;
      const next = Array.isArray(part.value)
        ? itemOf(part.value, parts, Number(segment))
        : pairOf(parts, String(segment));
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

function itemOf(items: readonly unknown[], parts: readonly DocumentPart[], index: number): Found | undefined {
  let next = 0;
  for (const [at, item] of items.entries()) {
    const part = parts[next];
    // An item without any text has no part.
    const isThere = part !== undefined && Object.is(part.value, item);
    if (at === index) return isThere ? { at: part, part } : undefined;
    if (isThere) next++;
  }
  return undefined;
}

/** Of a key that is given twice the last one, whose value counts. */
function pairOf(parts: readonly DocumentPart[], key: string): Found | undefined {
  let found: Found | undefined;
  for (let index = 0; index < parts.length; index += 2) {
    const at = parts[index];
    if (at !== undefined && String(at.value) === key) found = { at, part: parts[index + 1] };
  }
  return found;
}
