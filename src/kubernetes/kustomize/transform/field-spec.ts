import { idOf, type Resource, describeId } from '../resource.ts';
import { setOwnField } from '../../../base/util/json-map.ts';
import { isObject, type Json, type JsonObject } from '../../objects/index.ts';
import type { FindingList } from '../../../base/errors/index.ts';

/** Field that a transformer changes, in resources of certain kinds. */
export interface FieldSpec {
  /**
   * Names of fields separated by `/`; `\/` is a slash within a name. All items of a list are visited, even without the mark `[]`. The mark
   * means that the field is a list, and a field with the mark is never created.
   */
  readonly path: string;
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  /** True to create the field and its parents if they are missing. */
  readonly create?: boolean;
}

/** Field of an object whose value can be read and written. */
export interface Slot {
  get(): Json;
  set(value: Json): void;
}

/** Thrown if a field does not have the shape (mapping, list or scalar) that a change of the field needs. */
export class ShapeError extends Error {
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.name = 'ShapeError';
    this.path = path;
  }
}

/** Functions that return the initial value of a missing or null field when it is created, by the shape of the field. */
const blank = { mapping: () => ({}), list: () => [], scalar: () => '' } as const;
type Shape = keyof typeof blank;

/** Returns true if a field spec applies to resources of a kind. */
export function isForKind(
  { group, version, kind }: Pick<FieldSpec, 'group' | 'version' | 'kind'>,
  id: { readonly group: string; readonly version: string; readonly kind: string },
): boolean {
  const fits = (wanted: string | undefined, actual: string): boolean =>
    wanted === undefined || wanted === '' || wanted === actual;
  return fits(group, id.group) && fits(version, id.version) && fits(kind, id.kind);
}

/**
 * Visits every field of a resource that a field spec selects.
 *
 * @param make shape of a missing field, which is created if the spec has `create`; if omitted, nothing is created
 * @throws ShapeError if the path leads through text or a number
 */
export function visitFields(
  resource: Resource,
  spec: FieldSpec,
  make: Shape | undefined,
  visit: (slot: Slot) => void,
): void {
  if (!isForKind(spec, idOf(resource))) return;
  const path = splitPath(spec.path);
  const root: Slot = { get: () => resource.object, set: () => undefined };
  walk(root, path, spec.create === true ? make : undefined, spec.path, visit);
}

/** Splits a path into the names of its fields. */
function splitPath(path: string): readonly string[] {
  const names: string[] = [];
  for (const part of path.replace(/^\/(?=.)/s, '').split('/')) {
    const last = names.at(-1);
    if (last?.endsWith('\\') === true) names[names.length - 1] = `${last.slice(0, -1)}/${part}`;
    else names.push(part);
  }
  return names;
}

function walk(
  slot: Slot,
  path: readonly string[],
  make: Shape | undefined,
  whole: string,
  visit: (slot: Slot) => void,
): void {
  const [next, ...rest] = path;
  if (next === undefined) return visit(slot);
  const value = slot.get();
  if (value === null) return;
  if (Array.isArray(value)) {
    value.forEach((_item, index) => walk(itemSlot(value, index), path, make, whole, visit));
    return;
  }
  if (!isObject(value)) throw new ShapeError(whole, `expected a mapping on the path, got ${describe(value)}`);
  const isList = next.endsWith('[]');
  const name = isList ? next.slice(0, -2) : next;
  const exists = Object.hasOwn(value, name);
  const mayMake = make !== undefined && !isList;
  if (!exists && !mayMake) return;
  const shape = isList ? 'list' : mayMake ? (rest.length === 0 ? make : 'mapping') : undefined;
  if (shape !== undefined && (!exists || value[name] === null)) setOwnField(value, name, blank[shape]());
  walk(keySlot(value, name), rest, make, whole, visit);
}

function keySlot(object: JsonObject, name: string): Slot {
  return { get: () => object[name] ?? null, set: (value) => setOwnField(object, name, value) };
}

function itemSlot(list: Json[], index: number): Slot {
  return {
    get: () => list[index] ?? null,
    set: (value) => {
      list[index] = value;
    },
  };
}

/** Describes a value in messages: `null`, `a list`, `a mapping`, or a scalar with its type. */
export function describe(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  return `the ${typeof value} ${JSON.stringify(value)}`;
}

/**
 * Runs a change of one resource. If a field has the wrong shape, reports a finding instead of throwing, so that the other resources are
 * still checked.
 */
export function reportShape(
  resource: Resource,
  what: string,
  findings: FindingList,
  change: () => void,
): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    findings.add({
      code: 'kustomize/unexpected-shape',
      message: `cannot set ${what} in ${describeId(idOf(resource))}: ${error.path.replaceAll('/', '.')}: ${error.message}`,
      where: resource.where,
      fix: ['correct the field of the resource, or remove the change from the kustomization'],
    });
  }
}
