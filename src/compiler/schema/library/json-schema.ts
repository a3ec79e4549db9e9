import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../kubernetes/objects/index.ts';
import type { JsonValue, JSONSchemaProps } from '../../../kubernetes/crd/index.ts';
import type { FindingCode } from '../../../base/errors/index.ts';
import type { SchemaNode } from '../schema-node.ts';
import type { Doc } from '../shape.ts';

/** A JSON Schema that is an object, or a part of one. */
export type JsonSchema = Readonly<Record<string, JsonValue>>;

/** A part of a JSON Schema, and the references that were followed on the way to it. */
export interface ReferredSchema {
  readonly json: JsonSchema;
  readonly references: readonly string[];
}

/** Reason why a part of a JSON Schema cannot be read. */
export interface JsonSchemaProblem {
  readonly code:
    'schema/recursive-type' | 'schema/too-large' | 'schema/unsupported-keyword' | 'schema/unsupported-type';
  readonly message: string;
  readonly fix: string;
}

/** Maximum number of references on the path to one part. */
const mostReferences = 200;

/** Resolves the references of a part. Keywords beside a reference override the keywords of its target. */
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
      message: 'the schema contains itself, which a schema of a CRD cannot',
      fix: "keep unknown fields where it begins again: `z.unknown().meta({ 'x-kubernetes-preserve-unknown-fields': true })`",
    };
  if (references.length > mostReferences)
    return {
      code: 'schema/too-large',
      message: `a chain of references is longer than ${mostReferences}`,
      fix: 'use simpler types',
    };
  const target = pointed(root, reference);
  if (target === undefined)
    return {
      code: 'schema/unsupported-keyword',
      message: `the reference ${reference} does not lead into the schema`,
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
    // A step that is not a valid fragment of a URL is used without decoding.
    return step;
  }
}

/** Returns true if a schema accepts only null. */
export function isNull({ type, const: only, enum: values }: JsonSchema): boolean {
  return type === 'null' || only === null || (Array.isArray(values) && isDeepStrictEqual(values, [null]));
}

/** Keywords that do not restrict values. */
export const annotations: ReadonlySet<string> = new Set([
  ...['$schema', '$id', 'id', '$anchor', '$comment', '$defs', 'definitions'],
  ...['title', 'description', 'default', 'examples', 'example', 'externalDocs'],
  ...['deprecated', 'readOnly', 'writeOnly', 'contentMediaType'],
]);

/** Returns the list that a keyword holds, or an empty list if the value is not a list. */
export function itemsOfList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

/**
 * Merges a schema from `allOf` into the enclosing schema, as far as possible. Fields are merged. Keywords with different values stay in
 * `allOf`, where they can only restrict values.
 * @returns the merged schema; if the schemas contradict each other, the name of the field or keyword on which they do
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
  // Adds the remaining restrictions to those already in `allOf`.
  if (Object.keys(rest).length > 0) merged['allOf'] = [...itemsOfList(merged['allOf']), rest];
  return merged;
}

const restrictions: ReadonlySet<string> = new Set([
  ...['pattern', 'minLength', 'maxLength', 'const', 'enum', 'not'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'minProperties', 'maxProperties'],
]);

/** A part of a JSON Schema, with its position in the conversion. */
export interface Part {
  readonly given: JsonValue | undefined;
  /** Fields on the way to the part, with `[]` for items and `{}` for values. */
  readonly path: readonly string[];
  /** Docs on the way to the part; the doc of the part itself is last. */
  readonly docTrail: readonly Doc[];
  readonly references: readonly string[];
}

/** Context of an entire conversion, which the conversion of each part needs. */
export interface Conversion {
  readonly root: JsonSchema;
  convert(part: Part): SchemaNode;
  /** Returns the part at one further step of the path inside another part. */
  inside(
    part: Pick<Part, 'path' | 'docTrail' | 'references'>,
    step: string,
    given: JsonValue | undefined,
  ): Part;
  /** Reports a part that cannot be expressed. The schema is then incomplete. */
  refuse(part: Pick<Part, 'docTrail'>, code: FindingCode, message: string, fix: string): void;
  warn(part: Pick<Part, 'docTrail'>, code: FindingCode, message: string, fix: string): void;
}

/** Result of converting a part for one kind of value: the schema, and the nodes of the parts inside of it. */
export interface ConvertedValue {
  readonly schema: JSONSchemaProps;
  readonly parts?: SchemaNode['parts'];
  readonly isUnion?: boolean;
}
