import {
  isJsonMap,
  jsonListOf,
  jsonMapOf,
  jsonTextOf,
  type JsonMap,
  canonicalJson,
} from '../../../base/util/json-map.ts';

/** Schema node of a CRD as JSON: `JSONSchemaProps` of apiextensions v1. */
export type Schema = JsonMap;

/** Schema that accepts every value and keeps all of its fields. */
export const anything: Schema = { 'x-kubernetes-preserve-unknown-fields': true };

/** Kind of values that a schema node accepts. `anything` means that the node has no type. */
export type NodeKind =
  | 'anything'
  | 'int-or-string'
  | 'object'
  | 'array'
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | (string & {});

export function kindOf(schema: Schema): NodeKind {
  const type = jsonTextOf(schema['type']);
  if (type !== '') return type;
  return schema['x-kubernetes-int-or-string'] === true ? 'int-or-string' : 'anything';
}

/** Keywords that only document a schema and do not restrict values. */
export const documentationKeywords = ['description', 'title', 'example', 'externalDocs'] as const;

/** Returns true if a schema node accepts every value and keeps all of its fields. */
export function isAnything(schema: Schema): boolean {
  return Object.keys(schema).every(
    (key) =>
      key === 'x-kubernetes-preserve-unknown-fields' ||
      key === 'nullable' ||
      (documentationKeywords as readonly string[]).includes(key),
  );
}

export function keepsUnknown(schema: Schema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true;
}

/** Returns the fields that a schema declares, with their schemas. */
export function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  const properties = jsonMapOf(schema['properties']);
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, jsonMapOf(value)]));
}

/** Returns the schema of the fields that a schema does not declare; undefined if undeclared fields are pruned. */
export function othersOf(schema: Schema): Schema | undefined {
  const others = schema['additionalProperties'];
  if (isJsonMap(others)) return others;
  return others === true || keepsUnknown(schema) ? anything : undefined;
}

/** Returns the schema of the items of a list; undefined if the node declares none. */
export function itemsOf(schema: Schema): Schema | undefined {
  const { items } = schema;
  if (isJsonMap(items)) return items;
  return keepsUnknown(schema) ? anything : undefined;
}

export function requiredOf(schema: Schema): readonly string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

/** Returns the list type, which determines how server-side apply merges a list. The default is `atomic`. */
export function listTypeOf(schema: Schema): string {
  return jsonTextOf(schema['x-kubernetes-list-type']) || 'atomic';
}

/** Returns the map type, which determines how server-side apply merges an object. The default is `granular`. */
export function mapTypeOf(schema: Schema): string {
  return jsonTextOf(schema['x-kubernetes-map-type']) || 'granular';
}

/** Returns true if a schema node has CEL rules. Such rules may also read the fields and items inside of the node. */
export function hasRules(schema: Schema): boolean {
  return jsonListOf(schema['x-kubernetes-validations']).length > 0;
}

/** Fields that every Kubernetes object has. */
export const metaFields: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/**
 * Adds apiVersion, kind and metadata to a schema node. The API server always keeps these fields in objects, and they are always present,
 * even if the schema does not list them.
 *
 * @param alwaysPresent names of the fields that are always present
 */
export function withMetaFields(schema: Schema, alwaysPresent: readonly string[] = metaFields): Schema {
  const properties = propertiesOf(schema);
  const metadata = properties['metadata'] ?? {};
  return {
    ...schema,
    required: requiredOf(schema).filter((name) => !alwaysPresent.includes(name)),
    properties: {
      ...properties,
      apiVersion: { type: 'string', ...properties['apiVersion'] },
      kind: { type: 'string', ...properties['kind'] },
      metadata: {
        ...metadata,
        type: 'object',
        // Keep all fields of the metadata: the API server has already removed unknown fields of ObjectMeta, and keeps the known ones.
        'x-kubernetes-preserve-unknown-fields': true,
        properties: {
          name: { type: 'string' },
          generateName: { type: 'string' },
          ...jsonMapOf(metadata['properties']),
        },
      },
    },
  };
}

/** Returns a value as JSON for a message, shortened if longer than 60 characters. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`;
}

/** Node that surrounds a field, and the step from this node towards the field. */
export interface Surrounding {
  readonly schema: Schema;
  /** Name of the declared field to which the step leads; undefined for items of lists and values of maps. */
  readonly name: string | undefined;
}

/**
 * Returns the reason why a default that appears in existing objects may violate a condition on a surrounding node. An object that was valid
 * without the field may be invalid with it.
 *
 * @param around surrounding nodes, from the root to the nearest node
 * @returns the reason; undefined if no condition involves the field
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

/**
 * Returns true if the value of `allOf`, `anyOf`, `oneOf` or `not` involves the first field of a path: by name, or by a keyword that applies
 * to all fields of the object.
 */
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
