import { isDeepStrictEqual } from 'node:util';
import type { JSONSchemaProps, JsonValue } from '../../../kubernetes/crd/index.ts';
import { bareNode, fieldNode, type SchemaNode } from '../schema-node.ts';
import type { Doc, Problem } from '../shape.ts';

/** One member of a union of object types, converted to a schema of its own. */
export interface UnionMember {
  /** Name of the member in messages: the name of the type, or its position in the union. */
  readonly label: string;
  /** Schema of the member without the rest of the union: `type: object` with its properties. */
  readonly node: SchemaNode;
  /** Fields that the type forbids with `name?: never`. */
  readonly never: ReadonlySet<string>;
  /** Docs of the member's fields, by name. Empty for a built-in type. */
  readonly docs: ReadonlyMap<string, Doc>;
}

interface UnionSchema {
  /**
   * Schema with the fields of all members, and with a `oneOf` that states which fields belong to the same member. Incomplete if `problems`
   * is not empty.
   */
  readonly schema: JSONSchemaProps;
  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly problems: readonly Problem[];
}

/**
 * Converts a union of object types to a structural schema. The schema contains the fields of all members, and a `oneOf` that distinguishes
 * the members by their required fields and by the values of their literal fields. The schemas inside of `oneOf` contain no other keywords,
 * because apiextensions allows neither types nor descriptions in them.
 */
export function unionSchema(members: readonly UnionMember[]): UnionSchema {
  const problems = members.flatMap(memberProblems);
  if (problems.length > 0) return { schema: { type: 'object' }, properties: new Map(), problems };
  const properties = mergeProperties(members, problems);
  const common = (members[0]?.node.schema.required ?? []).filter((name) =>
    members.every(({ node }) => node.schema.required?.includes(name) === true),
  );
  const schema: JSONSchemaProps = { type: 'object', properties: schemasOf(properties) };
  if (common.length > 0) schema.required = [...common].sort();
  if (problems.length > 0) return { schema, properties, problems };
  const branches = unionBranches(members.map((member) => fieldsOf(member, properties)));
  if ('overlap' in branches) {
    problems.push(overlapping(members, branches.overlap));
    return { schema, properties, problems };
  }
  schema.oneOf = branches.map((branch) => branchSchema(branch, common, properties));
  return { schema, properties, problems };
}

function schemasOf(properties: Properties): Record<string, JSONSchemaProps> {
  return Object.fromEntries([...properties].map(([name, { schema }]) => [name, schema]));
}

const allowed = ['type', 'properties', 'required', 'description'];

// Reports constraints on a member itself rather than on its fields. Such constraints cannot be expressed, because they would have to be
// inside of `oneOf`.
function memberProblems({ label, node: { schema } }: UnionMember): Problem[] {
  if (schema.additionalProperties !== undefined || schema.type !== 'object') {
    const message = `the member ${label} of the union has arbitrary keys, which cannot be combined with the fields of the other members`;
    return [{ code: 'schema/object-union', message, fix: ['put the record into a field of its own'] }];
  }
  const lost = Object.keys(schema).filter((name) => !allowed.includes(name));
  if (lost.length === 0) return [];
  const what = lost.map((name) => `\`${name}\``).join(', ');
  return [
    {
      code: 'schema/object-union',
      message: `the constraints of ${label} as a whole (${what}) cannot be expressed for a member of a union`,
      fix: [
        'put the tags of the member on its fields, or on the field whose type the union is',
        'or declare one interface with all fields, optional where they differ, and write `@cel` rules about fields that belong together',
      ],
    },
  ];
}

type Properties = Map<string, SchemaNode>;

function mergeProperties(members: readonly UnionMember[], problems: Problem[]): Properties {
  const merged: Properties = new Map();
  const owners = new Map<string, UnionMember>();
  for (const member of members) {
    for (const name of Object.keys(member.node.schema.properties ?? {})) {
      const property = fieldNode(member.node, name);
      if (property === undefined) continue;
      const known = merged.get(name);
      const owner = owners.get(name);
      if (known === undefined || owner === undefined) {
        merged.set(name, property);
        owners.set(name, member);
        continue;
      }
      const both = mergeField(known, property);
      if (both !== undefined) merged.set(name, both);
      else problems.push(clash(name, owner, member));
    }
  }
  for (const [name, { schema }] of merged) {
    const value = schema.default;
    const without = members.find(({ node }) => !Object.hasOwn(node.schema.properties ?? {}, name));
    const owner = owners.get(name);
    if (value !== undefined && without !== undefined && owner !== undefined)
      problems.push(defaultForAll(name, owner, without));
  }
  return merged;
}

/**
 * Merges a field that two members of a union have. If it is a literal field, the merged field has the values of both members. Returns
 * undefined if the fields cannot be merged.
 */
function mergeField(oneNode: SchemaNode, otherNode: SchemaNode): SchemaNode | undefined {
  const [one, other] = [oneNode.schema, otherNode.schema];
  const { description, ...rest } = one;
  const { description: otherDescription, ...otherRest } = other;
  if (description !== undefined && otherDescription !== undefined && description !== otherDescription)
    return undefined;
  const text = description ?? otherDescription;
  const described = text === undefined ? {} : { description: text };
  if (isDeepStrictEqual(rest, otherRest)) {
    Object.assign(one, described);
    return withDocsOf(oneNode, otherNode);
  }
  const values = valuesOf(one);
  const otherValues = valuesOf(other);
  if (values === undefined || otherValues === undefined) return undefined;
  const { enum: _, ...open } = rest;
  const { enum: __, ...otherOpen } = otherRest;
  if (!isDeepStrictEqual(open, otherOpen)) return undefined;
  const all = [...new Set([...values, ...otherValues])];
  const isBoolean = one.type === 'boolean' && all.length === 2;
  return withDocsOf(
    { ...bareNode({ ...described, ...open, ...(isBoolean ? {} : { enum: all }) }), origin: oneNode.origin },
    otherNode,
  );
}

/** Adds the docs of the second member's field to the merged field, because the comments in both members describe it. */
function withDocsOf(node: SchemaNode, { origin }: SchemaNode): SchemaNode {
  if (node.origin === undefined || origin === undefined) return { ...node, origin: node.origin ?? origin };
  return { ...node, origin: { ...node.origin, docs: [...node.origin.docs, ...origin.docs] } };
}

/** Returns the values of a literal or boolean field; undefined for a field of any other type. */
function valuesOf(schema: JSONSchemaProps): readonly JsonValue[] | undefined {
  return schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined);
}

function clash(name: string, one: UnionMember, other: UnionMember): Problem {
  const [first, second] = [one.docs.get(name), other.docs.get(name)];
  return {
    code: 'schema/object-union',
    message: `the field \`${name}\` is not the same in ${one.label} and in ${other.label}, but the schema can contain it only once`,
    fix: [
      'give it the same type, doc comment and tags in both, or no comment in one of them',
      'or give the fields different names',
    ],
    ...(second === undefined ? {} : { at: placeOf(second) }),
    ...(first === undefined ? {} : { other: placeOf(first) }),
  };
}

function defaultForAll(name: string, owner: UnionMember, without: UnionMember): Problem {
  const doc = owner.docs.get(name);
  return {
    code: 'schema/object-union',
    message: `the default of \`${name}\` cannot be used in this union: the API server would also write it into objects of the member ${without.label}, which does not have this field`,
    fix: ['remove the default, or give the field to all members'],
    ...(doc === undefined ? {} : { at: placeOf(doc) }),
  };
}

function placeOf({ node }: Doc): NonNullable<Problem['at']> {
  return { file: node.getSourceFile(), position: node.getStart() };
}

function fieldsOf(
  { node: { schema }, never }: UnionMember,
  merged: ReadonlyMap<string, SchemaNode>,
): MemberFields {
  const properties = Object.entries(schema.properties ?? {});
  return {
    all: new Set(properties.map(([name]) => name)),
    required: new Set(schema.required),
    values: new Map(
      properties.flatMap(([name, property]) => {
        const values = valuesOf(property);
        const all = valuesOf(merged.get(name)?.schema ?? {});
        return values !== undefined && all !== undefined && values.length < all.length
          ? [[name, values] as const]
          : [];
      }),
    ),
    // Omits a forbidden field that no member has, because the API server drops this field in any case.
    never: new Set([...never].filter((name) => merged.has(name))),
  };
}

function overlapping(members: readonly UnionMember[], [one, other]: readonly [number, number]): Problem {
  const labels = [members[one]?.label ?? '', members[other]?.label ?? ''];
  return {
    code: 'schema/object-union',
    message: `the members of the union cannot be distinguished: an object can be ${labels.join(' and ')} at once, as neither requires a field, or a value of a field, that the other does not have`,
    fix: [
      "give each of them a field with a literal of its own, such as `type: 'a'`, or a required field that the others do not have",
      'or declare one interface with all fields',
    ],
  };
}

function branchSchema(
  branch: Branch,
  common: readonly string[],
  merged: ReadonlyMap<string, unknown>,
): JSONSchemaProps {
  const schema: JSONSchemaProps = {};
  if (branch.values.size > 0) {
    schema.properties = Object.fromEntries(
      [...branch.values]
        .filter(([name]) => merged.has(name))
        .map(([name, values]) => [name, { enum: [...values] }]),
    );
  }
  const required = [...branch.required].filter((name) => !common.includes(name)).sort();
  if (required.length > 0) schema.required = required;
  const forbidden = [...branch.forbidden].sort().map((name) => ({ required: [name] }));
  const [only] = forbidden;
  if (only !== undefined) schema.not = forbidden.length === 1 ? only : { anyOf: forbidden };
  return schema;
}

/** Fields and values that distinguish one member of a union from the other members. */
export interface MemberFields {
  /** All fields that an object of this member may have. */
  readonly all: ReadonlySet<string>;
  readonly required: ReadonlySet<string>;
  /** Values of the member's literal fields. Contains only fields that have further values in other members. */
  readonly values: ReadonlyMap<string, readonly JsonValue[]>;
  /** Fields that the type of this member explicitly forbids. */
  readonly never: ReadonlySet<string>;
}

/** One alternative of a `oneOf`, for one member of the union. */
export interface Branch {
  readonly required: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, readonly JsonValue[]>;
  readonly forbidden: ReadonlySet<string>;
}

/**
 * Returns the alternatives of a `oneOf`, one for each member of the union. An object that has only fields of one member matches the
 * alternative of this member, and no other alternative. An alternative forbids a field only if this is necessary, because the required
 * fields and values do not already exclude objects with this field.
 *
 * @returns the alternatives; if two members cannot be distinguished, the indexes of these members
 */
export function unionBranches(
  members: readonly MemberFields[],
): readonly Branch[] | { readonly overlap: readonly [number, number] } {
  const bare = members.map((): ReadonlySet<string> => new Set());
  const isEnough =
    members.every((member, index) => followsFromOthers(members, index, member)) &&
    pairsOf(members).every(([member, other]) => fails(members[member], members[other], bare[other]));
  if (isEnough) return branchesOf(members, bare);
  const forbidden = members.map((member) => new Set(member.never));
  for (const [index, otherIndex] of pairsOf(members)) {
    const [member, other, extra] = [members[index], members[otherIndex], forbidden[otherIndex]];
    if (extra === undefined || fails(member, other, extra)) continue;
    const foreign = [...(member?.required ?? [])].filter((name) => other?.all.has(name) === false);
    if (foreign.length === 0) return { overlap: [Math.min(index, otherIndex), Math.max(index, otherIndex)] };
    for (const name of foreign) extra.add(name);
  }
  return branchesOf(members, forbidden);
}

function branchesOf(members: readonly MemberFields[], forbidden: readonly ReadonlySet<string>[]): Branch[] {
  return members.map(({ required, values }, index) => ({
    required,
    values,
    forbidden: forbidden[index] ?? new Set(),
  }));
}

/** Returns all pairs of two different members, as indexes. Each pair occurs in both orders. */
function pairsOf(members: readonly MemberFields[]): [number, number][] {
  const indexes = [...members.keys()];
  return indexes.flatMap((one) =>
    indexes.filter((other) => other !== one).map((other): [number, number] => [one, other]),
  );
}

/** Returns true if every object of `member` fails to match the alternative of `other`. */
function fails(
  member: MemberFields | undefined,
  other: MemberFields | undefined,
  forbidden: ReadonlySet<string> | undefined,
): boolean {
  if (member === undefined || other === undefined || forbidden === undefined) return true;
  const lacks = [...other.required].some((name) => !member.all.has(name));
  const hasForbidden = [...forbidden].some((name) => member.required.has(name));
  return lacks || hasForbidden || [...member.required].some((name) => isDisjoint(member, other, name));
}

function isDisjoint(one: MemberFields, other: MemberFields, name: string): boolean {
  const [values, others] = [one.values.get(name), other.values.get(name)];
  return values !== undefined && others !== undefined && !values.some((value) => others.includes(value));
}

/**
 * Returns true if an alternative need not forbid the fields that the member forbids. This is so if every object with such a field also
 * matches the alternative of another member, so that `oneOf` rejects it: `{a, b?: never} | {b, a?: never}`.
 */
function followsFromOthers(members: readonly MemberFields[], index: number, member: MemberFields): boolean {
  return [...member.never].every((name) =>
    members.some(
      (other, otherIndex) =>
        otherIndex !== index &&
        [...other.required].every((field) => field === name || member.required.has(field)) &&
        [...other.values].every(([field, values]) => {
          const own = member.values.get(field);
          return own !== undefined && own.every((value) => values.includes(value));
        }),
    ),
  );
}
