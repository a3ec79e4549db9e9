import type { KubeObject } from '../../sdk/api/index.ts';
import { jsonMapOf } from '../../base/util/json-map.ts';
import { comparableObject } from '../changes/comparable-object.ts';
import { changedField, fieldChanges, type FieldChange } from '../changes/field-changes.ts';
import { maskSecret } from '../changes/mask-secret.ts';
import { cutLine, shortJson } from '../changes/short-json.ts';

/** Parts of a line, and characters of a value: a line is to be read while others come. */
const shownParts = 4;
const shownCharacters = 60;

/**
 * Describes a change of an object in one short text: `created`, `spec.size 1 → 3`,
 * `Ready=False (Scaffolded): 1 of 3 replicas are there`.
 *
 * @param before undefined for an object that is new
 * @param after undefined for one that is gone
 * @returns undefined if nothing has changed but bookkeeping, such as times of conditions
 */
export function describeChange(
  before: KubeObject | undefined,
  after: KubeObject | undefined,
): string | undefined {
  if (after === undefined) return 'deleted';
  const parts = [
    ...(before === undefined ? ['created'] : []),
    ...deletion(before, after),
    ...(before === undefined ? [] : contentChanges(before, after)),
    ...statusChanges(statusOf(before), statusOf(after)),
  ];
  if (parts.length === 0) return undefined;
  const more = parts.length - shownParts;
  return [...parts.slice(0, shownParts), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

function deletion(before: KubeObject | undefined, { metadata }: KubeObject): readonly string[] {
  const isLeaving = metadata.deletionTimestamp !== undefined;
  if (!isLeaving || before?.metadata.deletionTimestamp !== undefined) return [];
  const finalizers = metadata.finalizers ?? [];
  return [finalizers.length === 0 ? 'being deleted' : `being deleted, waits for ${finalizers.join(' and ')}`];
}

/** Everything but the status. */
function contentChanges(before: KubeObject, after: KubeObject): readonly string[] {
  const shown = maskSecret(comparableObject(before), comparableObject(after));
  return differences(shown.before, shown.after);
}

const statusOf = (object: KubeObject | undefined): unknown => jsonMapOf(object)['status'];

function statusChanges(before: unknown, after: unknown): readonly string[] {
  const { conditions: former, ...oldRest } = jsonMapOf(before);
  const { conditions: current, ...newRest } = jsonMapOf(after);
  const { observedGeneration: _old, ...old } = oldRest;
  const { observedGeneration: _new, ...fresh } = newRest;
  const known = conditionsOf(former);
  const found = conditionsOf(current);
  if (known === undefined || found === undefined)
    return differences({ ...old, conditions: former }, { ...fresh, conditions: current }, ['status']);
  const changed = [...found].filter(([type, text]) => known.get(type) !== text).map(([, text]) => text);
  const removed = [...known.keys()].filter((type) => !found.has(type)).map((type) => `${type} removed`);
  return [...changed, ...removed, ...differences(old, fresh, ['status'])];
}

/** The conditions as texts, by their types; undefined if these are not conditions. */
function conditionsOf(value: unknown): ReadonlyMap<string, string> | undefined {
  if (value === undefined) return new Map();
  if (!Array.isArray(value)) return undefined;
  const texts = new Map<string, string>();
  for (const item of value) {
    const { type, status, reason, message } = jsonMapOf(item);
    if (typeof type !== 'string' || typeof status !== 'string') return undefined;
    const why = typeof reason === 'string' && reason !== '' ? ` (${reason})` : '';
    const more =
      typeof message === 'string' && message !== '' ? `: ${cutLine(message, 2 * shownCharacters)}` : '';
    texts.set(type, `${type}=${status}${why}${more}`);
  }
  return texts;
}

function differences(before: unknown, after: unknown, path: readonly string[] = []): readonly string[] {
  return fieldChanges(before, after, path).map((change) => changeText(change));
}

function changeText(change: FieldChange): string {
  const name = changedField(change).replace(/^\./, '');
  const { before, after } = change;
  if (after === undefined) return `${name} removed`;
  return before === undefined ? `${name} ${textOf(after)}` : `${name} ${textOf(before)} → ${textOf(after)}`;
}

const textOf = (value: unknown): string => shortJson(value, shownCharacters);
