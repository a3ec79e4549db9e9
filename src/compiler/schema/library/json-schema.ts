import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../kubernetes/objects/index.ts';
import type { JsonValue, JSONSchemaProps } from '../../../kubernetes/crd/index.ts';
import type { FindingCode } from '../../../base/errors/index.ts';
import type { SchemaNode } from '../schema-node.ts';
import type { Doc } from '../shape.ts';

/** A JSON Schema that is an object, or a part of one. */
export type JsonSchema = Readonly<Record<string, JsonValue>>;

/** A part of a JSON Schema, and the references that were followed on the path to this part. */
export interface ReferredSchema {
  readonly json: JsonSchema;
  readonly references: readonly string[];
}

/** Reason why a part of a JSON Schema cannot be converted. */
export interface JsonSchemaProblem {
  readonly code:
    'schema/recursive-type' | 'schema/too-large' | 'schema/unsupported-keyword' | 'schema/unsupported-type';
  readonly message: string;
  readonly fix: string;
}

/** Maximum number of references on the path to one part. */
const mostReferences = 200;

/**
 * Resolves the reference of a part, if it has one. If the part has other keywords beside the reference, they override the same keywords of
 * the target.
 */
export function resolved(
  root: JsonSchema,
  given: JsonValue | undefined,
  references: readonly string[],
): ReferredSchema | JsonSchemaProblem {
  if (given === true || given === undefined) return { json: {}, references };
  if (given === false || !isObject(given))
    return {
      code: 'schema/unsupported-type',
      message: 'no value fits',
      fix: 'leave the field out, or describe its values',
    };
  const { $ref: reference, ...own } = given;
  if (typeof reference !== 'string') return { json: given, references };
  if (references.includes(reference))
    return {
      code: 'schema/recursive-type',
      message: 'the schema contains itself, but the schema of a CRD must be finite',
      fix: "keep unknown fields where the schema begins again: `z.unknown().meta({ 'x-kubernetes-preserve-unknown-fields': true })`",
    };
  if (references.length > mostReferences)
    return {
      code: 'schema/too-large',
      message: `a chain of references is longer than ${mostReferences}`,
      fix: 'use types that refer to each other in shorter chains',
    };
  const target = pointed(root, reference);
  if (target === undefined)
    return {
      code: 'schema/unsupported-keyword',
      message: `the reference ${reference} does not refer to a part of the schema`,
      fix: 'write the schema out',
    };
  const inner = resolved(root, target, [...references, reference]);
  return 'code' in inner ? inner : { ...inner, json: { ...inner.json, ...own } };
}

/** Resolves a JSON pointer such as `#/$defs/Port` and returns its target. */
function pointed(root: JsonSchema, reference: string): JsonValue | undefined {
  const [head, ...steps] = reference.split('/');
  if (head !== '#') return undefined;
  let value: JsonValue | undefined = root;
  for (const step of steps) {
    const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    // Uses a step without decoding if it is not correctly percent-encoded.
    return step;
  }
}

/** Returns true if a schema accepts only null. */
export function isNull({ type, const: only, enum: values }: JsonSchema): boolean {
  return type === 'null' || only === null || (Array.isArray(values) && isDeepStrictEqual(values, [null]));
}

/** Keywords of JSON Schema that do not restrict values. */
export const annotations: ReadonlySet<string> = new Set([
  ...['$schema', '$id', 'id', '$anchor', '$comment', '$defs', 'definitions'],
  ...['title', 'description', 'default', 'examples', 'example', 'externalDocs'],
  ...['deprecated', 'readOnly', 'writeOnly', 'contentMediaType'],
]);

/** Returns the value of a keyword if it is a list, otherwise an empty list. */
export function itemsOfList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

/**
 * Merges the schema `other`, which is a part of an `allOf`, into the schema `one` around it, as far as possible. Fields are merged. A
 * keyword that has different values in the two schemas stays in `allOf` if it only restricts values.
 * @returns the merged schema; if the schemas contradict each other, the name of the contradictory field or keyword
 */
export function mergeSchemas(one: JsonSchema, other: JsonSchema): JsonSchema | { readonly clash: string } {
  const merged: Record<string, JsonValue> = { ...one };
  const rest: Record<string, JsonValue> = {};
  for (const [keyword, value] of Object.entries(other)) {
    const known = merged[keyword];
    if (known === undefined) merged[keyword] = value;
    else if (isDeepStrictEqual(known, value) || annotations.has(keyword)) continue;
    else if (keyword === 'type' && [known, value].every((type) => type === 'number' || type === 'integer'))
      merged['type'] = 'integer';
    else if (keyword === 'required')
      merged['required'] = [...new Set([...itemsOfList(known), ...itemsOfList(value)])];
    else if (keyword === 'allOf') merged['allOf'] = [...itemsOfList(known), ...itemsOfList(value)];
    else if (keyword === 'properties' && isObject(known) && isObject(value)) {
      const clash = Object.keys(value).find(
        (name) => Object.hasOwn(known, name) && !isDeepStrictEqual(known[name], value[name]),
      );
      if (clash !== undefined) return { clash: `the field \`${clash}\`` };
      merged['properties'] = { ...known, ...value };
    } else if (restrictions.has(keyword)) rest[keyword] = value;
    else return { clash: `\`${keyword}\`` };
  }
  // Adds the restrictions that could not be merged to the existing `allOf`.
  if (Object.keys(rest).length > 0) merged['allOf'] = [...itemsOfList(merged['allOf']), rest];
  return merged;
}

const restrictions: ReadonlySet<string> = new Set([
  ...['pattern', 'minLength', 'maxLength', 'const', 'enum', 'not'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'minProperties', 'maxProperties'],
]);

/** A part of a JSON Schema that is to be converted, with its position in the JSON Schema. */
export interface Part {
  readonly given: JsonValue | undefined;
  /** Names of the fields on the path to the part, with `[]` for the items of a list and `{}` for the values of a record. */
  readonly path: readonly string[];
  /** Docs of all parts on the path; the doc of the part itself is last. */
  readonly docTrail: readonly Doc[];
  readonly references: readonly string[];
}

/** Context of a conversion, shared by the conversions of all parts. */
export interface Conversion {
  readonly root: JsonSchema;
  convert(part: Part): SchemaNode;
  /** Returns the part that is one step of the path below the given part. */
  inside(
    part: Pick<Part, 'path' | 'docTrail' | 'references'>,
    step: string,
    given: JsonValue | undefined,
  ): Part;
  /** Reports an error for a part that cannot be expressed. The generated schema is then incomplete. */
  refuse(part: Pick<Part, 'docTrail'>, code: FindingCode, message: string, fix: string): void;
  warn(part: Pick<Part, 'docTrail'>, code: FindingCode, message: string, fix: string): void;
}

/** Result of converting one part: the schema, and the nodes of the parts inside of it. */
export interface ConvertedValue {
  readonly schema: JSONSchemaProps;
  readonly parts?: SchemaNode['parts'];
  readonly isUnion?: boolean;
}
