import { isObject } from '../../../kubernetes/objects/index.ts';
import type { JsonValue, JSONSchemaProps } from '../../../kubernetes/crd/index.ts';
import { maxParts } from '../schema-size.ts';
import { type SchemaNode, labelOf } from '../schema-node.ts';
import type { Reporter } from '../reporter.ts';
import type { Doc } from '../shape.ts';
import {
  annotations,
  isNull,
  itemsOfList,
  type JsonSchema,
  type Conversion,
  type ConvertedValue,
  type Part,
} from './json-schema.ts';
import { enumSchema, numberSchema, stringSchema, valuesOf } from './convert-scalar.ts';
import { convertUnion, restrictionOf } from './convert-union.ts';
import { normalize, type NormalSchema } from './normalize.ts';

/**
 * Converts the JSON Schema 2020-12 that a library returns to a structural schema, by the same rules as for interfaces. Parts that cannot be
 * expressed are reported; the structural schema is then incomplete and must not be used.
 *
 * @param docOf returns the documentation of the part at a path: its label, and the place where the part is written
 */
export function convertSchema(
  root: JsonSchema,
  reporter: Pick<Reporter, 'error' | 'warn'>,
  docOf: (path: readonly string[]) => Doc,
): SchemaNode {
  let count = 0;
  let refused = 0;
  const conversion: Conversion = {
    root,
    convert(part) {
      count += 1;
      if (count > maxParts) {
        if (count === maxParts + 1)
          conversion.refuse(
            part,
            'schema/too-large',
            `the schema has more than ${maxParts} parts`,
            'use simpler types',
          );
        return node(part, undefined, true);
      }
      const before = refused;
      const converted = convert(conversion, part);
      return node(part, converted, refused > before);
    },
    inside: ({ path, docTrail, references }, step, given) => ({
      given,
      path: [...path, step],
      docTrail: [...docTrail, docOf([...path, step])],
      references,
    }),
    refuse({ docTrail }, code, message, fix) {
      refused += 1;
      reporter.error({ code, message: `${labelOf(docTrail)}: ${message}`, fix: [fix] }, docTrail);
    },
    warn({ docTrail }, code, message, fix) {
      reporter.warn({ code, message: `${labelOf(docTrail)}: ${message}`, fix: [fix] }, docTrail);
    },
  };
  return conversion.convert({ given: root, path: [], docTrail: [docOf([])], references: ['#'] });
}

function node({ docTrail }: Part, converted: ConvertedValue | undefined, isIncomplete: boolean): SchemaNode {
  const { schema = {}, parts = {}, isUnion = false } = converted ?? {};
  return {
    schema,
    origin: { label: labelOf(docTrail), docTrail, docs: docTrail.slice(-1), isComplete: !isIncomplete },
    kind: { isUnion },
    parts,
  };
}

function convert(conversion: Conversion, part: Part): ConvertedValue | undefined {
  // The root is itself the target of the reference `#`, so this reference counts as followed from the start.
  const normal = normalize(conversion.root, part.given, part.references);
  if ('code' in normal) {
    conversion.refuse(part, normal.code, normal.message, normal.fix);
    return undefined;
  }
  const inner = { ...part, references: normal.references };
  for (const keyword of Object.keys(normal.json).filter(isUnknown)) {
    conversion.refuse(
      part,
      'schema/unsupported-keyword',
      `the JSON Schema uses \`${keyword}\`, which the schema of a CRD cannot express`,
      'leave it out, or write it as a CEL rule in `x-kubernetes-validations`',
    );
  }
  const converted = convertValue(conversion, inner, normal);
  if (converted === undefined) return undefined;
  const { schema, ...rest } = converted;
  return { ...rest, schema: annotated(conversion, inner, schema, normal) };
}

function convertValue(conversion: Conversion, part: Part, normal: NormalSchema): ConvertedValue | undefined {
  const { json, members, isExclusive } = normal;
  if (json['x-kubernetes-int-or-string'] === true && members.length === 0)
    return {
      schema: {
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        ...restrictionOf(stringSchema(conversion, part, json)),
      },
    };
  if (members.length > 0) return convertUnion(conversion, part, members, isExclusive);
  const values = valuesOf(json);
  if (values !== undefined && !isNull(json)) {
    const schema = enumSchema(conversion, part, values);
    return schema && { schema };
  }
  const own = typeof json['type'] === 'string' ? json['type'] : undefined;
  const type = own ?? (isObject(json['properties']) ? 'object' : undefined);
  switch (type) {
    case 'object':
      return objectSchema(conversion, part, json);
    case 'array':
      return arraySchema(conversion, part, json);
    case 'string':
      return { schema: stringSchema(conversion, part, json) };
    case 'number':
    case 'integer':
      return { schema: numberSchema(conversion, part, json) };
    case 'boolean':
      return { schema: { type } };
    case undefined:
      return anything(conversion, part, json);
    default:
      conversion.refuse(
        part,
        'schema/unsupported-type',
        `the only type is ${JSON.stringify(type)}, which the schema of a CRD cannot express alone`,
        'leave the field out',
      );
      return undefined;
  }
}

/**
 * Converts a part without a type. Such a part accepts any JSON value and keeps it unchanged. Reports an error if the part restricts values.
 */
function anything(conversion: Conversion, part: Part, json: JsonSchema): ConvertedValue | undefined {
  const said = Object.keys(json).filter(
    (keyword) => !annotations.has(keyword) && !keyword.startsWith('x-kubernetes-'),
  );
  if (said.length === 0) return { schema: { 'x-kubernetes-preserve-unknown-fields': true, nullable: true } };
  conversion.refuse(
    part,
    'schema/unsupported-type',
    `the JSON Schema restricts a value (${said.join(', ')}), but does not declare its type`,
    'declare the type',
  );
  return undefined;
}

/**
 * Adds the keywords that apply to values of every type: documentation, default, null, restrictions, and the keywords of Kubernetes
 * (`x-kubernetes-…`).
 */
function annotated(
  conversion: Conversion,
  part: Part,
  given: JSONSchemaProps,
  { json, nullable }: NormalSchema,
): JSONSchemaProps {
  const schema: JSONSchemaProps = { ...given };
  const {
    title,
    description,
    default: value,
    examples,
    example = itemsOfList(examples)[0],
    externalDocs,
  } = json;
  if (typeof title === 'string') schema.title = title;
  if (typeof description === 'string') schema.description = description;
  if (value !== undefined) schema.default = value;
  if (example !== undefined) schema.example = example;
  if (isObject(externalDocs)) schema.externalDocs = externalDocs;
  const restrictions = [
    ...itemsOfList(json['allOf']),
    ...(json['not'] === undefined ? [] : [{ not: json['not'] }]),
  ].map((each) => restriction(conversion, part, schema.type, each));
  if (restrictions.length > 0) schema.allOf = [...(schema.allOf ?? []), ...restrictions];
  for (const [keyword, said] of Object.entries(json))
    if (keyword.startsWith('x-kubernetes-')) Object.assign(schema, { [keyword]: said });
  if (!nullable) return schema;
  schema.nullable = true;
  if (schema.enum === undefined) return schema;
  // Moves the enumeration into `anyOf`. The API server would compare null with the values of `enum`, but does not compare it with an
  // enumeration inside of `anyOf`.
  const { enum: values, ...open } = schema;
  return { ...open, anyOf: [{ enum: values }] };
}

/**
 * Converts the schema in `not`, or one of the schemas in `allOf`. Such a schema only restricts values whose type the enclosing schema
 * defines.
 */
function restriction(
  conversion: Conversion,
  part: Part,
  type: string | undefined,
  given: JsonValue,
): JSONSchemaProps {
  if (isObject(given) && Object.keys(given).length === 1 && given['not'] !== undefined)
    return { not: restriction(conversion, part, type, given['not']) };
  // Such a restriction contains only limits for the number of items or fields, so it needs no conversion: the enclosing schema defines the
  // items and fields.
  if (
    isObject(given) &&
    Object.keys(given).every((keyword) => /^(?:min|max)(?:Items|Properties)$/.test(keyword))
  )
    return given;
  const typed = isObject(given) && type !== undefined ? { type, ...given } : given;
  return restrictionOf(conversion.convert({ ...part, given: typed }).schema);
}

const keywords: ReadonlySet<string> = new Set([
  ...annotations,
  ...[
    'type',
    'const',
    'enum',
    'not',
    'allOf',
    'pattern',
    'format',
    'minLength',
    'maxLength',
    'contentEncoding',
  ],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'],
  ...['properties', 'required', 'additionalProperties', 'propertyNames', 'minProperties', 'maxProperties'],
]);

function isUnknown(keyword: string): boolean {
  return !keywords.has(keyword) && !keyword.startsWith('x-kubernetes-');
}

/** Treatment of the fields that a schema does not name: they are dropped, kept, or must match the schema `given`. */
type FurtherFields = 'dropped' | 'kept' | { readonly given: JsonValue };

/** Converts an object with known fields, or a record. */
function objectSchema(conversion: Conversion, part: Part, json: JsonSchema): ConvertedValue {
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
        'the object has both known fields and arbitrary keys of another type; the schema of a CRD can have only one of the two',
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
      'the object declares no fields, so the API server would drop everything in it',
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

/** Returns the keys of a record that allows only certain keys; undefined for any other record. */
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
  // Uses `fromEntries` instead of assignments, because a field may have the name `__proto__`.
  schema.properties = Object.fromEntries(nodes.map(([name, node]) => [name, node.schema]));
  const required = itemsOfList(json['required']).filter((name) => typeof name === 'string');
  if (required.length > 0) schema.required = [...required].sort();
  return { schema, parts: { properties: new Map(nodes) } };
}

/** Converts a list whose items have one type. */
function arraySchema(conversion: Conversion, part: Part, json: JsonSchema): ConvertedValue {
  const schema: JSONSchemaProps = { type: 'array' };
  for (const name of ['minItems', 'maxItems'] as const) {
    const value = json[name];
    if (typeof value === 'number') schema[name] = value;
  }
  if (json['prefixItems'] !== undefined || Array.isArray(json['items']) || json['items'] === false) {
    conversion.refuse(
      part,
      'schema/tuple',
      'the type is a tuple; the items of a list in a CRD are all of one type',
      'use an array, or an object with a field for each item',
    );
    return { schema };
  }
  if (json['uniqueItems'] === true) {
    conversion.refuse(
      part,
      'schema/unsupported-keyword',
      'uniqueItems is not allowed in a CRD',
      "write `x-kubernetes-list-type: 'set'` instead",
    );
  }
  const items = conversion.convert(conversion.inside(part, '[]', json['items']));
  schema.items = items.schema;
  return { schema, parts: { items } };
}
