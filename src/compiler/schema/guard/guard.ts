import type ts from 'typescript';
import type { JSONSchemaProps } from '../../../kubernetes/crd/index.ts';
import type { SourceProgram } from '../../source/index.ts';
import type { Reporter } from '../reporter.ts';
import { fieldNode, itemsNode, valuesNode, type SchemaNode } from '../schema-node.ts';
import { templatePattern } from '../template-pattern.ts';
import type { Choice } from '../adjust.ts';
import {
  fieldsOfType,
  literalsOf,
  typePartsOf,
  templateTextsOf,
  valueParts,
  type TypeField,
  unionDifferences,
} from './guard-types.ts';

const reserved = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Compares the schema with the type checker's view of the same declaration: field names, optional fields, null, values of enumerations, and
 * the kind of each value. The engine reads syntax and silently misreads some type expressions. The checker reads every type correctly, but
 * it does not see tags and the names of number types. If the results differ, an error is reported, so that nothing is generated.
 */
export function guard(
  source: SourceProgram,
  node: ts.InterfaceDeclaration,
  root: SchemaNode,
  reporter: Reporter,
): void {
  const comparison: Comparison = { source, reporter, declaration: node };
  const type = source.checker.getTypeAtLocation(node);
  compareFields(comparison, [type], root, node.name.text, reserved);
}

interface Comparison {
  readonly source: SourceProgram;
  readonly reporter: Reporter;
  /** Innermost declaration of the project on the path to the part that is compared. */
  readonly declaration: ts.Node;
}

/** @param types the possible types of the value: one type, or several types if several members of a union have the field */
function compare(comparison: Comparison, types: readonly ts.Type[], node: SchemaNode, path: string): void {
  const { source } = comparison;
  const { ts, checker } = source;
  const { schema, kind } = node;
  const parts = typePartsOf(types);
  const hasNull = parts.some((part) => (part.flags & ts.TypeFlags.Null) !== 0);
  if (kind.exempt === undefined && hasNull !== (schema.nullable ?? false)) {
    disagree(
      comparison,
      path,
      hasNull ? 'null is allowed by the type only' : 'null is allowed by the schema only',
    );
  }
  if (kind.exempt === 'type') return;
  const values = valueParts(source, parts);
  const expected = kindOf(comparison, values);
  const actual = schema.additionalProperties === undefined ? schema.type : 'record';
  if (expected !== actual && !(expected === 'number' && actual === 'integer')) {
    const written = types.map((type) => checker.typeToString(type)).join(' | ');
    return disagree(
      comparison,
      path,
      `the type is ${expected ?? written}, the schema ${actual ?? 'says nothing'}`,
    );
  }
  compareValues(comparison, values, schema, path);
  const texts = templateTextsOf(source, values);
  if (kind.isTemplate === true ? templatePattern(texts ?? []) !== schema.pattern : texts !== undefined)
    disagree(comparison, path, 'the texts of the template literal type are not those of the pattern');
  const [items, fieldValues] = [itemsNode(node), valuesNode(node)];
  const inside = (kindOfKey: ts.IndexKind): ts.Type[] =>
    values.flatMap((value) => checker.getIndexTypeOfType(value, kindOfKey) ?? []);
  if (items !== undefined) {
    const found = inside(ts.IndexKind.Number);
    if (found.length > 0) compare(comparison, found, items, `${path}[]`);
  } else if (fieldValues !== undefined) {
    const found = inside(ts.IndexKind.String);
    if (found.length > 0) compare(comparison, found, fieldValues, `${path}[*]`);
  } else if (schema.type === 'object') {
    compareFields(comparison, values, node, path, kind.isResource === true ? reserved : none);
  }
}

const none: ReadonlySet<string> = new Set();

type Kind = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'record';

/** Returns the kind of value that all parts of a type have; undefined if their kinds differ. */
function kindOf(comparison: Comparison, parts: readonly ts.Type[]): Kind | undefined {
  const kinds = new Set(parts.map((part) => kindOfPart(comparison, part)));
  const [kind] = kinds;
  return kinds.size === 1 ? kind : undefined;
}

function kindOfPart(comparison: Comparison, type: ts.Type): Kind | undefined {
  const { ts, checker } = comparison.source;
  // Finds the primitive type in a branded primitive, such as `string & { __brand: 'x' }`.
  const primitive = type.isIntersection()
    ? type.types.find((part) => (part.flags & ts.TypeFlags.Object) === 0)
    : undefined;
  const { flags } = primitive ?? type;
  if (flags & (ts.TypeFlags.String | ts.TypeFlags.StringLiteral | ts.TypeFlags.TemplateLiteral))
    return 'string';
  if (flags & (ts.TypeFlags.Number | ts.TypeFlags.NumberLiteral)) return 'number';
  if (flags & ts.TypeFlags.BooleanLike) return 'boolean';
  if ((flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) === 0) return undefined;
  if (checker.isArrayType(type)) return 'array';
  if (checker.getSignaturesOfType(type, ts.SignatureKind.Call).length > 0) return undefined;
  const indexes = checker.getIndexInfosOfType(type);
  if (indexes.length === 0) return 'object';
  // `Record<string | number, V>` has two index signatures with the same value type. In JSON both mean the same, because every key is a
  // string.
  const [first] = indexes;
  const isText = ts.TypeFlags.String | ts.TypeFlags.Number;
  const byString =
    indexes.some(({ keyType }) => keyType.flags & ts.TypeFlags.String) &&
    indexes.every(({ keyType, type: of }) => keyType.flags & isText && of === first?.type);
  return byString && checker.getPropertiesOfType(type).length === 0 ? 'record' : undefined;
}

function compareValues(
  comparison: Comparison,
  parts: readonly ts.Type[],
  schema: JSONSchemaProps,
  path: string,
): void {
  const literals = literalsOf(comparison.source, parts);
  const isBoth = schema.type === 'boolean' && literals?.length === 2;
  const show = (values: readonly unknown[] = []): string =>
    values
      .map((value) => JSON.stringify(value))
      .sort()
      .join(', ');
  const expected = isBoth ? '' : show(literals);
  const actual = show(schema.enum);
  if (expected === actual) return;
  disagree(
    comparison,
    path,
    `the type has the values ${expected || '(any)'}, the schema ${actual || '(any)'}`,
  );
}

/** @param types the possible types of the object: one type, or the members of a union */
function compareFields(
  comparison: Comparison,
  types: readonly ts.Type[],
  node: SchemaNode,
  path: string,
  except: ReadonlySet<string>,
): void {
  const { source, declaration } = comparison;
  const { schema, kind } = node;
  const members = types.map((type) =>
    fieldsOfType(source, type, declaration).filter((field) => !except.has(field.name)),
  );
  compareNames(comparison, members, node, path, except);
  const { choices } = kind;
  if (kind.isUnion === true) {
    const hasOwnType = (name: string): boolean => fieldNode(node, name)?.kind.exempt === 'type';
    for (const difference of unionDifferences(members, schema, hasOwnType))
      disagree(comparison, path, difference);
  } else if (choices === undefined) {
    for (const fields of members) compareRequired(comparison, fields, node, path, except);
  } else {
    for (const difference of choiceDifferences(members, schema, choices))
      disagree(comparison, path, difference);
  }
}

/** Compares the names and types of an object's fields in its type with those in its schema. */
function compareNames(
  comparison: Comparison,
  members: readonly (readonly TypeField[])[],
  node: SchemaNode,
  path: string,
  except: ReadonlySet<string>,
): void {
  const fields = members.flat().filter((field) => !field.isNever);
  for (const name of Object.keys(node.schema.properties ?? {})) {
    const isKnown = except.has(name) || fieldNode(node, name)?.kind.exempt === 'type';
    if (isKnown || fields.some((field) => field.name === name)) continue;
    disagree(comparison, `${path}.${name}`, 'the schema has a field more');
  }
  for (const name of new Set(fields.map((field) => field.name))) {
    const same = fields.filter((field) => field.name === name);
    const inner: Comparison = { ...comparison, declaration: same[0]?.node ?? comparison.declaration };
    const property = fieldNode(node, name);
    if (property === undefined) disagree(inner, `${path}.${name}`, 'the schema lacks the field');
    else
      compare(
        inner,
        same.map((field) => field.type),
        property,
        `${path}.${name}`,
      );
  }
}

/** Compares which fields of a plain object are required in the type and in the schema. */
function compareRequired(
  comparison: Comparison,
  fields: readonly TypeField[],
  node: SchemaNode,
  path: string,
  except: ReadonlySet<string>,
): void {
  const { schema } = node;
  const names = new Set(fields.filter((field) => !field.isNever).map((field) => field.name));
  // If the object has several types with the same fields, each of these types must have all fields of the schema.
  for (const name of Object.keys(schema.properties ?? {})) {
    const isExempt = fieldNode(node, name)?.kind.exempt === 'type';
    if (!isExempt && !except.has(name) && !names.has(name))
      disagree(comparison, `${path}.${name}`, 'the schema has a field more');
  }
  for (const field of fields) {
    if (!Object.hasOwn(schema.properties ?? {}, field.name)) continue;
    const required = schema.required?.includes(field.name) === true;
    if (field.isOptional !== required) continue;
    disagree(
      { ...comparison, declaration: field.node },
      `${path}.${field.name}`,
      required ? 'the field is optional in the type only' : 'the field is required in the type only',
    );
  }
}

function disagree(comparison: Comparison, path: string, difference: string): void {
  const { declaration, reporter } = comparison;
  reporter.error(
    {
      code: 'schema/disagreement',
      message: `${path}: op-sdk does not read the type exactly: ${difference}`,
      fix: ['write the type out as an interface, without the type expression'],
      at: { file: declaration.getSourceFile(), position: declaration.getStart() },
    },
    [],
  );
}

/**
 * Finds differences between the schema and the type that ExactlyOneOf or a similar type makes. The type is a union with one member for each
 * of the fields to choose from. In the schema, all of these fields are optional, and a CEL rule counts the fields that are set.
 */
function choiceDifferences(
  members: readonly (readonly TypeField[])[],
  schema: JSONSchemaProps,
  choices: readonly Choice[],
): string[] {
  const chosen = new Set(choices.flatMap((choice) => choice.fields));
  const differences: string[] = [];
  for (const field of members.flat().filter(({ name }) => !chosen.has(name))) {
    const required = schema.required?.includes(field.name) === true;
    if (field.isOptional === required)
      differences.push(`the field ${field.name} is ${required ? 'required' : 'optional'} in the schema only`);
  }
  for (const name of chosen)
    if (schema.required?.includes(name) === true) differences.push(`the schema requires the field ${name}`);
  for (const choice of choices) {
    const picked = members.map((fields) => pickedBy(fields, choice));
    const covered = new Set(picked.flatMap((name) => name ?? []));
    if (picked.includes(undefined) || choice.fields.some((name) => !covered.has(name)))
      differences.push(`the type is not ${choice.name} of ${choice.fields.join(', ')}`);
  }
  return [...new Set(differences)];
}

/**
 * Returns the fields of a choice that a member of the union selects; undefined if the utility type of the choice does not produce such a
 * member.
 */
function pickedBy(fields: readonly TypeField[], { name, fields: names }: Choice): string[] | undefined {
  const own = names.map((item) => fields.find((field) => field.name === item));
  const possible = own.filter((field) => field !== undefined && !field.isNever);
  const required = possible.filter((field) => field?.isOptional === false);
  const known = possible.map((field) => field?.name ?? '');
  const must = required.map((field) => field?.name ?? '');
  switch (name) {
    case 'ExactlyOneOf':
      return possible.length === 1 && must.length === 1 ? must : undefined;
    case 'AtMostOneOf':
      return possible.length <= 1 && must.length === 0 ? known : undefined;
    case 'AtLeastOneOf':
      return must.length >= 1 && possible.length === names.length ? must : undefined;
  }
}
