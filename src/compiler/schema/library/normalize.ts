import type { JsonValue } from '../../../kubernetes/crd/index.ts';
import {
  annotations,
  isNull,
  itemsOfList,
  mergeSchemas,
  resolved,
  type JsonSchema,
  type JsonSchemaProblem,
  type ReferredSchema,
} from './json-schema.ts';

/** A part of a JSON Schema in normal form: null, references and `allOf` are resolved, and the members of a union are listed separately. */
export interface NormalSchema extends ReferredSchema {
  /**
   * The part without `anyOf`, `oneOf` and `$ref`. If it has an `allOf`, this contains only schemas that restrict the values of the part.
   */
  readonly json: JsonSchema;
  /**
   * Members of `anyOf` or `oneOf`, except for null. The list is empty for a part that is not a union; otherwise it has at least two
   * members.
   */
  readonly members: readonly ReferredSchema[];
  /** True if `members` come from `oneOf`, false if they come from `anyOf`. */
  readonly isExclusive: boolean;
  readonly nullable: boolean;
}

/** Converts a part to normal form. The parts inside of it are not converted. */
export function normalize(
  root: JsonSchema,
  given: JsonValue | undefined,
  references: readonly string[],
): NormalSchema | JsonSchemaProblem {
  const own = resolved(root, given, references);
  if ('code' in own) return own;
  return normalizeResolved(root, own, false);
}

function normalizeResolved(
  root: JsonSchema,
  { json: given, references: known }: ReferredSchema,
  wasNullable: boolean,
): NormalSchema | JsonSchemaProblem {
  let nullable = wasNullable || given['nullable'] === true;
  let references = known;
  const { allOf, nullable: _, ...rest } = given;
  let json: JsonSchema = rest;
  const restrictions: JsonValue[] = [];
  const parts = partsOf(root, itemsOfList(allOf), known);
  if ('code' in parts) return parts;
  for (const part of parts) {
    const merged = mergeSchemas(json, part.json);
    if ('clash' in merged && typeof merged['clash'] === 'string') return contradiction(merged['clash']);
    const { allOf: more, ...whole } = merged as JsonSchema;
    for (const restriction of itemsOfList(more)) restrictions.push(restriction);
    json = whole;
    references = [...new Set([...references, ...part.references])];
  }
  const values = itemsOfList(json['enum']);
  if (values.includes(null) && values.length > 1) {
    nullable = true;
    json = { ...json, enum: values.filter((value) => value !== null) };
  }
  const types = itemsOfList(json['type']);
  if (types.length > 0) {
    const { type: _type, ...untyped } = json;
    const left = types.filter((type) => type !== 'null');
    nullable ||= left.length < types.length;
    const [only] = left;
    json =
      left.length === 1 && only !== undefined
        ? { ...untyped, type: only }
        : { ...untyped, anyOf: left.map((type) => ({ type })) };
  }
  const keyword = json['anyOf'] === undefined ? 'oneOf' : 'anyOf';
  if (json['anyOf'] !== undefined && json['oneOf'] !== undefined) return contradiction('`anyOf` and `oneOf`');
  const { [keyword]: choices, ...outer } = json;
  const members = membersOf(root, itemsOfList(choices), references, keyword);
  if ('code' in members) return members;
  nullable ||= members.some((member) => isNull(member.json));
  const left = members.filter((member) => !isNull(member.json));
  const withRest = restrictions.length === 0 ? outer : { ...outer, allOf: restrictions };
  const [single] = left;
  if (left.length !== 1 || single === undefined) {
    const spread = left.length === 0 ? { json: withRest, members: left } : distributed(withRest, left);
    if ('code' in spread) return spread;
    return { ...spread, references, isExclusive: keyword === 'oneOf', nullable };
  }
  // If only one member of a union is left without null, the keywords beside the union are merged into this member.
  const merged = mergeSchemas(withRest, single.json);
  if ('clash' in merged && typeof merged['clash'] === 'string') return contradiction(merged['clash']);
  const inner = {
    json: merged as JsonSchema,
    references: [...new Set([...references, ...single.references])],
  };
  return normalizeResolved(root, inner, nullable);
}

/**
 * Returns the schemas of an `allOf`, including those of nested `allOf`s, each without its own `allOf`. Several of these schemas may refer
 * to the same type. A reference counts as recursive only if the type refers to itself.
 */
function partsOf(
  root: JsonSchema,
  choices: readonly JsonValue[],
  references: readonly string[],
): readonly ReferredSchema[] | JsonSchemaProblem {
  const parts: ReferredSchema[] = [];
  for (const choice of choices) {
    const part = resolved(root, choice, references);
    if ('code' in part) return part;
    const { allOf, ...json } = part.json;
    const inner = partsOf(root, itemsOfList(allOf), part.references);
    if ('code' in inner) return inner;
    parts.push({ ...part, json }, ...inner);
    if (parts.length > mostMembers)
      return {
        code: 'schema/too-large',
        message: `an intersection has more than ${mostMembers} parts`,
        fix: 'use an intersection of fewer parts',
      };
  }
  return parts;
}

/**
 * Moves the keywords beside a union into each member of the union. Documentation and the keywords of Kubernetes (`x-kubernetes-…`) stay
 * beside the union.
 */
function distributed(
  outer: JsonSchema,
  members: readonly ReferredSchema[],
): Pick<NormalSchema, 'json' | 'members'> | JsonSchemaProblem {
  const isOfWhole = (keyword: string): boolean =>
    annotations.has(keyword) || keyword.startsWith('x-kubernetes-');
  const entries = Object.entries(outer);
  const json = Object.fromEntries(entries.filter(([keyword]) => isOfWhole(keyword)));
  const shared = Object.fromEntries(entries.filter(([keyword]) => !isOfWhole(keyword)));
  if (Object.keys(shared).length === 0) return { json, members };
  const merged: ReferredSchema[] = [];
  for (const member of members) {
    const both = mergeSchemas(shared, member.json);
    if ('clash' in both && typeof both['clash'] === 'string') return contradiction(both['clash']);
    merged.push({ ...member, json: both });
  }
  return { json, members: merged };
}

/** Maximum number of members of a union or an intersection, including the members of nested unions or intersections. */
const mostMembers = 10_000;

/** Returns the members of a union. A nested union is replaced by its members. */
function membersOf(
  root: JsonSchema,
  choices: readonly JsonValue[],
  references: readonly string[],
  keyword: 'anyOf' | 'oneOf',
): readonly ReferredSchema[] | JsonSchemaProblem {
  const members: ReferredSchema[] = [];
  for (const choice of choices) {
    const member = resolved(root, choice, references);
    if ('code' in member) return member;
    const { [keyword]: inner, ...rest } = member.json;
    if (inner === undefined || Object.keys(rest).length > 0) {
      members.push(member);
      continue;
    }
    const nested = membersOf(root, itemsOfList(inner), member.references, keyword);
    if ('code' in nested) return nested;
    for (const each of nested) members.push(each);
    if (members.length > mostMembers)
      return {
        code: 'schema/too-large',
        message: `a union has more than ${mostMembers} members`,
        fix: 'use a union of fewer members',
      };
  }
  return members;
}

function contradiction(what: string): JsonSchemaProblem {
  return {
    code: 'schema/unsupported-keyword',
    message: `parts of an intersection differ in ${what}, which a schema of a CRD can contain only once`,
    fix: 'write one object with all fields, such as `first.extend(second.shape)`',
  };
}
