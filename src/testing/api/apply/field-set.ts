import { compareBytes } from '../../../base/util/compare-bytes.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';

/** A step in an object, as `managedFields` writes it: `f:name`, `k:{"name":"a"}`, `v:"item"`. */
export type Step = string;

export const fieldStep = (name: string): Step => `f:${name}`;

/** The name of a step into an object; undefined for items of lists. */
export function pathElementOf(step: Step): string | undefined {
  return step.startsWith('f:') ? step.slice(2) : undefined;
}

/** A set of paths. Never changed once it is built. Source: structured-merge-diff `fieldpath.Set`. */
export class FieldSet {
  /** The steps that end a path of the set here. */
  readonly members = new Set<Step>();
  /** The steps with longer paths below them. */
  readonly children = new Map<Step, FieldSet>();

  static of(...paths: readonly (readonly Step[])[]): FieldSet {
    const set = new FieldSet();
    for (const path of paths) set.insert(path);
    return set;
  }

  get isEmpty(): boolean {
    return this.members.size === 0 && [...this.children.values()].every((child) => child.isEmpty);
  }

  /** Only while the set is being built. */
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

  /** Without the paths of another set; what is below those stays. */
  difference(other: FieldSet): FieldSet {
    const result = new FieldSet();
    for (const step of this.members) if (!other.members.has(step)) result.members.add(step);
    for (const [step, child] of this.children)
      result.#keep(step, child.difference(other.children.get(step) ?? none));
    return result;
  }

  /** Without the paths of another set and all that is below them. */
  without(other: FieldSet): FieldSet {
    const result = new FieldSet();
    for (const step of this.members) if (!other.members.has(step)) result.members.add(step);
    for (const [step, child] of this.children)
      if (!other.members.has(step)) result.#keep(step, child.without(other.children.get(step) ?? none));
    return result;
  }

  /** All paths, in the server's order. */
  paths(): readonly (readonly Step[])[] {
    const own = [...this.members].sort(compareSteps).map((step) => [step]);
    const below = [...this.children]
      .sort(([left], [right]) => compareSteps(left, right))
      .flatMap(([step, child]) => child.paths().map((path) => [step, ...path]));
    return [...own, ...below];
  }

  /** As `fieldsV1`. */
  toJson(): JsonObject {
    const result: JsonObject = {};
    const steps = new Set([...this.members, ...this.children.keys()]);
    for (const step of [...steps].sort(compareSteps)) {
      const child = this.children.get(step)?.toJson() ?? {};
      const isBoth = this.members.has(step) && Object.keys(child).length > 0;
      result[step] = isBoth ? { '.': {}, ...child } : child;
    }
    return result;
  }

  static fromJson(json: Json | undefined): FieldSet {
    const set = new FieldSet();
    if (!isJsonObject(json)) return set;
    for (const [step, value] of Object.entries(json)) {
      if (step === '.' || !isJsonObject(value)) continue;
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

/** Fields before items with keys, these before items with values. */
function compareSteps(left: Step, right: Step): number {
  const order = 'fkvi';
  return (
    order.indexOf(left.charAt(0)) - order.indexOf(right.charAt(0)) ||
    compareBytes(left.slice(2), right.slice(2))
  );
}

/** As messages write a path: `.spec.ports[name="http"].port`. */
export function fieldPathText(path: readonly Step[]): string {
  return path.map(stepText).join('');
}

function stepText(step: Step): string {
  const name = pathElementOf(step);
  if (name !== undefined) return `.${name}`;
  const value = JSON.parse(step.slice(2)) as Json;
  if (step.startsWith('k:') && isJsonObject(value)) {
    const keys = Object.entries(value).map(([key, part]) => `${key}=${JSON.stringify(part)}`);
    return `[${keys.join(',')}]`;
  }
  return `[=${JSON.stringify(value)}]`;
}
