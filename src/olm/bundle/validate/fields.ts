import { isJsonMap, jsonListOf } from '../../../base/util/json-map.ts';

// Values of another type are reported once, by the check of the shape; all other checks read them as empty.
export {
  jsonListOf as listOf,
  jsonMapOf as mapOf,
  jsonTextOf as textOf,
} from '../../../base/util/json-map.ts';

/** The texts of a list. */
export function textsOf(value: unknown): readonly string[] {
  return jsonListOf(value).filter((item) => typeof item === 'string');
}

/** The value behind a chain of keys; undefined if one of them is missing. */
export function fieldAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  let current = value;
  for (const key of path) {
    if (Array.isArray(current)) current = (current as readonly unknown[])[Number(key)];
    else if (isJsonMap(current) && Object.hasOwn(current, key)) current = current[key];
    else return undefined;
  }
  return current;
}

/** A path as messages write it: `spec.install.spec.deployments[0].name`. */
export function fieldName(path: readonly (string | number)[]): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`))
    .join('');
}
