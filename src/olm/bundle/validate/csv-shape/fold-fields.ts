import { isJsonMap } from '../../../../base/util/json-map.ts';
import type { Shape } from './shape.ts';

/**
 * A value with the names of its fields in the case that its shape gives them, as Go's JSON reader takes them for the same.
 * @returns the value itself if it has them already
 */
export function foldFields(value: unknown, shape: Shape): unknown {
  if (shape.form === 'list' && Array.isArray(value)) {
    const items = value.map((item: unknown) => foldFields(item, shape.items));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (shape.form !== 'object' || !isJsonMap(value)) return value;
  const names = new Map(Object.keys(shape.fields).map((name) => [name.toLowerCase(), name]));
  let isFolded = false;
  const folded: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const name = Object.hasOwn(shape.fields, key) ? key : (names.get(key.toLowerCase()) ?? key);
    const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    // A field that is there in its own case counts.
    const isTaken = name !== key && Object.hasOwn(value, name);
    const result = field === undefined ? item : foldFields(item, field);
    isFolded ||= name !== key || result !== item;
    if (!isTaken) folded[name] = result;
  }
  return isFolded ? folded : value;
}
