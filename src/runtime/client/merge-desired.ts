type Json = unknown;

/**
 * What exists, with what is desired put over it. Gives `current` itself if that has all that is desired: what is only in `current`, such as a
 * default of the server, is not a difference. A list of the same length whose items all have what is desired, by position, is kept; any other list is
 * replaced, because a position says nothing about which item it is.
 */
export function mergeDesired(current: Json, desired: Json): Json {
  if (desired === undefined) return current;
  if (Array.isArray(desired)) {
    if (!Array.isArray(current) || current.length !== desired.length) return desired;
    return desired.every((item, i) => mergeDesired(current[i], item) === current[i]) ? current : desired;
  }
  if (!isRecord(desired)) return desired;
  if (!isRecord(current)) return desired;
  const changed = Object.entries(desired).flatMap(([key, value]): [string, Json][] => {
    const present = Object.hasOwn(current, key) ? current[key] : undefined;
    const merged = mergeDesired(present, value);
    return merged === present ? [] : [[key, merged]];
  });
  return changed.length === 0 ? current : { ...current, ...Object.fromEntries(changed) };
}

function isRecord(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
