import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../api/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Parts of a line, and characters of a value: a line is to be read while others come. */
const shownParts = 4;
const shownCharacters = 60;

/** What others than people write all the time, or what follows from the rest. */
const silentMetadata = new Set([
  'managedFields',
  'resourceVersion',
  'generation',
  'uid',
  'creationTimestamp',
]);

/**
 * What a person wants to know about a change of an object, as one short text: `created`, `spec.size 1 → 3`,
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
    ...statusChanges(fieldsOf(before)['status'], fieldsOf(after)['status']),
  ];
  if (parts.length === 0) return undefined;
  const more = parts.length - shownParts;
  return [...parts.slice(0, shownParts), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

const fieldsOf = (object: KubeObject | undefined): Fields => ({ ...object });

function deletion(before: KubeObject | undefined, { metadata }: KubeObject): readonly string[] {
  const isLeaving = metadata.deletionTimestamp !== undefined;
  if (!isLeaving || before?.metadata.deletionTimestamp !== undefined) return [];
  const finalizers = metadata.finalizers ?? [];
  return [finalizers.length === 0 ? 'being deleted' : `being deleted, waits for ${finalizers.join(' and ')}`];
}

/** Everything but the status. */
function contentChanges(before: KubeObject, after: KubeObject): readonly string[] {
  const content = (object: KubeObject): Fields => {
    const { status: _status, metadata, ...rest } = fieldsOf(object);
    const meta = Object.entries(metadata as object).filter(
      ([name]) => !silentMetadata.has(name) && !name.startsWith('deletion'),
    );
    return { ...rest, metadata: Object.fromEntries(meta) };
  };
  return differences(content(before), content(after), []);
}

function statusChanges(before: unknown, after: unknown): readonly string[] {
  const { conditions: former, ...oldRest } = mapOf(before);
  const { conditions: current, ...newRest } = mapOf(after);
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
    const { type, status, reason, message } = mapOf(item);
    if (typeof type !== 'string' || typeof status !== 'string') return undefined;
    const why = typeof reason === 'string' && reason !== '' ? ` (${reason})` : '';
    const more =
      typeof message === 'string' && message !== '' ? `: ${cut(message, 2 * shownCharacters)}` : '';
    texts.set(type, `${type}=${status}${why}${more}`);
  }
  return texts;
}

/** Each field that differs, by its path; lists are compared as a whole. */
function differences(before: unknown, after: unknown, path: readonly string[]): readonly string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (isMap(before) && isMap(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => differences(before[name], after[name], [...path, name]));
  }
  const name = path.join('.');
  if (after === undefined) return [`${name} removed`];
  return before === undefined
    ? [`${name} ${textOf(after)}`]
    : [`${name} ${textOf(before)} → ${textOf(after)}`];
}

function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const mapOf = (value: unknown): Fields => (isMap(value) ? value : {});

const textOf = (value: unknown): string => cut(JSON.stringify(value), shownCharacters);

/** One line, and not too long. */
function cut(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}
