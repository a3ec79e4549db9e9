import { isJsonMap } from '../../../base/util/json-map.ts';
import { isDeepStrictEqual } from 'node:util';
import { pathOf } from '../cache/index.ts';

type Json = unknown;

/**
 * Merges the desired fields into an object that exists. Gives `current` itself if that has all that is desired: what is only in `current`, such as a
 * default of the server, is not a difference. A list of the same length whose items all have what is desired, by position, is kept; any other list is
 * replaced, because a position says nothing about which item it is.
 *
 * @param atomic paths of maps and lists that are one value: they are replaced unless they are equal
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

/** Fields of an object and its metadata, labels and annotations, of which others always have some. */
const shared = new Set(
  [[], ['metadata'], ['metadata', 'labels'], ['metadata', 'annotations']].map((path) =>
    path.reduce(pathOf, ''),
  ),
);

/** True if a map that is desired has more fields in `current`: defaults, or what somebody added to a value that is the writer's alone. */
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

/** Without fields that are undefined, which JSON leaves out. */
function defined(value: Json): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
