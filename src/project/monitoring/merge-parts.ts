/** A part of a file that users edit: an alert, a panel, a setting of the dashboard. */
export interface Part<T> {
  /** Name of the part, which is the same in every run. */
  readonly key: string;
  readonly value: T;
  /** Hash of the part's content. */
  readonly hash: string;
}

/** A part of the merged file. A part whose key op-sdk never generates belongs to the user. */
export interface MergedPart<T> {
  readonly key: string;
  readonly value: T;
  /** Index of the part in the file; undefined for a new part. */
  readonly former: number | undefined;
  /** True if the part is new, or has a new value. */
  readonly isChanged: boolean;
}

/** The parts after a run, and the edited parts that the run has kept. */
export interface MergedParts<T> {
  /** All parts in their new order. */
  readonly parts: readonly MergedPart<T>[];
  /** Hashes to be recorded for the next run. */
  readonly recorded: RecordedHashes;
  /** Keys of edited parts whose generated version has changed with this run. */
  readonly outdated: readonly string[];
}

/** Hashes of the parts as op-sdk wrote them last, by key. PROJECT records them. */
export type RecordedHashes = Readonly<Record<string, string>>;

/**
 * Merges the parts that op-sdk generates into those of a file. Changes, removals and additions by the user are kept, and so is the order.
 * Parts without edits are updated, or removed if they are no longer generated. New parts are inserted after their predecessor.
 * @param present parts of the file in their order
 * @param generated parts as op-sdk writes them now, in their order
 * @param recorded hashes of the last run, which distinguish an edited part from an outdated one, and a removed part from a new one
 */
export function mergeParts<T>(
  present: readonly Part<T>[],
  generated: readonly Part<T>[],
  recorded: RecordedHashes,
): MergedParts<T> {
  const recordedHash = (key: string): string | undefined =>
    Object.hasOwn(recorded, key) ? recorded[key] : undefined;
  const wanted = new Map(generated.map((part) => [part.key, part]));
  const hashes = new Map<string, string>();
  const outdated: string[] = [];
  const parts: MergedPart<T>[] = [];
  const seen = new Set<string>();
  for (const [former, { key, value, hash }] of present.entries()) {
    const kept = { key, value, former, isChanged: false };
    // If two parts have the same key, the second one belongs to the user.
    const next = seen.has(key) ? undefined : wanted.get(key);
    const isUnedited = !seen.has(key) && recordedHash(key) === hash;
    seen.add(key);
    if (next === undefined) {
      if (!isUnedited) parts.push(kept);
    } else if (next.hash === hash) {
      parts.push(kept);
      hashes.set(key, hash);
    } else if (isUnedited) {
      parts.push({ ...kept, value: next.value, isChanged: true });
      hashes.set(key, next.hash);
    } else {
      parts.push(kept);
      // The former hash is kept, so that the part is updated again once the user has undone the edit.
      const former = recordedHash(key);
      hashes.set(key, former ?? next.hash);
      if (former !== next.hash) outdated.push(key);
    }
  }
  for (const [index, { key, value, hash }] of generated.entries()) {
    if (seen.has(key)) continue;
    const former = recordedHash(key);
    hashes.set(key, former ?? hash);
    // A recorded part that the file lacks was removed by the user.
    if (former !== undefined) continue;
    const before = new Set(generated.slice(0, index).map((each) => each.key));
    const at = parts.findLastIndex((each) => before.has(each.key));
    const place = at === -1 && before.size > 0 ? parts.length : at + 1;
    parts.splice(place, 0, { key, value, former: undefined, isChanged: true });
  }
  return { parts, recorded: Object.fromEntries(hashes), outdated };
}
