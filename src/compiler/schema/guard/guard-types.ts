import type ts from 'typescript';
import type { JsonValue, JSONSchemaProps } from '../../../kubernetes/crd/index.ts';
import { isProjectFile, type SourceProgram } from '../../source/index.ts';
import { templateText, type TemplatePart, type TemplateText } from '../template-pattern.ts';

/** A field as the type checker sees it. */
export interface TypeField {
  readonly name: string;
  readonly type: ts.Type;
  /** Declaration of the field, if it is in the project; otherwise the nearest node in the project. */
  readonly node: ts.Node;
  readonly isOptional: boolean;
  /** True if the field has the type `never`, which no value can have. */
  readonly isNever: boolean;
  /** Possible values of the field, if its type consists of literals only; otherwise undefined. */
  readonly literals: readonly JsonValue[] | undefined;
}

/** Returns all types that a value may have, without duplicates. Each union is replaced by its members. */
export function typePartsOf(types: readonly ts.Type[]): ts.Type[] {
  return [...new Set(types.flatMap((type) => (type.isUnion() ? type.types : [type])))];
}

/** Returns the given types except null and undefined. */
export function valueParts({ ts }: SourceProgram, parts: readonly ts.Type[]): ts.Type[] {
  return parts.filter((part) => (part.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) === 0);
}

/** Returns the values of the types, if all of them are literal types; otherwise undefined. */
export function literalsOf(
  { ts, checker }: SourceProgram,
  parts: readonly ts.Type[],
): readonly JsonValue[] | undefined {
  const literals: JsonValue[] = [];
  for (const part of parts) {
    if (part.isStringLiteral() || part.isNumberLiteral()) literals.push(part.value);
    else if (part.flags & ts.TypeFlags.BooleanLiteral) literals.push(checker.typeToString(part) === 'true');
    else return undefined;
  }
  return literals;
}

/**
 * Returns the texts that a union of template literals and string literals matches. Returns undefined if none of the types is a template
 * literal, or if a type in the union matches any text.
 */
export function templateTextsOf(
  { ts }: SourceProgram,
  parts: readonly ts.Type[],
): TemplateText[] | undefined {
  const isTemplate = (part: ts.Type): part is ts.TemplateLiteralType =>
    (part.flags & ts.TypeFlags.TemplateLiteral) !== 0;
  if (!parts.some(isTemplate) || !parts.every((part) => isTemplate(part) || part.isStringLiteral()))
    return undefined;
  return parts.map((part) => {
    if (!isTemplate(part))
      return templateText(part.isStringLiteral() ? [{ text: part.value }] : [{ any: 'string' }]);
    const spans = part.types.flatMap((type, index): TemplatePart[] => [
      { any: placeholderOf(ts, type) },
      { text: part.texts[index + 1] ?? '' },
    ]);
    return templateText([{ text: part.texts[0] ?? '' }, ...spans]);
  });
}

function placeholderOf(typescript: SourceProgram['ts'], type: ts.Type): 'string' | 'number' | 'bigint' {
  if (type.flags & typescript.TypeFlags.Number) return 'number';
  return type.flags & typescript.TypeFlags.BigInt ? 'bigint' : 'string';
}

/** Returns the fields of an object type, as the type checker sees them. */
export function fieldsOfType(source: SourceProgram, type: ts.Type, docTrail: ts.Node): TypeField[] {
  const { ts, checker, program } = source;
  return checker.getPropertiesOfType(type).map((symbol) => {
    const fieldType = checker.getTypeOfSymbol(symbol);
    const parts = typePartsOf([fieldType]);
    const values = valueParts(source, parts);
    const hasUndefined = parts.some((part) => (part.flags & ts.TypeFlags.Undefined) !== 0);
    const hasNull = parts.some((part) => (part.flags & ts.TypeFlags.Null) !== 0);
    const own = symbol.declarations?.find((item) => isProjectFile(program, item.getSourceFile()));
    return {
      name: symbol.name,
      type: fieldType,
      node: own ?? docTrail,
      isOptional: (symbol.flags & ts.SymbolFlags.Optional) !== 0 || hasUndefined,
      isNever: !hasNull && values.every((part) => (part.flags & ts.TypeFlags.Never) !== 0),
      literals: literalsOf(source, values),
    };
  });
}

/**
 * Finds differences between a union of object types and the `oneOf` of its schema. Each member of the union must match an alternative of
 * its own in `oneOf`. This alternative must require the same fields as the member, restrict each literal field to the same values, and
 * forbid no field that the member has.
 *
 * @param hasOwnType returns true for a field whose values are not compared. This applies to fields of built-in types, because these types
 * list only the values that their server accepts today
 */
export function unionDifferences(
  members: readonly (readonly TypeField[])[],
  schema: JSONSchemaProps,
  hasOwnType: (name: string) => boolean,
): string[] {
  const branches = [...(schema.oneOf ?? [])];
  const count = branches.length;
  const unmatched = members.filter((fields) => {
    const index = branches.findIndex((branch) => says(branch, fields, schema, hasOwnType));
    if (index !== -1) branches.splice(index, 1);
    return index === -1;
  });
  if (unmatched.length === 0 && branches.length === 0) return [];
  const names = unmatched.map((fields) => `{ ${fields.map((field) => field.name).join(', ')} }`);
  return [
    `the union has ${members.length} members, the schema ${count} alternatives` +
      (names.length === 0 ? '' : `, and none of them is ${names.join(' or ')}`),
  ];
}

function says(
  branch: JSONSchemaProps,
  fields: readonly TypeField[],
  schema: JSONSchemaProps,
  hasOwnType: (name: string) => boolean,
): boolean {
  const required = fields.filter((field) => !field.isOptional).map((field) => field.name);
  // Ignores required fields that the schema does not list, because a tag may require fields that the type does not contain.
  const known = (schema.required ?? []).filter((name) => Object.hasOwn(schema.properties ?? {}, name));
  if (!isSame(required, [...known, ...(branch.required ?? [])])) return false;
  const present = fields.filter((field) => !field.isNever);
  if (forbiddenBy(branch).some((name) => present.some((field) => field.name === name))) return false;
  const named = Object.keys(branch.properties ?? {});
  return (
    named.every((name) => present.some((field) => field.name === name)) &&
    present.every((field) => {
      const property = schema.properties?.[field.name];
      if (property !== undefined && hasOwnType(field.name)) return true;
      if (field.literals === undefined) return branch.properties?.[field.name] === undefined;
      const all = property?.enum ?? [true, false];
      return isSame(field.literals, branch.properties?.[field.name]?.enum ?? all);
    })
  );
}

function forbiddenBy({ not }: JSONSchemaProps): string[] {
  return [not ?? {}, ...(not?.anyOf ?? [])].flatMap((item) => item.required ?? []);
}

function isSame(one: readonly JsonValue[], other: readonly JsonValue[]): boolean {
  const [values, others] = [new Set(one), new Set(other)];
  return values.size === others.size && [...values].every((value) => others.has(value));
}
