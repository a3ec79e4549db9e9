import { isJsonMap, jsonListOf } from '../../../base/util/json-map.ts';

// The functions below read a value of a wrong type as empty. The check of the ClusterServiceVersion's shape reports such values once, so
// that other checks need not.
export {
  jsonListOf as listOf,
  jsonMapOf as mapOf,
  jsonTextOf as textOf,
} from '../../../base/util/json-map.ts';

/** Returns the items of a list that are texts. */
export function textsOf(value: unknown): readonly string[] {
  return jsonListOf(value).filter((item) => typeof item === 'string');
}

/** Returns the value at the end of a chain of keys; undefined if a key is missing. */
export function fieldAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  let current = value;
  for (const key of path) {
    if (Array.isArray(current)) current = (current as readonly unknown[])[Number(key)];
    else if (isJsonMap(current) && Object.hasOwn(current, key)) current = current[key];
    else return undefined;
  }
  return current;
}

/** Formats a path for messages, such as `spec.install.spec.deployments[0].name`. */
export function fieldName(path: readonly (string | number)[]): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`))
    .join('');
}
