import { isEqualJson, ownField } from '../../../base/util/json-map.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  type Schema,
  FieldSet,
  pathElementOf,
  fieldStep,
  fieldPathText,
  type Step,
} from '../../../kubernetes/objects/index.ts';
import { atomOf, stepOf, type ListAtom, type MapAtom } from './atoms.ts';

/** Returns every path that a value has. Source: structured-merge-diff `typed/tofieldset.go`. */
export function fieldsOf(value: Json, schema: Schema): FieldSet {
  const set = new FieldSet();
  collect(value, schema, [], set);
  return set;
}

function collect(value: Json, schema: Schema, path: readonly Step[], set: FieldSet): void {
  const atom = atomOf(schema, value);
  if (atom.kind === 'scalar' || atom.isAtomic) {
    set.insert(path);
    return;
  }
  if (atom.kind === 'list') {
    if (!Array.isArray(value)) return;
    for (const [step, items] of grouped(atom, value)) {
      // Duplicate items of a list share one owner, so the fields inside these items are not collected.
      const [only] = items;
      if (items.length === 1 && only !== undefined) collect(only, atom.items, [...path, step], set);
      set.insert([...path, step]);
    }
    return;
  }
  if (!isObject(value)) return;
  for (const [name, item] of Object.entries(value)) {
    const at = [...path, fieldStep(name)];
    const inner = atom.value(name);
    if (inner !== undefined) collect(item, inner, at, set);
    const isEmpty = item === null || (isObject(item) && Object.keys(item).length === 0);
    if (isEmpty || atom.field(name) === undefined) set.insert(at);
  }
}

function grouped(atom: ListAtom, list: readonly Json[]): ReadonlyMap<Step, readonly Json[]> {
  const groups = new Map<Step, Json[]>();
  for (const item of list) {
    const step = stepOf(atom, item);
    const group = groups.get(step);
    if (group === undefined) groups.set(step, [item]);
    else group.push(item);
  }
  return groups;
}

/** Fields that differ between two values. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Returns the fields that differ between two values. Source: structured-merge-diff `typed/compare.go`. */
export function compare(before: Json, now: Json, schema: Schema): Comparison {
  const result = { added: new FieldSet(), modified: new FieldSet(), removed: new FieldSet() };
  compareInto(before, now, schema, [], result);
  return result;
}

function compareInto(
  before: Json | undefined,
  now: Json | undefined,
  schema: Schema,
  path: readonly Step[],
  result: Comparison,
): void {
  const mark = (): void => {
    if (before === undefined) result.added.insert(path);
    else if (now === undefined) result.removed.insert(path);
    else if (!isEqualJson(before, now)) result.modified.insert(path);
  };
  const atoms = [atomOf(schema, before ?? now), atomOf(schema, now ?? before)] as const;
  for (const atom of atoms[0].kind === atoms[1].kind ? [atoms[1]] : atoms) {
    if (
      atom.kind === 'scalar' ||
      atom.isAtomic ||
      (isNothing(before, atom.kind) && isNothing(now, atom.kind))
    ) {
      mark();
      continue;
    }
    if (atom.kind === 'list') compareLists(atom, before, now, path, result);
    else compareMaps(atom, before, now, path, result);
    // In addition to the fields inside it, the list or map itself was added or removed.
    if (before === undefined) result.added.insert(path);
    else if (now === undefined) result.removed.insert(path);
  }
}

const isNothing = (value: Json | undefined, kind: 'list' | 'map'): boolean =>
  kind === 'list'
    ? !Array.isArray(value) || value.length === 0
    : !isObject(value) || Object.keys(value).length === 0;

function compareMaps(
  atom: MapAtom,
  before: Json | undefined,
  now: Json | undefined,
  path: readonly Step[],
  result: Comparison,
): void {
  const old = isObject(before) ? before : {};
  const young = isObject(now) ? now : {};
  for (const name of new Set([...Object.keys(old), ...Object.keys(young)])) {
    const inner = atom.value(name);
    if (inner !== undefined)
      compareInto(ownField(old, name), ownField(young, name), inner, [...path, fieldStep(name)], result);
  }
}

function compareLists(
  atom: ListAtom,
  before: Json | undefined,
  now: Json | undefined,
  path: readonly Step[],
  result: Comparison,
): void {
  const old = grouped(atom, Array.isArray(before) ? before : []);
  const young = grouped(atom, Array.isArray(now) ? now : []);
  for (const step of new Set([...old.keys(), ...young.keys()])) {
    const was = old.get(step) ?? [];
    const is = young.get(step) ?? [];
    const at = [...path, step];
    if (was.length <= 1 && is.length <= 1) compareInto(was[0], is[0], atom.items, at, result);
    else if (was.length > 1 && is.length > 1) {
      if (!isEqualJson([...was], [...is])) result.modified.insert(at);
    } else if (was.length > 1) {
      if (is.length > 0) compareInto(undefined, is[0], atom.items, at, result);
      result.removed.insert(at);
    } else {
      if (was.length > 0) compareInto(was[0], undefined, atom.items, at, result);
      result.added.insert(at);
    }
  }
}

/** Returns a live value with an applied one merged into it. Source: structured-merge-diff `typed/merge.go`. */
export function merge(live: Json | undefined, applied: Json | undefined, schema: Schema): Json | undefined {
  if (applied === undefined && live === undefined) return undefined;
  const atom = atomOf(schema, applied === undefined ? live : applied);
  if (atom.kind === 'scalar' || atom.isAtomic) return applied === undefined ? live : applied;
  if (isNothing(live, atom.kind) && isNothing(applied, atom.kind))
    return applied === undefined ? live : applied;
  if (atom.kind === 'list') return mergeLists(atom, live, applied);
  const old = isObject(live) ? live : {};
  const young = isObject(applied) ? applied : {};
  const result: JsonObject = {};
  for (const name of new Set([...Object.keys(old), ...Object.keys(young)])) {
    const inner = atom.value(name);
    const merged = inner === undefined ? undefined : merge(ownField(old, name), ownField(young, name), inner);
    if (merged !== undefined) result[name] = merged;
  }
  return Object.keys(result).length === 0 ? undefined : result;
}

/** Merges two lists. Keeps the order of both lists where they agree; otherwise uses the order of the applied list. */
function mergeLists(atom: ListAtom, live: Json | undefined, applied: Json | undefined): Json | undefined {
  const old = Array.isArray(live) ? live : [];
  const young = Array.isArray(applied) ? applied : [];
  const oldSteps = old.map((item) => stepOf(atom, item));
  const youngSteps = young.map((item) => stepOf(atom, item));
  const oldGroups = grouped(atom, old);
  const youngItems = new Map(youngSteps.map((step, index) => [step, young[index]]));
  const oldItem = (step: Step): Json | undefined => {
    const group = oldGroups.get(step) ?? [];
    return group.length === 1 ? group[0] : undefined;
  };
  const shared = youngSteps.filter((step) => oldGroups.has(step));
  let nextShared = shared.shift();
  const merged = new Set<Step>();
  const result: Json[] = [];
  const push = (lower: Json | undefined, upper: Json | undefined): void => {
    const item = merge(lower, upper, atom.items);
    if (item !== undefined) result.push(item);
  };
  for (let left = 0, right = 0; left < old.length || right < young.length;) {
    const oldStep = oldSteps[left];
    const youngStep = youngSteps[right];
    if (oldStep !== undefined && youngStep !== undefined) {
      if (oldStep === youngStep) {
        merged.add(oldStep);
        push(oldItem(oldStep), young[right]);
        left += 1;
        right += 1;
        nextShared = shared.shift();
        continue;
      }
      if (youngItems.has(oldStep) && nextShared !== undefined && nextShared !== oldStep) {
        left += 1;
        continue;
      }
    }
    if (oldStep !== undefined) {
      if (!youngItems.has(oldStep)) {
        push(old[left], undefined);
        left += 1;
        continue;
      }
      if (merged.has(oldStep)) left += 1;
    }
    if (youngStep !== undefined) {
      merged.add(youngStep);
      push(oldItem(youngStep), young[right]);
      right += 1;
      if (nextShared === youngStep) nextShared = shared.shift();
    }
  }
  return result.length === 0 ? undefined : result;
}

/**
 * Returns the value without the fields at the given paths; undefined if nothing is left of the value. Source: structured-merge-diff
 * `typed/remove.go`.
 */
export function removeFields(value: Json, toRemove: FieldSet, schema: Schema): Json | undefined {
  const atom = atomOf(schema, value);
  if (atom.kind === 'scalar') return value;
  if (atom.kind === 'list') {
    if (atom.isAtomic || !Array.isArray(value)) return undefined;
    const items = value.flatMap((item) => {
      const step = stepOf(atom, item);
      if (toRemove.members.has(step)) return [];
      const below = toRemove.children.get(step);
      return [below === undefined ? item : (removeFields(item, below, atom.items) ?? null)];
    });
    return items.length === 0 ? undefined : items;
  }
  if (atom.isAtomic || !isObject(value)) return undefined;
  const result: JsonObject = {};
  for (const [name, item] of Object.entries(value)) {
    const step = fieldStep(name);
    if (toRemove.members.has(step)) continue;
    const below = toRemove.children.get(step);
    result[name] = below === undefined ? item : (removeFields(item, below, atom.value(name) ?? {}) ?? null);
  }
  return Object.keys(result).length === 0 ? undefined : result;
}

/**
 * Returns a field set with added parents: each declared field through which a path of the set leads. Source: structured-merge-diff
 * `EnsureNamedFieldsAreMembers`.
 */
export function withNamedFields(set: FieldSet, schema: Schema): FieldSet {
  const result = new FieldSet();
  for (const step of set.members) result.members.add(step);
  const map = schema.type === 'array' ? undefined : atomOf(schema, {});
  for (const [step, child] of set.children) {
    const name = pathElementOf(step);
    const isMap = map?.kind === 'map';
    if (name !== undefined && isMap && map.field(name) !== undefined) result.members.add(step);
    const inner = name === undefined ? schema.items : isMap ? map.value(name) : undefined;
    result.children.set(step, withNamedFields(child, inner ?? {}));
  }
  return result;
}

/**
 * Returns the schema errors of an applied object, worded like those of the API server. Source: structured-merge-diff `typed/validate.go`;
 * kube-openapi `pkg/schemaconv/openapi.go`.
 *
 * @param isLive true for a stored object, whose lists may contain duplicates
 */
export function typedErrors(value: Json, schema: Schema, isLive = false, path = ''): readonly string[] {
  const wrong = (expected: string): readonly string[] => [
    `${path}: expected ${expected}, got &{${goPrint(value)}}`,
  ];
  const wrongScalar = (expected: string): readonly string[] => [
    `${path}: expected ${expected}, got ${goType(value)}`,
  ];
  if (value === null) return [];
  const { type, format = '' } = schema;
  // If the schema is a string with a format, the value may be any scalar.
  if (type === 'string' && format !== '' && format !== 'byte')
    return typeof value === 'object' ? wrong('any scalar') : [];
  if (type === 'string') return typeof value === 'string' ? [] : wrongScalar('string');
  if (type === 'boolean') return typeof value === 'boolean' ? [] : wrongScalar('boolean');
  if (type === 'integer' || type === 'number')
    return typeof value === 'number' ? [] : wrongScalar('numeric (int or float)');
  if (type === 'array' && !Array.isArray(value)) return wrong('list');
  if (type === 'object' && !isObject(value)) return wrong('map');
  const atom = atomOf(schema, value);
  if (atom.kind === 'list' && Array.isArray(value)) return listErrors(atom, value, isLive, path);
  if (atom.kind !== 'map' || !isObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const inner = atom.value(name);
    return inner === undefined
      ? [`${path}.${name}: field not declared in schema`]
      : typedErrors(item, inner, isLive, `${path}.${name}`);
  });
}

function listErrors(
  atom: ListAtom,
  value: readonly Json[],
  isLive: boolean,
  path: string,
): readonly string[] {
  const seen = new Set<Step>();
  const errors: string[] = [];
  for (const [index, item] of value.entries()) {
    if (atom.isAtomic) {
      errors.push(...typedErrors(item, atom.items, isLive, `${path}[${index}]`));
      continue;
    }
    let step: Step;
    try {
      step = stepOf(atom, item);
    } catch (error) {
      return [...errors, `${path}: element ${index}: ${(error as Error).message}`];
    }
    const shown = fieldPathText([step]);
    if (seen.has(step) && !isLive) errors.push(`${path}: duplicate entries for key ${shown}`);
    else errors.push(...typedErrors(item, atom.items, isLive, `${path}${shown}`));
    seen.add(step);
  }
  return errors;
}

/** Formats the type of a decoded value as Go does. */
function goType(value: Json): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** Formats a decoded value as Go does. */
function goPrint(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(goPrint).join(' ')}]`;
  if (!isObject(value)) return value === null ? '<nil>' : String(value);
  const fields = Object.keys(value)
    .sort()
    .map((name) => `${name}:${goPrint(value[name] ?? null)}`);
  return `map[${fields.join(' ')}]`;
}
