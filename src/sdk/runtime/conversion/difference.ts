import { isJsonMap, ownField, isEqualJson, setOwnField, canonicalJson } from '../../../base/util/json-map.ts';

/** Fields that identify an item of a list by convention. The first of these fields that an item has is used. */
const identityFields = ['name', 'key', 'id', 'type'];

/** Maximum number of pairwise comparisons of list items by content. Longer lists of changed items are matched without these comparisons. */
const mostComparisons = 250_000;

/** Matched items of two lists, as a map from the index in one list to the index in the other. Each index occurs at most once. */
type Matches = ReadonlyMap<number, number>;

/**
 * Matches the items of two lists. An item is matched with an equal item, else with an item of the same `name`, `key`, `id` or `type`, else
 * with an item that has the same fields and more (or fewer), else with the item at the same position.
 *
 * @param byPlace true to match by position. Must be false if an item was removed, because each later item would match its neighbour
 */
function matchItems(
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

/** Matches the items of two unrelated lists, but only equal items and items with the same identifying field. */
function matchTwins(
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
  // Iterates backwards, so that `pop` returns the first of several equal items.
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

/** Returns the field that identifies an item, such as `name:"http"`; undefined if the item has no such field. */
function identityOf(item: unknown): string | undefined {
  if (!isJsonMap(item)) return undefined;
  for (const field of identityFields) {
    const value = ownField(item, field);
    if (typeof value === 'string' || typeof value === 'number') return `${field}:${JSON.stringify(value)}`;
  }
  return undefined;
}

/** Three states of a list, for a three-way merge. */
interface Lists {
  /** The list before the edit, as computed from the object that was edited. */
  readonly was: readonly unknown[];
  /** The kept list, into which the edit is merged. */
  readonly is: readonly unknown[];
  /** The list after the edit, as computed from the object that was edited. */
  readonly now: readonly unknown[];
}

/**
 * Merges an edit (from `was` to `now`) into a kept list (`is`). The result has the order and number of the items of `now`, plus the hidden
 * items: those of `is` without a counterpart in `was`. A hidden item stays behind the item that precedes it in `is`; it comes first if it
 * has no predecessor, and last if the predecessor was removed. Items of `was` without a counterpart in `is` are omitted unless they were
 * edited.
 *
 * @param mergeItem merges three states of one item
 */
function mergeLists(
  { was, is, now }: Lists,
  mergeItem: (was: unknown, is: unknown, now: unknown) => unknown,
): readonly unknown[] {
  const keptOfWas = matchItems(was, is, { byPlace: was.length <= is.length });
  const wasOfNow = matchItems(now, was, { byPlace: now.length >= was.length });
  const shown = new Set(keptOfWas.values());
  const hidden = [...is.keys()].filter((index) => !shown.has(index));
  const added = [...now.keys()].filter((index) => !wasOfNow.has(index));
  // An added item that matches a hidden item (a kept item without a counterpart in `was`) is merged with it, because two items of the same
  // name would be invalid.
  const twins = matchTwins(now, added, is, hidden);
  const hiddenAfter = followers(is, shown, new Set(twins.values()));

  const result = [...(hiddenAfter.get(undefined) ?? [])];
  for (const [index, item] of now.entries()) {
    const old = wasOfNow.get(index);
    const kept = old === undefined ? twins.get(index) : keptOfWas.get(old);
    if (kept !== undefined) {
      result.push(mergeItem(old === undefined ? {} : was[old], is[kept], item));
      result.push(...takeFrom(hiddenAfter, kept));
    } else if (old === undefined || !isEqualJson(was[old], item)) result.push(item);
  }
  hiddenAfter.delete(undefined);
  return [...result, ...[...hiddenAfter.values()].flat()];
}

function takeFrom(lists: Map<number | undefined, readonly unknown[]>, index: number): readonly unknown[] {
  const list = lists.get(index) ?? [];
  lists.delete(index);
  return list;
}

/**
 * Returns the hidden items (the items without a counterpart in `was`) that follow each shown item, by the index of the shown item. The
 * hidden items before the first shown item have the key `undefined`.
 */
function followers(
  is: readonly unknown[],
  shown: ReadonlySet<number>,
  twins: ReadonlySet<number>,
): Map<number | undefined, readonly unknown[]> {
  const lists = new Map<number | undefined, unknown[]>();
  let last: number | undefined;
  for (const [index, item] of is.entries()) {
    if (shown.has(index)) last = index;
    else if (!twins.has(index)) {
      const list = lists.get(last);
      if (list === undefined) lists.set(last, [item]);
      else list.push(item);
    }
  }
  return lists;
}

/**
 * Part of an object that cannot be computed from its converted form. Consists of two partial objects with only the fields that differ.
 * Lists that differ are contained completely.
 */
export interface Difference {
  /** The value that results from converting the object forth and back. */
  readonly was: unknown;
  /** The original value in the object. */
  readonly is: unknown;
}

/** Returns the fields in which two values differ; undefined if they are equal. */
export function differenceOf(was: unknown, is: unknown): Difference | undefined {
  if (isEqualJson(was, is)) return undefined;
  if (!isJsonMap(was) || !isJsonMap(is)) return { was, is };
  const wasPart: Record<string, unknown> = {};
  const isPart: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const inner = differenceOf(ownField(was, key), ownField(is, key));
    if (inner === undefined) continue;
    if (inner.was !== undefined) setOwnField(wasPart, key, inner.was);
    if (inner.is !== undefined) setOwnField(isPart, key, inner.is);
  }
  return { was: wasPart, is: isPart };
}

/**
 * Restores the kept part of a difference in a value, except where the value was edited in the meantime (three-way merge).
 * `restore(differenceOf(a, b), a)` equals `b`. An edit takes precedence over the kept part at the same position. Positions are the fields
 * of objects and the items of lists.
 */
export function restore({ was, is }: Difference, now: unknown): unknown {
  if (isJsonMap(is) && isJsonMap(now) && (isJsonMap(was) || was === undefined)) {
    const base = was ?? {};
    const result: Record<string, unknown> = {};
    for (const key of new Set([...Object.keys(now), ...Object.keys(is)])) {
      const known = Object.hasOwn(base, key) || Object.hasOwn(is, key);
      const value = ownField(now, key);
      const merged = known ? restore({ was: ownField(base, key), is: ownField(is, key) }, value) : value;
      if (merged !== undefined) setOwnField(result, key, merged);
    }
    return result;
  }
  if (isEqualJson(now, was)) return is;
  if (Array.isArray(is) && Array.isArray(now) && (Array.isArray(was) || was === undefined))
    return mergeLists({ was: was ?? [], is, now }, restoreItem);
  return now;
}

/** Restores one item of a list. The items of a difference are complete, so a field that only `now` lacks has been removed by an edit. */
const restoreItem = (was: unknown, is: unknown, now: unknown): unknown =>
  restore(differenceOf(was, is) ?? { was: {}, is: {} }, now);
