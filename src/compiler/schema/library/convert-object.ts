import { isObject } from '../../../kubernetes/objects/index.ts';
import type { JsonValue, JSONSchemaProps } from '../../../kubernetes/crd/index.ts';
import type { SchemaNode } from '../schema-node.ts';
import {
  itemsOfList,
  type JsonSchema,
  type Conversion,
  type ConvertedValue,
  type Part,
} from './json-schema.ts';
import { valuesOf } from './convert-scalar.ts';

/** Further fields of a schema: none, any, or those that are like this. */
type FurtherFields = 'dropped' | 'kept' | { readonly given: JsonValue };

/** An object with known fields, or a record. */
export function objectSchema(conversion: Conversion, part: Part, json: JsonSchema): ConvertedValue {
  const schema: JSONSchemaProps = { type: 'object' };
  for (const name of ['minProperties', 'maxProperties'] as const) {
    const value = json[name];
    if (typeof value === 'number') schema[name] = value;
  }
  const further = furtherFields(json['additionalProperties']);
  const named = namedKeys(conversion, part, json);
  if (named !== undefined && further !== 'dropped') {
    const values = typeof further === 'object' ? further.given : {};
    return fields(conversion, part, schema, Object.fromEntries(named.map((name) => [name, values])), json);
  }
  if (isObject(json['properties']) && Object.keys(json['properties']).length > 0) {
    if (typeof further === 'object') {
      conversion.refuse(
        part,
        'schema/index-signature',
        'has known fields and arbitrary keys of another type',
        'put the record into a field of its own',
      );
      return { schema };
    }
    if (further === 'kept') schema['x-kubernetes-preserve-unknown-fields'] = true;
    return fields(conversion, part, schema, json['properties'], json);
  }
  if (typeof further === 'object') {
    const values = conversion.convert(conversion.inside(part, '{}', further.given));
    schema.additionalProperties = values.schema;
    return { schema, parts: { values } };
  }
  const isOpen = json['x-kubernetes-preserve-unknown-fields'] === true;
  if (further === 'kept') schema['x-kubernetes-preserve-unknown-fields'] = true;
  else if (!isObject(json['properties']) && !isOpen)
    conversion.refuse(
      part,
      'schema/any-type',
      'an object whose fields are not known, all of which the API server drops',
      'name its fields, or keep unknown fields: `z.looseObject({})`',
    );
  return { schema };
}

function furtherFields(given: JsonValue | undefined): FurtherFields {
  if (given === undefined || given === false) return 'dropped';
  if (given === true || !isObject(given)) return 'kept';
  const keywords = Object.keys(given);
  if (keywords.length === 0) return 'kept';
  const isNever = keywords.length === 1 && isObject(given['not']) && Object.keys(given['not']).length === 0;
  return isNever ? 'dropped' : { given };
}

/** The keys of a record that has only certain ones. */
function namedKeys(conversion: Conversion, part: Part, json: JsonSchema): readonly string[] | undefined {
  const { propertyNames } = json;
  if (propertyNames === undefined || !isObject(propertyNames)) return undefined;
  const values = valuesOf(propertyNames);
  if (values?.every((value) => typeof value === 'string') === true) return values;
  const rest = Object.keys(propertyNames).filter((keyword) => keyword !== 'type');
  if (rest.length > 0 || propertyNames['type'] !== 'string')
    conversion.refuse(
      part,
      'schema/record-key',
      `a schema of a CRD cannot restrict the keys of a record (${JSON.stringify(propertyNames)})`,
      "use z.string() for the keys, and a rule: `.meta({ 'x-kubernetes-validations': [{ rule: \"self.all(key, key.matches('^…$'))\" }] })`",
    );
  return undefined;
}

function fields(
  conversion: Conversion,
  part: Part,
  schema: JSONSchemaProps,
  given: Readonly<Record<string, JsonValue>>,
  json: JsonSchema,
): ConvertedValue {
  const nodes = Object.entries(given).map(([name, value]): readonly [string, SchemaNode] => [
    name,
    conversion.convert(conversion.inside(part, name, value)),
  ]);
  // Not by assignment: a field may be called `__proto__`.
  schema.properties = Object.fromEntries(nodes.map(([name, node]) => [name, node.schema]));
  const required = itemsOfList(json['required']).filter((name) => typeof name === 'string');
  if (required.length > 0) schema.required = [...required].sort();
  return { schema, parts: { properties: new Map(nodes) } };
}

/** A list of items of one type. */
export function arraySchema(conversion: Conversion, part: Part, json: JsonSchema): ConvertedValue {
  const schema: JSONSchemaProps = { type: 'array' };
  for (const name of ['minItems', 'maxItems'] as const) {
    const value = json[name];
    if (typeof value === 'number') schema[name] = value;
  }
  if (json['prefixItems'] !== undefined || Array.isArray(json['items']) || json['items'] === false) {
    conversion.refuse(
      part,
      'schema/tuple',
      'a tuple: the items of a list in a CRD are all of one type',
      'use an array, or an object with a field for each item',
    );
    return { schema };
  }
  if (json['uniqueItems'] === true) {
    conversion.refuse(
      part,
      'schema/unsupported-keyword',
      'uniqueItems is not allowed in a CRD',
      "say it as `x-kubernetes-list-type: 'set'`",
    );
  }
  const items = conversion.convert(conversion.inside(part, '[]', json['items']));
  schema.items = items.schema;
  return { schema, parts: { items } };
}
