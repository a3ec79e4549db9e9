import { isDeepStrictEqual } from 'node:util';
import { isJsonMap, type JsonMap } from '../../base/util/json-map.ts';

/**
 * A set of fields as `fieldsV1` has it: steps such as `f:name`, `k:{"name":"a"}` or `v:"item"`, and below each what is owned
 * in there. The step `.` says that the field itself is owned, as does a field with nothing below.
 *
 * Source: structured-merge-diff `fieldpath`, the serialized form of a set of fields.
 */
export type OwnedFields = JsonMap;

/** The steps from a set to what is in it. */
export function ownedSteps(fields: OwnedFields): readonly (readonly [step: string, below: OwnedFields])[] {
  return Object.entries(fields).flatMap(([step, below]) =>
    step === '.' || !isJsonMap(below) ? [] : [[step, below] as const],
  );
}

/** Value to which a step leads; undefined if it is not there. */
export function memberAt(value: unknown, step: string): unknown {
  const name = step.slice(2);
  if (step.startsWith('f:')) return isJsonMap(value) ? value[name] : undefined;
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
  if (step.startsWith('i:')) return items[Number(name)];
  const wanted: unknown = JSON.parse(name);
  if (step.startsWith('v:')) return items.find((item) => isDeepStrictEqual(item, wanted));
  const keys = Object.entries(wanted as object);
  return items.find((item) => keys.every(([key, each]) => isDeepStrictEqual((item as JsonMap)[key], each)));
}

/** All fields of both sets. */
export function unitedFields(one: OwnedFields, other: OwnedFields): OwnedFields {
  const united = new Map(ownedSteps(one));
  for (const [step, below] of ownedSteps(other)) {
    const known = united.get(step);
    if (known === undefined) {
      united.set(step, below);
      continue;
    }
    const inside = unitedFields(known, below);
    const isWhole = isOwnedItself(known) || isOwnedItself(below);
    united.set(step, isWhole && Object.keys(inside).length > 0 ? { '.': {}, ...inside } : inside);
  }
  return Object.fromEntries(united);
}

function isOwnedItself(fields: OwnedFields): boolean {
  return Object.hasOwn(fields, '.') || Object.keys(fields).length === 0;
}

/**
 * A value without the fields of a set, as server-side apply leaves it once their owner does not apply them any more.
 *
 * @param kept the sets of all others: what one of them has stays, and so does what it is in
 */
export function withoutFields(value: unknown, removed: OwnedFields, kept: readonly OwnedFields[]): unknown {
  let rest = value;
  for (const [step, below] of ownedSteps(removed)) {
    const member = memberAt(rest, step);
    if (member === undefined) continue;
    const keptBelow = kept.map((fields) => fields[step]).filter(isJsonMap);
    const isRemoved = keptBelow.length === 0 && isOwnedItself(below);
    const left = isRemoved ? undefined : withoutFields(member, below, keptBelow);
    // The field of a struct, which nobody owns as such, ends with the last of what is in it.
    const replacement = isJsonMap(left) && Object.keys(left).length === 0 ? undefined : left;
    if (left !== member) rest = withMember(rest, step, member, replacement);
  }
  return rest;
}

/** @param replacement undefined to leave it out */
function withMember(value: unknown, step: string, member: unknown, replacement: unknown): unknown {
  if (isJsonMap(value)) {
    const { [step.slice(2)]: _member, ...others } = value;
    return replacement === undefined ? others : { ...value, [step.slice(2)]: replacement };
  }
  const items = value as readonly unknown[];
  return items.flatMap((item) => (item !== member ? [item] : replacement === undefined ? [] : [replacement]));
}
