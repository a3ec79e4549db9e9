import type { JsonValue } from '../../../kubernetes/crd/json-schema-props.ts';

/** Fields that tell one member of a union from the others. */
export interface MemberFields {
  /** The fields that an object of this type may have. */
  readonly all: ReadonlySet<string>;
  readonly required: ReadonlySet<string>;
  /** The values of literal fields, where other members have other ones. */
  readonly values: ReadonlyMap<string, readonly JsonValue[]>;
  /** The fields that it explicitly must not have. */
  readonly never: ReadonlySet<string>;
}

/** One alternative of a `oneOf`. */
export interface Branch {
  readonly required: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, readonly JsonValue[]>;
  readonly forbidden: ReadonlySet<string>;
}

/**
 * The alternatives of a `oneOf`, one for each member, so that every object of one member (with fields that this member has) meets its own
 * alternative and no other. Fields are forbidden only where that does not follow from what the alternatives require.
 *
 * @returns two members that cannot be distinguished, if there are any
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

/** Every two members, in both orders, by their indexes. */
function pairsOf(members: readonly MemberFields[]): [number, number][] {
  const indexes = [...members.keys()];
  return indexes.flatMap((one) =>
    indexes.filter((other) => other !== one).map((other): [number, number] => [one, other]),
  );
}

/** True if no object of `member` can meet the alternative of `other`. */
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
 * True if an object of a member that has a forbidden field all the same meets another alternative as well, and is refused by `oneOf` for
 * that alone: `{a, b?: never} | {b, a?: never}`.
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
