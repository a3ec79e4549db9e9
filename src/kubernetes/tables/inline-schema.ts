import { knownTypes } from './known-types.ts';
import { SchemaTableError } from './schema-table-error.ts';
import type { StructuralSchema, TableSchema } from './types.ts';

/** Where the inliner finds types. */
export interface SchemaSource {
  schema(name: string): TableSchema | undefined;
  /** Descriptions of a type: its own under the empty key, those of its fields under their names. */
  descriptions(name: string): Readonly<Record<string, string>>;
}

/**
 * Writes all references of a type out, and leaves out what a CRD may not hold.
 *
 * @throws SchemaTableError for a type that does not exist, contains itself, or is not structural
 */
export function inlineSchema(name: string, source: SchemaSource): StructuralSchema {
  return inlineType(name, { source, ancestors: [], path: [] });
}

interface Position {
  readonly source: SchemaSource;
  /** The types that are being written out around this place. */
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
    // A copy: the result belongs to the caller.
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

/** The rules for CRDs that some built-in types break. Source: apiextensions `validation.go`. */
function checkStructural(schema: StructuralSchema, path: readonly string[]): void {
  const isAny =
    schema['x-kubernetes-preserve-unknown-fields'] === true || schema['x-kubernetes-int-or-string'] === true;
  if (schema.type === undefined && !isAny) {
    throw new SchemaTableError('not-structural', 'the type has several forms, which a CRD cannot say', path);
  }
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) {
    const { required = [], properties = {} } = schema.items ?? {};
    if (!required.includes(key) && properties[key]?.default === undefined) {
      const message = `the list's key \`${key}\` is neither required nor has it a default, which a CRD must have`;
      throw new SchemaTableError('not-structural', message, path);
    }
  }
}
