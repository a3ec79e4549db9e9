import type { Schema } from '../objects/index.ts';
import { knownTypes, tableSchema, type StructuralSchema, type TableSchema } from './names.ts';
import { descriptions } from './generated/descriptions.ts';

interface StructuralSchemaOptions {
  /**
   * True to keep the descriptions of the type and of all fields. The descriptions make the schema of a PodTemplateSpec four times as long.
   */
  readonly descriptions: boolean;
}

/**
 * Returns the schema of a built-in type for use in a CRD, as controller-gen would write it. References are replaced by the schemas of the
 * types, and patch strategies are dropped. Validation that the Go types declare by markers is included (for example in Condition). Enums
 * that only describe one server version are left out.
 *
 * @param name name in the table of schemas, such as `io.k8s.api.core.v1.PodTemplateSpec`; see `tableNameOf`
 * @returns a new object, which the caller may change
 * @throws SchemaTableError for a type that does not exist, contains itself, or is not structural
 */
export function structuralSchema(name: string, options: StructuralSchemaOptions): StructuralSchema {
  return inlineSchema(name, {
    schema: tableSchema,
    descriptions: options.descriptions ? tableDescriptions : () => ({}),
  });
}

/** Source from which type schemas and descriptions are read when references are replaced by schemas. */
interface SchemaSource {
  schema(name: string): TableSchema | undefined;
  /**
   * Returns the descriptions of a type: the type's own description under the empty key, the descriptions of its fields under their names.
   */
  descriptions(name: string): Readonly<Record<string, string>>;
}

/**
 * Replaces all references in the schema of a type by the schemas of the referenced types, and omits everything that is not allowed in a
 * CRD.
 *
 * @throws SchemaTableError for a type that does not exist, contains itself, or is not structural
 */
export function inlineSchema(name: string, source: SchemaSource): StructuralSchema {
  return inlineType(name, { source, ancestors: [], path: [] });
}

interface Position {
  readonly source: SchemaSource;
  /** Names of the types that contain the current schema and are being inlined. Used to detect types that contain themselves. */
  readonly ancestors: readonly string[];
  readonly path: readonly string[];
}

const inside = (position: Position, segment: string): Position => ({
  ...position,
  path: [...position.path, segment],
});

function inlineType(name: string, outer: Position): StructuralSchema {
  const knownType = Object.hasOwn(knownTypes, name) ? knownTypes[name] : undefined;
  if (knownType !== undefined) return knownType();
  const here = inside(outer, name);
  if (outer.ancestors.includes(name)) {
    const shortName = name.slice(name.lastIndexOf('.') + 1);
    throw new SchemaTableError('recursive', `the type ${shortName} contains itself`, here.path);
  }
  const schema = outer.source.schema(name);
  if (schema === undefined) {
    throw new SchemaTableError('unknown', `unknown built-in type ${name}`, here.path);
  }
  const result = inline(schema, { ...here, ancestors: [...outer.ancestors, name] });
  const { '': ownDescription, ...ofFields } = outer.source.descriptions(name);
  for (const [field, description] of Object.entries(ofFields)) {
    const property = result.properties?.[field];
    if (property !== undefined) property.description = description;
  }
  return ownDescription === undefined ? result : { ...result, description: ownDescription };
}

function inline(schema: TableSchema, position: Position): StructuralSchema {
  const result = schema.$ref === undefined ? {} : inlineType(schema.$ref, position);
  for (const keyword of validationKeywords) {
    // The keyword's value is copied, because the caller may change the result.
    if (schema[keyword] !== undefined) Object.assign(result, { [keyword]: structuredClone(schema[keyword]) });
  }
  if (schema.items !== undefined) result.items = inline(schema.items, inside(position, '[]'));
  if (schema.additionalProperties !== undefined) {
    result.additionalProperties = inline(schema.additionalProperties, inside(position, '{}'));
  }
  if (schema.properties !== undefined) {
    result.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([field, property]) => [
        field,
        inline(property, inside(position, field)),
      ]),
    );
  }
  requireConditionType(result);
  checkStructural(result, position.path);
  return result;
}

const validationKeywords = [
  ...([
    'type',
    'format',
    'default',
    'enum',
    'minimum',
    'minLength',
    'maxLength',
    'pattern',
    'required',
  ] as const),
  ...(['x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-map-type'] as const),
] satisfies readonly (keyof TableSchema & keyof StructuralSchema)[];

/**
 * Makes the field `type` of conditions required. It is optional in workloads of Kubernetes 1.37, but the API server refuses a CRD whose
 * list has an optional key, and a condition without type means nothing.
 */
function requireConditionType({ items, 'x-kubernetes-list-map-keys': keys = [] }: StructuralSchema): void {
  const { properties = {}, required = [] } = items ?? {};
  const isCondition =
    keys.length === 1 && keys[0] === 'type' && 'type' in properties && 'status' in properties;
  if (items === undefined || !isCondition || required.includes('type')) return;
  items.required = [...required, 'type'].sort();
}

/** Checks a schema against those rules for CRDs that some built-in types break. Source: apiextensions `validation.go`. */
function checkStructural(schema: StructuralSchema, path: readonly string[]): void {
  const isAny =
    schema['x-kubernetes-preserve-unknown-fields'] === true || schema['x-kubernetes-int-or-string'] === true;
  if (schema.type === undefined && !isAny) {
    throw new SchemaTableError(
      'not-structural',
      'the type has several forms, which the schema of a CRD cannot express',
      path,
    );
  }
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) {
    const { required = [], properties = {} } = schema.items ?? {};
    if (!required.includes(key) && properties[key]?.default === undefined) {
      const message = `the list's key \`${key}\` is neither required nor has it a default, which a CRD must have`;
      throw new SchemaTableError('not-structural', message, path);
    }
  }
}

const quantity = 'io.k8s.apimachinery.pkg.api.resource.Quantity';

/**
 * Returns the schema of a built-in type with all references replaced by schemas. Where a type contains itself, its schema contains the same
 * schema object again.
 *
 * @param name name in the table of schemas, such as `io.k8s.api.core.v1.Container`
 * @param known schemas by type name, which are used instead of those in the table
 * @throws SchemaTableError for a type that does not exist
 */
export function expandedSchema(name: string, known: Map<string, Schema> = new Map<string, Schema>()): Schema {
  const found = known.get(name);
  if (found !== undefined) return found;
  const table = tableSchema(name);
  if (table === undefined) {
    const schema = structuralSchema(name, { descriptions: false });
    if (name !== quantity) return schema;
    const { anyOf: _, ...amount } = schema;
    return { ...amount, isQuantity: true };
  }
  const result = {};
  known.set(name, result);
  return Object.assign(result, writtenOut(table, known));
}

function writtenOut(table: TableSchema, known: Map<string, Schema>): Schema {
  const { $ref, format, properties, items, additionalProperties, ...own } = table;
  const schema: Record<string, unknown> = {
    ...($ref === undefined ? {} : expandedSchema($ref, known)),
    ...own,
  };
  // The format `byte` is left out, because Go's base64 decoder also accepts line breaks. Go's Quantity decoder also accepts numbers.
  if (format !== undefined && format !== 'byte') schema['format'] = format;
  if (properties !== undefined)
    schema['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, part]) => [name, writtenOut(part, known)]),
    );
  if (items !== undefined) schema['items'] = writtenOut(items, known);
  if (additionalProperties !== undefined)
    schema['additionalProperties'] = writtenOut(additionalProperties, known);
  return schema;
}

/**
 * Thrown by `structuralSchema` for a built-in type that is not allowed in a CRD. A caller that has the position in the user's source file
 * converts the error to a finding.
 */
export class SchemaTableError extends Error {
  /**
   * The reason for the error. `unknown`: the table of schemas has no such type. `recursive`: the type contains itself, which is not
   * possible in CRDs, because their schemas have no references. `not-structural`: the type's schema breaks a rule for CRDs, which the
   * message explains.
   */
  readonly reason: 'unknown' | 'recursive' | 'not-structural';
  /** Path from the requested type to the part that causes the error, as type names and field names. */
  readonly path: readonly string[];

  constructor(reason: SchemaTableError['reason'], message: string, path: readonly string[]) {
    super(message);
    this.name = 'SchemaTableError';
    this.reason = reason;
    this.path = path;
  }
}

/** Returns the descriptions of a type (under the empty key) and of its fields; empty for a type without descriptions in the table. */
function tableDescriptions(name: string): Readonly<Record<string, string>> {
  return Object.hasOwn(descriptions, name)
    ? (JSON.parse(descriptions[name] ?? '') as Record<string, string>)
    : {};
}
