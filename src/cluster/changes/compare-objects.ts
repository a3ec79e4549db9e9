import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../sdk/api/index.ts';
import { type JsonMap, jsonMapOf, isJsonMap } from '../../base/util/json-map.ts';
import { partOfLabel } from '../inventory/apply-set.ts';
import { printableLine } from '../../base/util/terminal-words.ts';
import { pathText } from '../../base/util/read-json.ts';

/** A field that differs, as people and scripts are shown it. A value is absent on the side that does not have the field. */
export interface ShownChange {
  /** `.spec.template.spec.containers[name="web"].image` */
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Two states of an object that may be shown: without bookkeeping, status, and the values of Secrets. */
export interface ComparedObject {
  readonly before: JsonMap | undefined;
  readonly after: JsonMap | undefined;
  /** Empty unless both states exist. */
  readonly changes: readonly ShownChange[];
}

type Comparable = Pick<KubeObject, 'metadata'>;

/** Compares two states of an object; undefined if it does not exist. */
export function compareObjects(
  before: Comparable | undefined,
  after: Comparable | undefined,
): ComparedObject {
  const shown = maskSecret(before && comparableObject(before), after && comparableObject(after));
  if (shown.before === undefined || shown.after === undefined) return { ...shown, changes: [] };
  const changes = fieldChanges(shown.before, shown.after).map(({ steps, ...values }) => ({
    path: changedField({ steps }),
    ...values,
  }));
  return { ...shown, changes };
}

/** Fields of metadata that nobody writes by hand, or that follow from the rest. */
const bookkeeping: ReadonlySet<string> = new Set([
  'managedFields',
  'resourceVersion',
  'generation',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
]);

/** Where `kubectl apply` keeps the manifest, on the client's side. */
export const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Parts of an object that people compare: everything but its status and the API server's bookkeeping. The manifest of
 * `kubectl apply` in an annotation is left out, too: it has everything twice, and the values of a Secret in plain sight. So is the
 * label of the ApplySet, which `deploy` adds to all objects.
 */
export function comparableObject(object: Pick<KubeObject, 'metadata'>): JsonMap {
  const { status: _status, metadata, ...content } = object as JsonMap;
  const { annotations, labels, ...others } = jsonMapOf(metadata);
  const { [partOfLabel]: _partOf, ...ownLabels } = jsonMapOf(labels);
  const { [lastApplied]: _manifest, ...notes } = jsonMapOf(annotations);
  const kept = Object.entries(others).filter(([name]) => !bookkeeping.has(name));
  return {
    ...content,
    metadata: {
      ...Object.fromEntries(kept),
      ...(Object.keys(ownLabels).length === 0 ? {} : { labels: ownLabels }),
      ...(Object.keys(notes).length === 0 ? {} : { annotations: notes }),
    },
  };
}

/** The words of `kubectl diff`. */
const masks = { same: '***', before: '*** (before)', after: '*** (after)' } as const;

/** The fields of a Secret that nobody should see. */
const secretFields = ['data', 'stringData'] as const;

/** Both sides of an object without the values of a Secret: only whether they differ can be seen. */
export function maskSecret(
  before: JsonMap | undefined,
  after: JsonMap | undefined,
): { readonly before: JsonMap | undefined; readonly after: JsonMap | undefined } {
  return {
    before: before && masked(before, after, masks.before),
    after: after && masked(after, before, masks.after),
  };
}

function masked(object: JsonMap, other: JsonMap | undefined, mask: string): JsonMap {
  if (object['apiVersion'] !== 'v1' || object['kind'] !== 'Secret') return object;
  const fields = secretFields.filter((field) => object[field] !== undefined);
  return {
    ...object,
    ...Object.fromEntries(fields.map((field) => [field, maskedField(object[field], other?.[field], mask)])),
  };
}

function maskedField(value: unknown, other: unknown, mask: string): unknown {
  const isOther = (each: unknown, counterpart: unknown): string =>
    counterpart === undefined || counterpart === each ? masks.same : mask;
  // Not a map: the API server will reject it.
  if (!isJsonMap(value)) return isOther(value, other);
  const others = isJsonMap(other) ? other : {};
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      isOther(each, Object.hasOwn(others, key) ? others[key] : undefined),
    ]),
  );
}

/** A value in one line that is not too long. */
export function shortJson(value: unknown, length: number): string {
  return cutLine(printableLine(JSON.stringify(value)), length);
}

/** One line, and not too long. */
export function cutLine(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}

/** A step on the way to a field: the name of a field, the index of an item, or the name that identifies an item of a list. */
export type FieldStep = string | number | { readonly name: string };

/** A field that differs. A value is absent on the side that does not have the field. */
export interface FieldChange {
  readonly steps: readonly FieldStep[];
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * Returns each field that differs. Maps are compared field by field. Lists of maps are compared item by item: by the names of the items, if
 * items were only changed, removed, or added at the end; otherwise by index, if the lengths are equal. Other lists are compared as one
 * value, as their order may matter.
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
    // `pathText` adds a separator only after another step.
    typeof step === 'object' ? `[name=${JSON.stringify(step.name)}]` : pathText(['x', step]).slice(1),
  );
  return texts.join('');
}

/** Returns an own field of the map, not one that every JavaScript object inherits. */
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

/** Returns the items by name; undefined unless all of them have distinct names. */
function namesOf(items: readonly JsonMap[]): ReadonlyMap<string, JsonMap> | undefined {
  const byName = new Map<string, JsonMap>();
  for (const item of items) {
    const name = own(item, 'name');
    if (typeof name !== 'string' || byName.has(name)) return undefined;
    byName.set(name, item);
  }
  return byName;
}
