import { isObject, type Json, type JsonObject } from '../resource.ts';
import { setKey } from '../transform/field-spec.ts';
import { copyNotes } from '../written-values.ts';

/**
 * A copy in which nothing occurs twice: the parser gives YAML's aliases as one object, but a build changes objects in place.
 *
 * @param count called once for each value; may throw to end the copying
 */
export function copyJson<T extends Json>(value: T, count: () => void): T;
export function copyJson(value: Json, count: () => void): Json {
  count();
  if (Array.isArray(value)) return value.map((item) => copyJson(item, count));
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const [key, field] of Object.entries(value)) setKey(copy, key, copyJson(field, count));
  copyNotes(value, copy);
  return copy;
}
