import type { JSONSchemaProps } from '../../../kubernetes/crd/index.ts';
import { unionSchema } from '../unions/object-union.ts';
import type { SchemaNode } from '../schema-node.ts';
import type { Doc } from '../shape.ts';
import type { JsonSchema, ReferredSchema, Conversion, ConvertedValue, Part } from './json-schema.ts';
import { enumSchema, formatBounds, valuesOf } from './convert-scalar.ts';

/**
 * Converts a union as far as a structural schema can express it: a union of values, of integer and string, of one type with different
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
    // An enumeration with both values of a boolean restricts nothing.
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
    `a union of different types (${named})`,
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
  // Members that are incomplete cannot be compared.
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
 * Joins the types integer and string. A keyword of either type restricts only values of that type, so it may stand beside keywords of the
 * other type.
 */
function intOrString(
  conversion: Conversion,
  part: Part,
  members: readonly ReferredSchema[],
): ConvertedValue | undefined {
  const schemas = membersAsNodes(conversion, part, members).map((node) => restrictionOf(node.schema));
  const merged: JSONSchemaProps = Object.assign({}, ...schemas) as JSONSchemaProps;
  const keywords = schemas.flatMap((schema) => Object.keys(schema));
  // Negations are not plain, because they would also apply to values of the other type.
  const isPlain =
    keywords.every((keyword) => besideOthers.has(keyword)) &&
    new Set(keywords).size === keywords.length &&
    (merged.allOf ?? []).every((each) => Object.keys(each).every((keyword) => keyword === 'pattern'));
  if (isPlain && members.length === 2)
    return {
      schema: {
        ...merged,
        // The API server expects this order.
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        'x-kubernetes-int-or-string': true,
      },
    };
  conversion.refuse(
    part,
    'schema/mixed-union',
    'a union of integers and strings with restrictions that would hold for both: literals, or patterns with negative look-ahead',
    'use one member for integers, with bounds, and one for strings, with lengths or a pattern',
  );
  return undefined;
}

const besideOthers: ReadonlySet<string> = new Set([
  'allOf',
  ...['minLength', 'maxLength', 'pattern'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
]);

/** Writes the type once, and the restrictions of the members in `anyOf`. */
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
    // Only the type expresses that a number is an integer. Members without the type need `multipleOf` instead.
    ...(isMixed && schema.type === 'integer' && schema.enum === undefined
      ? { multipleOf: schema.multipleOf ?? 1 }
      : {}),
  }));
  const base: JSONSchemaProps = type === undefined ? {} : { type };
  // If one member accepts every value of the type, the union restricts nothing.
  if (!isExclusive && restrictions.some((restriction) => Object.keys(restriction).length === 0))
    return { schema: base };
  return { schema: { ...base, [isExclusive ? 'oneOf' : 'anyOf']: restrictions } };
}

/**
 * Returns the restrictions that a schema sets on values of its type. These are the keywords that `anyOf` and similar keywords may contain.
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
  // The API server derives these bounds from the format beside the type.
  const range =
    format !== undefined && Object.hasOwn(formatBounds, format) ? formatBounds[format] : undefined;
  return range === undefined
    ? rest
    : { ...rest, minimum: rest.minimum ?? range[0], maximum: rest.maximum ?? range[1] };
}
