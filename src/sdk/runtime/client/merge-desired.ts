import { isDeepStrictEqual } from 'node:util';
import { isJsonMap } from '../../../base/util/json-map.ts';
import { pathOf } from '../cache/index.ts';

type Json = unknown;

/**
 * Merges the desired fields into an existing object. Returns `current` itself if it already has all desired values. Fields that exist only
 * in `current`, such as a default of the server, are not a difference. A list is kept if it has the same length and each item has all
 * values of the desired item at the same position. Any other list is replaced, because a position does not identify an item.
 *
 * @param atomic paths of atomic maps and lists, which are replaced unless they are equal
 */
export function mergeDesired(
  current: Json,
  desired: Json,
  atomic: ReadonlySet<string> = new Set(),
  path = '',
): Json {
  if (desired === undefined) return current;
  if (atomic.has(path)) return isDeepStrictEqual(current, defined(desired)) ? current : desired;
  if (Array.isArray(desired)) {
    if (!Array.isArray(current) || current.length !== desired.length) return desired;
    const isKept = (item: Json, i: number): boolean =>
      mergeDesired(current[i], item, atomic, pathOf(path, i)) === current[i];
    return desired.every(isKept) ? current : desired;
  }
  if (!isJsonMap(desired)) return desired;
  if (!isJsonMap(current)) return desired;
  const changed = Object.entries(desired).flatMap(([key, value]): [string, Json][] => {
    const present = Object.hasOwn(current, key) ? current[key] : undefined;
    const merged = mergeDesired(present, value, atomic, pathOf(path, key));
    return merged === present ? [] : [[key, merged]];
  });
  return changed.length === 0 ? current : { ...current, ...Object.fromEntries(changed) };
}

/** Paths of the object itself and its metadata, labels and annotations. These maps always contain fields of other managers. */
const shared = new Set(
  [[], ['metadata'], ['metadata', 'labels'], ['metadata', 'annotations']].map((path) =>
    path.reduce(pathOf, ''),
  ),
);

/** Returns true if a map in `current` has fields that the desired map lacks: defaults, or additions to an atomic value of the writer. */
export function hasOtherFields(current: Json, desired: Json, path = ''): boolean {
  if (typeof current !== 'object' || current === null) return false;
  if (typeof desired !== 'object' || desired === null) return desired === null;
  const parts = Object.entries(desired).filter(([, value]) => value !== undefined);
  if (!shared.has(path) && parts.length < Object.keys(current).length) return true;
  return parts.some(
    ([key, part]) =>
      Object.hasOwn(current, key) &&
      hasOtherFields((current as Readonly<Record<string, Json>>)[key], part, pathOf(path, key)),
  );
}

/** Removes undefined fields, which JSON omits. */
function defined(value: Json): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
