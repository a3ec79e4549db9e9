import { compareBytes } from '../../base/util/bytes.ts';
import { isJsonMap, isEqualJson, ownField } from '../../base/util/json-map.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/**
 * One step of a path into an object, in the notation of `managedFields`: `f:name` for a field, `k:{"name":"a"}` for an item with a key,
 * `v:"item"` for an item with a value.
 */
export type Step = string;

export const fieldStep = (name: string): Step => `f:${name}`;

/** Returns the field name of a step; undefined if the step leads to an item of a list. */
export function pathElementOf(step: Step): string | undefined {
  return step.startsWith('f:') ? step.slice(2) : undefined;
}

/** A set of paths into an object. It is not changed after it has been built. Source: structured-merge-diff `fieldpath.Set`. */
export class FieldSet {
  /** The steps at this level at which a path of the set ends. */
  readonly members = new Set<Step>();
  /** Maps each step at this level that has longer paths below it to the set of the remainders of these paths. */
  readonly children = new Map<Step, FieldSet>();

  static of(...paths: readonly (readonly Step[])[]): FieldSet {
    const set = new FieldSet();
    for (const path of paths) set.insert(path);
    return set;
  }

  get isEmpty(): boolean {
    return this.members.size === 0 && [...this.children.values()].every((child) => child.isEmpty);
  }

  /** All steps at this level, each with the set of the path remainders below the step; this set may be empty. */
  get steps(): readonly (readonly [step: Step, below: FieldSet])[] {
    const steps = new Set([...this.members, ...this.children.keys()]);
    return [...steps].map((step) => [step, this.children.get(step) ?? none]);
  }

  /** Adds a path. Called only while the set is being built. */
  insert(path: readonly Step[]): void {
    const [step, ...rest] = path;
    if (step === undefined) return;
    if (rest.length === 0) {
      this.members.add(step);
      return;
    }
    let child = this.children.get(step);
    if (child === undefined) this.children.set(step, (child = new FieldSet()));
    child.insert(rest);
  }

  union(other: FieldSet): FieldSet {
    const result = new FieldSet();
    for (const step of [...this.members, ...other.members]) result.members.add(step);
    for (const step of new Set([...this.children.keys(), ...other.children.keys()])) {
      const mine = this.children.get(step) ?? none;
      result.#keep(step, mine.union(other.children.get(step) ?? none));
    }
    return result;
  }

  intersection(other: FieldSet): FieldSet {
    const result = new FieldSet();
    for (const step of this.members) if (other.members.has(step)) result.members.add(step);
    for (const [step, child] of this.children)
      result.#keep(step, child.intersection(other.children.get(step) ?? none));
    return result;
  }

  /** Returns the set without the paths of another set. Longer paths below the removed paths are kept. */
  difference(other: FieldSet): FieldSet {
    const result = new FieldSet();
    for (const step of this.members) if (!other.members.has(step)) result.members.add(step);
    for (const [step, child] of this.children)
      result.#keep(step, child.difference(other.children.get(step) ?? none));
    return result;
  }

  /** Returns the set without the paths of another set, and without all longer paths below the removed paths. */
  without(other: FieldSet): FieldSet {
    const result = new FieldSet();
    for (const step of this.members) if (!other.members.has(step)) result.members.add(step);
    for (const [step, child] of this.children)
      if (!other.members.has(step)) result.#keep(step, child.without(other.children.get(step) ?? none));
    return result;
  }

  /**
   * Returns the set without everything that one of the other sets also owns. A step below which another set owns a path is removed as well,
   * because server-side apply keeps the parents of owned fields.
   */
  notIn(others: readonly FieldSet[]): FieldSet {
    const result = new FieldSet();
    for (const [step, below] of this.steps) {
      const sharing = others.filter((set) => set.members.has(step) || set.children.has(step));
      if (this.members.has(step) && sharing.length === 0) result.members.add(step);
      result.#keep(step, below.notIn(sharing.flatMap((set) => set.children.get(step) ?? [])));
    }
    return result;
  }

  /** Returns the paths that no longer path of the set continues, in the order in which the API server sorts them. */
  leaves(): readonly (readonly Step[])[] {
    return [...this.steps]
      .sort(([left], [right]) => compareSteps(left, right))
      .flatMap(([step, below]) => (below.isEmpty ? [[step]] : below.leaves().map((path) => [step, ...path])));
  }

  /** Returns all paths, in the order in which the API server sorts them. */
  paths(): readonly (readonly Step[])[] {
    const own = [...this.members].sort(compareSteps).map((step) => [step]);
    const below = [...this.children]
      .sort(([left], [right]) => compareSteps(left, right))
      .flatMap(([step, child]) => child.paths().map((path) => [step, ...path]));
    return [...own, ...below];
  }

  /** Converts the set to the format of `fieldsV1`. */
  toJson(): JsonObject {
    const result: JsonObject = {};
    for (const [step, below] of [...this.steps].sort(([left], [right]) => compareSteps(left, right))) {
      const child = below.toJson();
      const isBoth = this.members.has(step) && Object.keys(child).length > 0;
      result[step] = isBoth ? { '.': {}, ...child } : child;
    }
    return result;
  }

  static fromJson(json: unknown): FieldSet {
    const set = new FieldSet();
    if (!isObject(json)) return set;
    for (const [step, value] of Object.entries(json)) {
      if (step === '.' || !isObject(value)) continue;
      if (Object.keys(value).length === 0 || Object.hasOwn(value, '.')) set.members.add(step);
      set.#keep(step, FieldSet.fromJson(value));
    }
    return set;
  }

  #keep(step: Step, child: FieldSet): void {
    if (!child.isEmpty) this.children.set(step, child);
  }
}

const none = new FieldSet();

/**
 * Returns the reason why a value is not a `fieldsV1`, such as `unknown step "x:name"`; undefined for a valid one. {@link FieldSet.fromJson}
 * skips unknown parts, so a set that is written back must be checked first. Source: structured-merge-diff `DeserializePathElement`.
 */
export function fieldSetFault(json: unknown): string | undefined {
  if (!isObject(json)) return `expected an object, got ${JSON.stringify(json) ?? 'nothing'}`;
  for (const [step, value] of Object.entries(json)) {
    if (step !== '.' && !isStep(step)) return `unknown step ${JSON.stringify(step)}`;
    const fault = fieldSetFault(value);
    if (fault !== undefined) return fault;
    if (step === '.' && Object.keys(value as object).length > 0)
      return `expected {} at ".", got ${JSON.stringify(value)}`;
  }
  return undefined;
}

function isStep(step: Step): boolean {
  const value = step.slice(2);
  if (step.startsWith('f:')) return true;
  if (step.startsWith('i:')) return /^-?\d+$/.test(value);
  if (!step.startsWith('k:') && !step.startsWith('v:')) return false;
  try {
    return isObject(JSON.parse(value)) || step.startsWith('v:');
  } catch {
    return false;
  }
}

/** Compares two steps for sorting. Fields (`f:`) come first, then items with keys (`k:`), then items with values (`v:`). */
function compareSteps(left: Step, right: Step): number {
  const order = 'fkvi';
  return (
    order.indexOf(left.charAt(0)) - order.indexOf(right.charAt(0)) ||
    compareBytes(left.slice(2), right.slice(2))
  );
}

/** Formats a path for messages: `.spec.ports[name="http"].port`. */
export function fieldPathText(path: readonly Step[]): string {
  return path.map(stepText).join('');
}

function stepText(step: Step): string {
  const name = pathElementOf(step);
  if (name !== undefined) return `.${name}`;
  const value = JSON.parse(step.slice(2)) as Json;
  if (step.startsWith('k:') && isObject(value)) {
    const keys = Object.entries(value).map(([key, part]) => `${key}=${JSON.stringify(part)}`);
    return `[${keys.join(',')}]`;
  }
  return `[=${JSON.stringify(value)}]`;
}

/** Returns the field or item to which a step leads from a value; undefined if it does not exist. */
export function memberAt(value: unknown, step: Step): unknown {
  const name = step.slice(2);
  if (step.startsWith('f:')) return isJsonMap(value) ? ownField(value, name) : undefined;
  const items = Array.isArray(value) ? (value as readonly Json[]) : [];
  if (step.startsWith('i:')) return items[Number(name)];
  const wanted = JSON.parse(name) as Json;
  if (step.startsWith('v:')) return items.find((item) => isEqualJson(item, wanted));
  const keys = Object.entries(isObject(wanted) ? wanted : {});
  return items.find((item) => isObject(item) && keys.every(([key, each]) => isEqualJson(item[key], each)));
}

/**
 * Returns a value without the fields of a set. Server-side apply removes fields in this way when their owner no longer applies them.
 *
 * @param kept the field sets of all other owners. These fields and their parents are not removed
 */
export function withoutFields(value: unknown, removed: FieldSet, kept: readonly FieldSet[]): unknown {
  let rest = value;
  for (const [step, below] of removed.steps) {
    const member = memberAt(rest, step);
    if (member === undefined) continue;
    const keepers = kept.filter((set) => set.members.has(step) || set.children.has(step));
    const keptBelow = keepers.map((set) => set.children.get(step) ?? none);
    const isRemoved = keepers.length === 0 && removed.members.has(step);
    const left = isRemoved ? undefined : withoutFields(member, below, keptBelow);
    // A struct that loses its last field is removed, too, unless an owner owns the struct itself.
    const replacement = isJsonMap(left) && Object.keys(left).length === 0 ? undefined : left;
    if (left !== member) rest = withMember(rest, step, member, replacement);
  }
  return rest;
}

/**
 * Returns a copy of a value in which the field or item at a step is replaced.
 * @param replacement the new field or item; undefined to remove the old one
 */
function withMember(value: unknown, step: Step, member: unknown, replacement: unknown): unknown {
  if (isJsonMap(value)) {
    const { [step.slice(2)]: _member, ...others } = value;
    return replacement === undefined ? others : { ...value, [step.slice(2)]: replacement };
  }
  const items = value as readonly unknown[];
  return items.flatMap((item) => (item !== member ? [item] : replacement === undefined ? [] : [replacement]));
}
