import type { JSONSchemaProps } from '../../../kubernetes/crd/index.ts';
import { unionSchema } from '../unions/object-union.ts';
import type { SchemaNode } from '../schema-node.ts';
import type { Doc } from '../shape.ts';
import type { JsonSchema, ReferredSchema, Conversion, ConvertedValue, Part } from './json-schema.ts';
import { enumSchema, formatBounds, valuesOf } from './convert-scalar.ts';

/**
 * Converts a union if a structural schema can express it: a union of literal values, of an integer and a string, of one type with different
 * bounds, or of objects.
 */
export function convertUnion(
  conversion: Conversion,
  part: Part,
  members: readonly ReferredSchema[],
  isExclusive: boolean,
): ConvertedValue | undefined {
  const values = members.map(({ json }) => valuesOf(json));
  if (values.every((each) => each !== undefined)) {
    const schema = enumSchema(conversion, part, values.flat());
    // Leaves out `enum` if it contains both true and false, because it then restricts nothing.
    return (
      schema && {
        schema: schema.type === 'boolean' && schema.enum?.length === 2 ? { type: 'boolean' } : schema,
      }
    );
  }
  const types = members.map(({ json }) => typeOf(json));
  const distinct = [...new Set(types)].sort().join(' ');
  if (distinct === 'object') return objectUnion(conversion, part, members);
  if (distinct === 'integer string') return intOrString(conversion, part, members);
  if (['string', 'integer', 'number', 'integer number'].includes(distinct))
    return sameType(conversion, part, members, isExclusive);
  const named = types.map((type) => type ?? 'any').join(', ');
  conversion.refuse(
    part,
    'schema/mixed-union',
    `the type is a union of different types (${named}), which the schema of a CRD cannot express`,
    'use one type, a union of an integer and a string, or z.unknown() for any value',
  );
  return undefined;
}

function typeOf(json: JsonSchema): string | undefined {
  if (typeof json['type'] === 'string') {
    const values = valuesOf(json);
    const isIntegers = values?.every((value) => Number.isInteger(value)) === true;
    return json['type'] === 'number' && isIntegers ? 'integer' : json['type'];
  }
  const [first] = valuesOf(json) ?? [];
  if (first !== undefined) return Number.isInteger(first) ? 'integer' : typeof first;
  return json['properties'] === undefined ? undefined : 'object';
}

function membersAsNodes(
  conversion: Conversion,
  part: Part,
  members: readonly ReferredSchema[],
): readonly SchemaNode[] {
  return members.map(({ json, references }) => conversion.convert({ ...part, given: json, references }));
}

function objectUnion(
  conversion: Conversion,
  part: Part,
  members: readonly ReferredSchema[],
): ConvertedValue | undefined {
  const nodes = membersAsNodes(conversion, part, members);
  // The members of the union can be compared only if all of them are complete.
  if (nodes.some((node) => node.origin?.isComplete === false)) return undefined;
  const { schema, properties, problems } = unionSchema(
    nodes.map((node, index) => ({
      label: `member ${index + 1} of the union`,
      node,
      never: new Set<string>(),
      docs: new Map<string, Doc>(),
    })),
  );
  for (const { code, message, fix } of problems) conversion.refuse(part, code, message, fix[0] ?? '');
  return problems.length > 0 ? undefined : { schema, parts: { properties }, isUnion: true };
}

/**
 * Converts a union of integer and string to one schema. Each keyword of integers restricts only integers, and each keyword of strings
 * restricts only strings, so one schema may contain the keywords of both types.
 */
function intOrString(
  conversion: Conversion,
  part: Part,
  members: readonly ReferredSchema[],
): ConvertedValue | undefined {
  const schemas = membersAsNodes(conversion, part, members).map((node) => restrictionOf(node.schema));
  const merged: JSONSchemaProps = Object.assign({}, ...schemas) as JSONSchemaProps;
  const keywords = schemas.flatMap((schema) => Object.keys(schema));
  // `not` would restrict values of both types, so a union with negated restrictions is refused.
  const isPlain =
    keywords.every((keyword) => besideOthers.has(keyword)) &&
    new Set(keywords).size === keywords.length &&
    (merged.allOf ?? []).every((each) => Object.keys(each).every((keyword) => keyword === 'pattern'));
  if (isPlain && members.length === 2)
    return {
      schema: {
        ...merged,
        // The API server expects integer before string.
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        'x-kubernetes-int-or-string': true,
      },
    };
  conversion.refuse(
    part,
    'schema/mixed-union',
    'the type is a union of integers and strings with restrictions that would apply to both: literals, or patterns with negative look-ahead',
    'use one member for integers, with bounds, and one for strings, with lengths or a pattern',
  );
  return undefined;
}

const besideOthers: ReadonlySet<string> = new Set([
  'allOf',
  ...['minLength', 'maxLength', 'pattern'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
]);

/**
 * Converts a union whose members have the same type. Writes the type once, and writes the restrictions of each member into `anyOf` or
 * `oneOf`.
 */
function sameType(
  conversion: Conversion,
  part: Part,
  members: readonly ReferredSchema[],
  isExclusive: boolean,
): ConvertedValue {
  const nodes = membersAsNodes(conversion, part, members);
  const type = nodes.some(({ schema }) => schema.type === 'number') ? 'number' : nodes[0]?.schema.type;
  const isMixed = type === 'number' && nodes.some(({ schema }) => schema.type === 'integer');
  const restrictions = nodes.map(({ schema }) => ({
    ...restrictionOf(schema),
    // The members are written without their type. In a union of `integer` and `number`, an integer member therefore needs `multipleOf` to
    // accept only integers.
    ...(isMixed && schema.type === 'integer' && schema.enum === undefined
      ? { multipleOf: schema.multipleOf ?? 1 }
      : {}),
  }));
  const base: JSONSchemaProps = type === undefined ? {} : { type };
  // If one member of `anyOf` accepts every value of the type, the union restricts nothing.
  if (!isExclusive && restrictions.some((restriction) => Object.keys(restriction).length === 0))
    return { schema: base };
  return { schema: { ...base, [isExclusive ? 'oneOf' : 'anyOf']: restrictions } };
}

/**
 * Returns the keywords of a schema that restrict values of its type. Only these keywords are allowed inside of `anyOf`, `oneOf`, `allOf`
 * and `not`.
 */
export function restrictionOf(schema: JSONSchemaProps): JSONSchemaProps {
  const {
    type,
    title: _title,
    description: _description,
    example: _example,
    default: _default,
    format,
    ...rest
  } = schema;
  if (type === 'string') return format === undefined ? rest : { ...rest, format };
  // Adds the bounds of the format, because the API server derives them from `format` only in a schema that has a type.
  const range =
    format !== undefined && Object.hasOwn(formatBounds, format) ? formatBounds[format] : undefined;
  return range === undefined
    ? rest
    : { ...rest, minimum: rest.minimum ?? range[0], maximum: rest.maximum ?? range[1] };
}
