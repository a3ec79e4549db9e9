import { isDeepStrictEqual } from 'node:util';
import { isJsonMap, type JsonMap } from '../../base/util/json-map.ts';
import { pathText } from '../../base/util/read-json.ts';

/** A step on the way to a field: the name of a field, the index of an item, or the name by which a list knows its item. */
export type FieldStep = string | number | { readonly name: string };

/** A field that differs. A value is absent on the side that does not have the field. */
export interface FieldChange {
  readonly steps: readonly FieldStep[];
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * Each field that differs. Maps are compared field by field. So are lists of maps: by the names of their items, where items
 * were only changed, removed, and added at the end; else by their indices, where their number is the same. Other lists
 * differ as a whole, as their order may count.
 */
export function fieldChanges(
  before: unknown,
  after: unknown,
  steps: readonly FieldStep[] = [],
): readonly FieldChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (isJsonMap(before) && isJsonMap(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => fieldChanges(own(before, name), own(after, name), [...steps, name]));
  }
  const items = isMapList(before) && isMapList(after) ? itemChanges(before, after, steps) : undefined;
  if (items !== undefined) return items;
  return [
    {
      steps,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    },
  ];
}

/** The path of a change: `.spec.template.spec.containers[name="web"].image`. */
export function changedField({ steps }: Pick<FieldChange, 'steps'>): string {
  const texts = steps.map((step) =>
    // With another step in front, each step brings its own separator.
    typeof step === 'object' ? `[name=${JSON.stringify(step.name)}]` : pathText(['x', step]).slice(1),
  );
  return texts.join('');
}

/** A field of its own, not one that every JavaScript object has. */
function own(map: JsonMap, name: string): unknown {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

function isMapList(value: unknown): value is readonly JsonMap[] {
  return Array.isArray(value) && value.every(isJsonMap);
}

function itemChanges(
  before: readonly JsonMap[],
  after: readonly JsonMap[],
  steps: readonly FieldStep[],
): readonly FieldChange[] | undefined {
  const old = namesOf(before);
  const fresh = namesOf(after);
  if (old !== undefined && fresh !== undefined) {
    const kept = [...old.keys()].filter((name) => fresh.has(name));
    const added = [...fresh.keys()].filter((name) => !old.has(name));
    if (isDeepStrictEqual([...kept, ...added], [...fresh.keys()]))
      return [...old.keys(), ...added].flatMap((name) =>
        fieldChanges(old.get(name), fresh.get(name), [...steps, { name }]),
      );
  }
  if (before.length !== after.length) return undefined;
  return before.flatMap((item, index) => fieldChanges(item, after[index], [...steps, index]));
}

/** The items by their names; undefined unless each has one of its own. */
function namesOf(items: readonly JsonMap[]): ReadonlyMap<string, JsonMap> | undefined {
  const byName = new Map<string, JsonMap>();
  for (const item of items) {
    const name = own(item, 'name');
    if (typeof name !== 'string' || byName.has(name)) return undefined;
    byName.set(name, item);
  }
  return byName;
}
