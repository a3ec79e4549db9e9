import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../sdk/api/index.ts';
import { type JsonMap, jsonMapOf, isJsonMap } from '../../base/util/json-map.ts';
import { partOfLabel } from '../inventory/apply-set.ts';
import { printableLine } from '../../base/util/terminal-words.ts';
import { pathText } from '../../base/util/read-json.ts';

/**
 * A field that differs between two states of an object, as displayed to people and scripts. If one state lacks the field, its value is
 * absent.
 */
export interface ShownChange {
  /** Path of the field, such as `.spec.template.spec.containers[name="web"].image`. */
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Two states of an object in a form that may be displayed: without the API server's bookkeeping, the status, and the values of Secrets. */
export interface ComparedObject {
  readonly before: JsonMap | undefined;
  readonly after: JsonMap | undefined;
  /** The differing fields; empty unless the object has both states. */
  readonly changes: readonly ShownChange[];
}

type Comparable = Pick<KubeObject, 'metadata'>;

/** Compares two states of an object. A state is undefined if the object does not exist in it. */
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

/** Metadata fields that people do not write by hand, or that follow from other fields. */
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

/** Annotation in which client-side `kubectl apply` stores the manifest. */
export const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Returns the parts of an object that people compare: everything except the status and the API server's bookkeeping. The annotation in
 * which `kubectl apply` stores the manifest is also left out, because it repeats all fields and shows the values of a Secret. The label of
 * the ApplySet is left out, because `deploy` adds it to all objects.
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

/** Texts that replace the values of Secrets, the same as in `kubectl diff`. */
const masks = { same: '***', before: '*** (before)', after: '*** (after)' } as const;

/** Fields of a Secret whose values must not be displayed. */
const secretFields = ['data', 'stringData'] as const;

/** Returns both states of an object with the values of a Secret replaced. The replacements only show whether the values differ. */
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
  // If the value of `data` or `stringData` is not a map, the API server will reject the Secret.
  if (!isJsonMap(value)) return isOther(value, other);
  const others = isJsonMap(other) ? other : {};
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      isOther(each, Object.hasOwn(others, key) ? others[key] : undefined),
    ]),
  );
}

/** Returns a value as JSON on one line, cut to a maximum length in characters. */
export function shortJson(value: unknown, length: number): string {
  return cutLine(printableLine(JSON.stringify(value)), length);
}

/** Joins the lines of a text to one line, and cuts it to a maximum length in characters. */
export function cutLine(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}

/** A step on the path to a field: the name of a field, the index of a list item, or the name that identifies a list item. */
export type FieldStep = string | number | { readonly name: string };

/** A field that differs between two states. If one state lacks the field, its value is absent. */
export interface FieldChange {
  readonly steps: readonly FieldStep[];
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * Returns each field that differs between two values. Maps are compared field by field. Lists of maps are compared item by item. Items are
 * matched by name if they were only changed, removed, or added at the end; otherwise by index if the lists are equally long. All other
 * lists are compared as one value, because their order may matter.
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

/** Returns the path of a change: `.spec.template.spec.containers[name="web"].image`. */
export function changedField({ steps }: Pick<FieldChange, 'steps'>): string {
  const texts = steps.map((step) =>
    // `pathText` adds a separator only after another step, so a step `x` is put before, and its character is removed.
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

/** Returns the items of a list by name; undefined if an item has no name, or two items have the same name. */
function namesOf(items: readonly JsonMap[]): ReadonlyMap<string, JsonMap> | undefined {
  const byName = new Map<string, JsonMap>();
  for (const item of items) {
    const name = own(item, 'name');
    if (typeof name !== 'string' || byName.has(name)) return undefined;
    byName.set(name, item);
  }
  return byName;
}
