import { canonicalJson, isJsonMap } from '../../../base/util/json-map.ts';
import { ownField } from './json-value.ts';

/** The fields that name an item among its siblings by convention; the first that an item has counts. */
const identityFields = ['name', 'key', 'id', 'type'];

/** Comparing each item with each other costs their product; longer lists of changed items are matched without it. */
const mostComparisons = 250_000;

/** Counterparts in two lists: index to index, each index at most once. */
export type Matches = ReadonlyMap<number, number>;

/**
 * Finds the counterpart of each item: an equal one, else one of the same `name`, `key`, `id` or `type`, else one that has the same fields
 * and more (or fewer), else the one at the same place.
 *
 * @param byPlace whether the place says anything: it does not where an item was removed, for then each item that followed it would be
 *   taken for its neighbour
 */
export function matchItems(
  left: readonly unknown[],
  right: readonly unknown[],
  { byPlace }: { readonly byPlace: boolean },
): Matches {
  const pairs = new Map<number, number>();
  const matchWith = (find: (lefts: readonly number[], rights: readonly number[]) => Matches): void => {
    const taken = new Set(pairs.values());
    const lefts = [...left.keys()].filter((index) => !pairs.has(index));
    const rights = [...right.keys()].filter((index) => !taken.has(index));
    if (lefts.length > 0 && rights.length > 0)
      for (const [from, to] of find(lefts, rights)) pairs.set(from, to);
  };
  matchWith((lefts, rights) => matchByText(left, lefts, right, rights, canonicalJson));
  matchWith((lefts, rights) => matchByText(left, lefts, right, rights, identityOf));
  matchWith((lefts, rights) => matchByContent(left, lefts, right, rights));
  if (byPlace)
    matchWith((lefts, rights) => {
      const free = new Set(rights);
      const same = lefts.filter(
        (index) =>
          free.has(index) &&
          !(identityOf(left[index]) !== undefined && identityOf(right[index]) !== undefined),
      );
      return new Map(same.map((index) => [index, index]));
    });
  return pairs;
}

/** Counterparts among unlike lists: only equal items and those of the same name. */
export function matchTwins(
  left: readonly unknown[],
  lefts: readonly number[],
  right: readonly unknown[],
  rights: readonly number[],
): Matches {
  const equal = matchByText(left, lefts, right, rights, canonicalJson);
  const taken = new Set(equal.values());
  const named = matchByText(
    left,
    lefts.filter((index) => !equal.has(index)),
    right,
    rights.filter((index) => !taken.has(index)),
    identityOf,
  );
  return new Map([...equal, ...named]);
}

function matchByText(
  left: readonly unknown[],
  lefts: readonly number[],
  right: readonly unknown[],
  rights: readonly number[],
  textOf: (item: unknown) => string | undefined,
): Matches {
  const places = new Map<string, number[]>();
  // Reversed, so that `pop` gives the first of equal items.
  for (const index of [...rights].reverse()) {
    const text = textOf(right[index]);
    if (text === undefined) continue;
    const others = places.get(text);
    if (others === undefined) places.set(text, [index]);
    else others.push(index);
  }
  const pairs = new Map<number, number>();
  for (const index of lefts) {
    const text = textOf(left[index]);
    const place = text === undefined ? undefined : places.get(text)?.pop();
    if (place !== undefined) pairs.set(index, place);
  }
  return pairs;
}

function matchByContent(
  left: readonly unknown[],
  lefts: readonly number[],
  right: readonly unknown[],
  rights: readonly number[],
): Matches {
  const pairs = new Map<number, number>();
  if (lefts.length * rights.length > mostComparisons) return pairs;
  const free = new Set(rights);
  for (const index of lefts)
    for (const place of free) {
      if (!hasSameContent(left[index], right[place])) continue;
      pairs.set(index, place);
      free.delete(place);
      break;
    }
  return pairs;
}

const hasSameContent = (a: unknown, b: unknown): boolean =>
  isJsonMap(a) &&
  isJsonMap(b) &&
  Object.keys(a).length * Object.keys(b).length > 0 &&
  (contains(a, b) || contains(b, a));

function contains(whole: unknown, part: unknown): boolean {
  if (!isJsonMap(whole) || !isJsonMap(part)) return canonicalJson(whole) === canonicalJson(part);
  return Object.keys(part).every((key) => Object.hasOwn(whole, key) && contains(whole[key], part[key]));
}

/** Returns the field that names an item, such as `name:"http"`; undefined if nothing does. */
function identityOf(item: unknown): string | undefined {
  if (!isJsonMap(item)) return undefined;
  for (const field of identityFields) {
    const value = ownField(item, field);
    if (typeof value === 'string' || typeof value === 'number') return `${field}:${JSON.stringify(value)}`;
  }
  return undefined;
}
