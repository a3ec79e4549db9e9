import type ts from 'typescript';
import type { JSONSchemaProps } from './json-schema-props.ts';
import { isProjectFile, type SourceProgram } from './load.ts';
import type { Reporter } from './reporter.ts';
import type { Structural } from './structural.ts';

const reserved = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Compares the schema with what the type checker says about the same declaration: field names, optional fields, null, values of
 * enumerations, and the kind of each value. The engine reads syntax and gets some type expressions silently wrong; the checker is never
 * wrong, but knows neither tags nor the names of number types. Where the two differ, nothing may be generated.
 */
export function guard(
  source: SourceProgram,
  node: ts.InterfaceDeclaration,
  structural: Structural,
  reporter: Reporter,
): void {
  const comparison: Comparison = { source, structural, reporter, near: node };
  const type = source.checker.getTypeAtLocation(node);
  compareFields(comparison, type, structural.schema, node.name.text, reserved);
}

interface Comparison {
  readonly source: SourceProgram;
  readonly structural: Structural;
  readonly reporter: Reporter;
  /** The innermost declaration of the project on the way. */
  readonly near: ts.Node;
}

function compare(comparison: Comparison, type: ts.Type, schema: JSONSchemaProps, path: string): void {
  const { ts, checker } = comparison.source;
  const parts = type.isUnion() ? type.types : [type];
  const hasNull = parts.some((part) => (part.flags & ts.TypeFlags.Null) !== 0);
  const exempt = comparison.structural.exempt.get(schema);
  if (exempt === undefined && hasNull !== (schema.nullable ?? false)) {
    disagree(
      comparison,
      path,
      hasNull ? 'null is allowed by the type only' : 'null is allowed by the schema only',
    );
  }
  if (exempt === 'type') return;
  const values = parts.filter((part) => (part.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) === 0);
  const expected = kindOf(comparison, values);
  const actual = schema.additionalProperties === undefined ? schema.type : 'record';
  if (expected !== actual && !(expected === 'number' && actual === 'integer')) {
    return disagree(
      comparison,
      path,
      `the type is ${expected ?? checker.typeToString(type)}, the schema ${actual ?? 'says nothing'}`,
    );
  }
  compareValues(comparison, values, schema, path);
  const [value] = values;
  if (value === undefined) return;
  const { items, additionalProperties } = schema;
  if (items !== undefined) {
    const item = checker.getIndexTypeOfType(value, ts.IndexKind.Number);
    if (item !== undefined) compare(comparison, item, items, `${path}[]`);
  } else if (typeof additionalProperties === 'object') {
    const item = checker.getIndexTypeOfType(value, ts.IndexKind.String);
    if (item !== undefined) compare(comparison, item, additionalProperties, `${path}[*]`);
  } else if (schema.type === 'object') {
    const isResource = comparison.structural.resources.has(schema);
    compareFields(comparison, value, schema, path, isResource ? reserved : new Set());
  }
}

type Kind = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'record';

/** The kind of value that all parts of a type have in common; undefined if there is none. */
function kindOf(comparison: Comparison, parts: readonly ts.Type[]): Kind | undefined {
  const kinds = new Set(parts.map((part) => kindOfPart(comparison, part)));
  const [kind] = kinds;
  return kinds.size === 1 ? kind : undefined;
}

function kindOfPart(comparison: Comparison, type: ts.Type): Kind | undefined {
  const { ts, checker } = comparison.source;
  // A branded primitive: `string & { __brand: 'x' }`.
  const primitive = type.isIntersection()
    ? type.types.find((part) => (part.flags & ts.TypeFlags.Object) === 0)
    : undefined;
  const { flags } = primitive ?? type;
  if (flags & (ts.TypeFlags.String | ts.TypeFlags.StringLiteral)) return 'string';
  if (flags & (ts.TypeFlags.Number | ts.TypeFlags.NumberLiteral)) return 'number';
  if (flags & ts.TypeFlags.BooleanLike) return 'boolean';
  if ((flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) === 0) return undefined;
  if (checker.isArrayType(type)) return 'array';
  if (checker.getSignaturesOfType(type, ts.SignatureKind.Call).length > 0) return undefined;
  const indexes = checker.getIndexInfosOfType(type);
  if (indexes.length === 0) return 'object';
  const byString = indexes.length === 1 && (indexes[0]?.keyType.flags ?? 0) & ts.TypeFlags.String;
  return byString && checker.getPropertiesOfType(type).length === 0 ? 'record' : undefined;
}

function compareValues(
  comparison: Comparison,
  parts: readonly ts.Type[],
  schema: JSONSchemaProps,
  path: string,
): void {
  const { ts, checker } = comparison.source;
  const isBoolean = schema.type === 'boolean';
  const literals = parts.flatMap((part) => {
    if (part.isLiteral()) return [JSON.stringify(part.value)];
    return isBoolean && part.flags & ts.TypeFlags.BooleanLiteral ? [checker.typeToString(part)] : [];
  });
  const closed = literals.length === parts.length && !(isBoolean && literals.length === 2);
  const expected = closed ? literals.sort().join(', ') : '';
  const actual = (schema.enum ?? [])
    .map((value) => JSON.stringify(value))
    .sort()
    .join(', ');
  if (expected === actual) return;
  disagree(
    comparison,
    path,
    `the type has the values ${expected || '(any)'}, the schema ${actual || '(any)'}`,
  );
}

function compareFields(
  comparison: Comparison,
  type: ts.Type,
  schema: JSONSchemaProps,
  path: string,
  except: ReadonlySet<string>,
): void {
  const { ts, checker } = comparison.source;
  const fields = checker.getPropertiesOfType(type).filter((field) => !except.has(field.name));
  const properties = schema.properties ?? {};
  for (const [name, property] of Object.entries(properties)) {
    const isKnown = except.has(name) || comparison.structural.exempt.get(property) === 'type';
    if (isKnown || fields.some((field) => field.name === name)) continue;
    disagree(comparison, `${path}.${name}`, 'the schema has a field more');
  }
  for (const field of fields) {
    const inner: Comparison = { ...comparison, near: declarationOf(comparison, field) };
    const place = `${path}.${field.name}`;
    const property = Object.hasOwn(properties, field.name) ? properties[field.name] : undefined;
    if (property === undefined) {
      disagree(inner, place, 'the schema lacks the field');
      continue;
    }
    const fieldType = checker.getTypeOfSymbol(field);
    const parts = fieldType.isUnion() ? fieldType.types : [fieldType];
    const optional =
      (field.flags & ts.SymbolFlags.Optional) !== 0 ||
      parts.some((part) => part.flags & ts.TypeFlags.Undefined);
    const required = schema.required?.includes(field.name) === true;
    if (optional === required)
      disagree(
        inner,
        place,
        required ? 'the field is optional in the type only' : 'the field is required in the type only',
      );
    compare(inner, fieldType, property, place);
  }
}

function declarationOf(comparison: Comparison, field: ts.Symbol): ts.Node {
  const { program } = comparison.source;
  return field.declarations?.find((item) => isProjectFile(program, item.getSourceFile())) ?? comparison.near;
}

function disagree(comparison: Comparison, path: string, difference: string): void {
  const { near, reporter } = comparison;
  reporter.error(
    {
      code: 'schema/disagreement',
      message: `${path}: the type is not understood exactly: ${difference}`,
      fix: ['write the type out as an interface, without the type expression'],
      at: { file: near.getSourceFile(), position: near.getStart() },
    },
    [],
  );
}
