import type { KubeObject, Resource } from '../../sdk/api/index.ts';
import { isForbidden, Reflector, type Connection } from '../../sdk/kube/index.ts';
import { jsonMapOf } from '../../base/util/json-map.ts';
import {
  comparableObject,
  maskSecret,
  cutLine,
  shortJson,
  changedField,
  fieldChanges,
  type FieldChange,
} from '../changes/compare-objects.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';
import { crdTypes, isCrd } from '../objects/cluster-object.ts';

/** A change of an object, for people. */
interface ObjectChange {
  readonly kind: string;
  /** `namespace/name`, or the name alone. */
  readonly name: string;
  /** See {@link describeChange}. */
  readonly text: string;
}

interface WatchObjectsOptions {
  readonly connection: Connection;
  /** True to report existing objects as created, for a cluster that was empty. Otherwise only later changes are reported. */
  readonly reportExisting: boolean;
  readonly onChange: (change: ObjectChange) => void;
  /** Called once for a kind that the user may not watch. The watch is still retried. */
  readonly onForbidden: (kind: string, error: Error) => void;
}

interface Watch {
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** In milliseconds. Short, as a person is watching and there are few kinds. */
const backoff = { initial: 100, factor: 2, maximum: 5_000, jitter: 1 };

/** Follows the objects of some kinds. */
export class ObjectWatch {
  readonly #options: WatchObjectsOptions;
  readonly #mirrors = new Map<string, Mirror>();
  #watches: readonly Watch[] = [];
  /** Events that have come while work is under way. */
  #held: (() => void)[] | undefined;
  readonly #written = new Map<string, KubeObject>();

  constructor(options: WatchObjectsOptions) {
    this.#options = options;
  }

  /**
   * Follows these kinds instead of those of former calls. Call it again when a CustomResourceDefinition has changed: for about a second,
   * watches that were opened before deliver objects without the new fields, and only a new list corrects that (seen with Kubernetes 1.36).
   *
   * @returns resolves when all existing objects are known, or may not be read
   */
  async follow(kinds: readonly Resource<KubeObject>[]): Promise<void> {
    await this.close();
    const known = kinds.map((kind) => this.#begin(kind));
    await Promise.all(known);
  }

  /**
   * Runs `work`, and reports its changes once it has ended, when the written objects are known. The response to a write is correct where
   * the watch may not be, see {@link follow}.
   *
   * @param work returns the written objects as the server returned them
   */
  async during(work: () => Promise<readonly KubeObject[]>): Promise<void> {
    this.#held = [];
    try {
      for (const object of await work()) this.#written.set(objectId(object), object);
    } finally {
      const held = this.#held;
      this.#held = undefined;
      for (const report of held) report();
    }
  }

  /** Ends all watches. */
  async close(): Promise<void> {
    const watches = this.#watches;
    this.#watches = [];
    for (const { stop } of watches) stop.abort();
    await Promise.all(watches.map(({ done }) => done));
  }

  #begin(resource: Resource<KubeObject>): Promise<void> {
    const { connection, onForbidden } = this.#options;
    const stop = new AbortController();
    return new Promise((resolve) => {
      let refused = false;
      const reflector = new Reflector({
        connection,
        resource,
        handler: this.#handlerOf(resource),
        settings: { backoff },
        onState: ({ synced, error }) => {
          const isRefusal = isForbidden(error);
          if (isRefusal && error !== undefined && !refused) {
            refused = true;
            onForbidden(resource.kind, error);
          }
          if (synced || isRefusal) resolve();
        },
      });
      const done = reflector.run(stop.signal).finally(resolve);
      this.#watches = [...this.#watches, { stop, done }];
    });
  }

  #handlerOf(resource: Resource<KubeObject>): Pick<Mirror, 'replace' | 'apply'> {
    const mirror = this.#mirrorOf(resource);
    const written = (object: KubeObject): KubeObject => this.#written.get(objectId(object)) ?? object;
    const whenFree = (report: () => void): void => {
      if (this.#held === undefined) report();
      else this.#held.push(report);
    };
    return {
      replace: (objects) => whenFree(() => mirror.replace(objects.map(written))),
      apply: (type, object) => whenFree(() => mirror.apply(type, written(object))),
    };
  }

  /** Returns the mirror of a kind, which outlives its watch, so that the next one reports only what is new. */
  #mirrorOf({ apiVersion, plural, kind }: Resource<KubeObject>): Mirror {
    const key = `${apiVersion} ${plural}`;
    const { onChange, reportExisting } = this.#options;
    const mirror = this.#mirrors.get(key) ?? new Mirror(kind, reportExisting, onChange);
    this.#mirrors.set(key, mirror);
    return mirror;
  }
}

/** The objects of a kind as they were last seen. */
class Mirror {
  readonly #kind: string;
  readonly #onChange: WatchObjectsOptions['onChange'];
  readonly #objects = new Map<string, KubeObject>();
  /** True if an unknown object counts as new. */
  #isComplete: boolean;

  constructor(kind: string, isComplete: boolean, onChange: WatchObjectsOptions['onChange']) {
    this.#kind = kind;
    this.#isComplete = isComplete;
    this.#onChange = onChange;
  }

  replace(objects: readonly KubeObject[]): void {
    if (!this.#isComplete) for (const object of objects) this.#objects.set(keyOf(object), object);
    this.#isComplete = true;
    const present = new Set(objects.map(keyOf));
    for (const key of [...this.#objects.keys()].filter((each) => !present.has(each))) this.#remove(key);
    for (const object of objects) this.#put(object);
  }

  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject): void {
    if (type === 'DELETED') this.#remove(keyOf(object));
    else this.#put(object);
  }

  #put(object: KubeObject): void {
    const key = keyOf(object);
    const before = this.#objects.get(key);
    // Another object of the same name has been created since.
    const isSame = before?.metadata.uid === object.metadata.uid;
    if (before !== undefined && !isSame) this.#report(key, before, undefined);
    this.#report(key, isSame ? before : undefined, object);
    this.#objects.set(key, object);
  }

  #remove(key: string): void {
    this.#report(key, this.#objects.get(key), undefined);
    this.#objects.delete(key);
  }

  #report(name: string, before: KubeObject | undefined, after: KubeObject | undefined): void {
    const text = describeChange(before, after);
    if (text !== undefined) this.#onChange({ kind: this.#kind, name, text });
  }
}

/** Names one state of one object in one version of its kind. */
function objectId({ apiVersion, metadata: { uid, resourceVersion } }: KubeObject): string {
  return `${apiVersion} ${uid} ${resourceVersion}`;
}

function keyOf({ metadata: { namespace, name } }: KubeObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** Limits of the parts of a line, and of the characters of a value: a line must be readable while others appear. */
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

/** The kinds of CustomResourceDefinitions, each in the version that is stored, or else in one that is served. */
export function watchedTypes(objects: readonly PlacedObject[]): readonly Resource<KubeObject>[] {
  return objects.flatMap(({ object }) => {
    if (!isCrd(object)) return [];
    const types = crdTypes(object);
    const { versions = [] } = object['spec'] as {
      readonly versions?: readonly { readonly name: string; readonly storage?: boolean }[];
    };
    const stored = versions.find(({ storage }) => storage === true)?.name;
    return types.find(({ version }) => version === stored) ?? types[0] ?? [];
  });
}
