import { isMap, type JsonMap } from '../json.ts';

/** The value if it is a mapping, else an empty one: what is no mapping is reported once, by the check of its shape. */
export function mapOf(value: unknown): JsonMap {
  return isMap(value) ? value : {};
}

/** The value if it is a list, else an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** The value if it is text, else `''`. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The texts of a list. */
export function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((item) => typeof item === 'string');
}

/** The value behind a chain of keys; undefined if one of them is missing. */
export function fieldAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  let current = value;
  for (const key of path) {
    if (Array.isArray(current)) current = (current as readonly unknown[])[Number(key)];
    else if (isMap(current) && Object.hasOwn(current, key)) current = current[key];
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
