import {
  hasDefault,
  goJson,
  isObject,
  type Json,
  objectMetaSchema,
  fieldSchema,
  isOpen,
  type Schema,
  type Step,
} from '../../../kubernetes/objects/index.ts';

/** Ownership of an object in server-side apply: it is owned as a unit if `isAtomic` is true, otherwise field by field. */
export interface MapAtom {
  readonly kind: 'map';
  readonly isAtomic: boolean;
  /** Returns the schema of a field that the object's schema declares; undefined for other fields. */
  field(name: string): Schema | undefined;
  /** Returns the schema of a field, declared or additional; undefined if the object's schema does not allow the field. */
  value(name: string): Schema | undefined;
}

export interface ListAtom {
  readonly kind: 'list';
  readonly isAtomic: boolean;
  /** Fields that identify an item of the list; empty for a set. */
  readonly keys: readonly string[];
  readonly items: Schema;
}

type Atom = MapAtom | ListAtom | { readonly kind: 'scalar' };

/** Schema of untyped values: a list is owned as a unit, the fields of an object individually. */
const untyped: Schema = { 'x-kubernetes-preserve-unknown-fields': true };

/** Schemas of the standard fields of an embedded resource. They override the schemas that the resource itself declares for these fields. */
const resourceFields: Readonly<Record<string, Schema>> = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: objectMetaSchema,
};

const scalar: Atom = { kind: 'scalar' };

/**
 * Returns how a value is owned. The schema determines it or, if the schema has no type, the value itself. Source: kube-openapi
 * `pkg/schemaconv`, structured-merge-diff `deduceAtom`.
 */
export function atomOf(schema: Schema, value: Json | undefined): Atom {
  switch (schema.type) {
    case 'object':
      return mapAtom(schema);
    case 'array':
      return listAtom(schema);
    case undefined:
      if (Array.isArray(value)) return listAtom(schema);
      // A missing value counts as a map, as on the server.
      return isObject(value) || value === null || value === undefined ? mapAtom(schema) : scalar;
    default:
      return scalar;
  }
}

function mapAtom(schema: Schema): MapAtom {
  const { additionalProperties, properties } = schema;
  const isFree = isOpen(schema) || Object.keys(properties ?? {}).length === 0;
  const rest =
    typeof additionalProperties === 'object'
      ? additionalProperties
      : additionalProperties === true || (additionalProperties === undefined && isFree)
        ? untyped
        : undefined;
  const isResource = schema['x-kubernetes-embedded-resource'] === true;
  const field = (name: string): Schema | undefined =>
    (isResource && Object.hasOwn(resourceFields, name) ? resourceFields[name] : undefined) ??
    fieldSchema(schema, name);
  return {
    kind: 'map',
    isAtomic: schema['x-kubernetes-map-type'] === 'atomic',
    field,
    value: (name) => field(name) ?? rest,
  };
}

function listAtom(schema: Schema): ListAtom {
  const type = schema['x-kubernetes-list-type'];
  return {
    kind: 'list',
    isAtomic: type !== 'set' && type !== 'map',
    keys: type === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : [],
    items: schema.items ?? untyped,
  };
}

/**
 * Returns the path step that identifies an item of an associative list: the item's keys, or its value in a set.
 * @throws Error with the server's message
 */
export function stepOf(list: ListAtom, item: Json): Step {
  if (list.keys.length === 0) {
    if (isObject(item)) throw new Error("associative list without keys has an element that's a map type");
    if (Array.isArray(item)) throw new Error('not supported: associative list with lists as elements');
    if (item === null)
      throw new Error("associative list without keys has an element that's an explicit null");
    return `v:${goJson(item)}`;
  }
  if (item === null) throw new Error('associative list with keys may not have a null element');
  if (!isObject(item)) throw new Error('associative list with keys may not have non-map elements');
  const keys: Record<string, Json> = {};
  for (const key of list.keys) {
    const property = fieldSchema(list.items, key);
    if (Object.hasOwn(item, key)) keys[key] = item[key] ?? null;
    else if (property !== undefined && hasDefault(property)) keys[key] = property.default as Json;
  }
  if (Object.keys(keys).length === 0) {
    const names = list.keys.map((key) => JSON.stringify(key)).join(' ');
    throw new Error(
      `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    );
  }
  return `k:${goJson(keys)}`;
}
