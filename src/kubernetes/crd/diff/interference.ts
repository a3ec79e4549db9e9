import { canonicalJson, isJsonMap, jsonListOf, jsonMapOf, jsonTextOf } from '../../../base/util/json-map.ts';
import type { Schema } from './schema-node.ts';

/** A node around a field, and the step that leads from it towards the field. */
export interface Surrounding {
  readonly schema: Schema;
  /** The name of a declared field; undefined for items and values of maps. */
  readonly name: string | undefined;
}

/**
 * Why a default that appears in existing objects may break a condition on what is around it: an object without the field
 * may have satisfied what the object with it does not.
 *
 * @param around from the root to the nearest
 * @returns undefined if no condition looks at the field
 */
export function interference(around: readonly Surrounding[]): string | undefined {
  for (const [depth, { schema, name }] of around.entries()) {
    const isNearest = depth === around.length - 1;
    if (isNearest && typeof schema['maxProperties'] === 'number')
      return `the object has at most ${schema['maxProperties']} fields`;
    if (jsonListOf(schema['enum']).length > 0)
      return 'the values of the object around it are listed in an enum';
    if (schema['x-kubernetes-list-type'] === 'set') return 'it is inside of the items of a set';
    const inner = around.slice(depth).map((step) => step.name);
    const junctor = ['allOf', 'anyOf', 'oneOf', 'not'].find((keyword) => mentions(schema[keyword], inner));
    if (junctor !== undefined) return `${junctor} of the object around it looks at it`;
    const last = [...inner].reverse().find((step) => step !== undefined) ?? name ?? '';
    const rule = jsonListOf(schema['x-kubernetes-validations'])
      .map((item) => jsonTextOf(jsonMapOf(item)['rule']))
      .find((text) => text.includes(last) || /__\w+__/.test(text));
    if (rule !== undefined) return `the rule ${JSON.stringify(rule)} looks at it`;
  }
  return undefined;
}

/** Returns true if a junctor mentions the first field of a path: by name, or with all of the object. */
function mentions(junctor: unknown, [name]: readonly (string | undefined)[]): boolean {
  if (junctor === undefined) return false;
  if (name === undefined) return true;
  if (/"(?:maxProperties|minProperties|enum|additionalProperties)"/.test(canonicalJson(junctor))) return true;
  const looks = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(looks);
    if (!isJsonMap(value)) return value === name;
    return Object.entries(value).some(([key, child]) => key === name || looks(child));
  };
  return looks(junctor);
}
