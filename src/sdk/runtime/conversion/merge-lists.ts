import { isEqualJson } from './json-value.ts';
import { matchItems, matchTwins } from './match-items.ts';

/** Three states of a list. */
interface Lists {
  /** The list that the edited object implied before the edit. */
  readonly was: readonly unknown[];
  /** The list that was kept. */
  readonly is: readonly unknown[];
  /** The list that the edited object implies. */
  readonly now: readonly unknown[];
}

/**
 * Merges an edit (from `was` to `now`) into a kept list (`is`). Order and number are those of `now`; items that `was` did not show follow
 * the item that they followed, or come first (last if that item is gone); items that `was` had beyond `is` are left out unless they were
 * edited.
 *
 * @param mergeItem puts together three states of one item
 */
export function mergeLists(
  { was, is, now }: Lists,
  mergeItem: (was: unknown, is: unknown, now: unknown) => unknown,
): readonly unknown[] {
  const keptOfWas = matchItems(was, is, { byPlace: was.length <= is.length });
  const wasOfNow = matchItems(now, was, { byPlace: now.length >= was.length });
  const shown = new Set(keptOfWas.values());
  const hidden = [...is.keys()].filter((index) => !shown.has(index));
  const added = [...now.keys()].filter((index) => !wasOfNow.has(index));
  // A hidden item that the edit has brought as well is one with it: two of a name would not be valid.
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

/** The hidden items behind each shown one, by its index; those before the first by `undefined`. */
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
