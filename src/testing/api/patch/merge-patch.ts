import { isJsonObject, type Json, type JsonObject } from '../json.ts';

/** RFC 7386. */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const result: JsonObject = isJsonObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = mergePatch(result[name] ?? null, value);
  }
  return result;
}
