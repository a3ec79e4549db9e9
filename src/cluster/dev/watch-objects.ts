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

/** A change of an object, in a form for display. */
interface ObjectChange {
  readonly kind: string;
  /** `namespace/name` of the object, or only `name` if the object has no namespace. */
  readonly name: string;
  /** Description of the change; see {@link describeChange}. */
  readonly text: string;
}

interface WatchObjectsOptions {
  readonly connection: Connection;
  /**
   * True to report objects that exist at the start as created; used for a cluster that was empty before the command. False to report only
   * later changes.
   */
  readonly reportExisting: boolean;
  readonly onChange: (change: ObjectChange) => void;
  /** Called once for a kind that the user may not watch. The watch is still retried. */
  readonly onForbidden: (kind: string, error: Error) => void;
}

interface Watch {
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/**
 * Delays in milliseconds before a failed watch is retried. They are short, because a person is watching and only few kinds are followed.
 */
const backoff = { initial: 100, factor: 2, maximum: 5_000, jitter: 1 };

/** Watches all objects of some kinds, and reports their changes. */
export class ObjectWatch {
  readonly #options: WatchObjectsOptions;
  readonly #mirrors = new Map<string, Mirror>();
  #watches: readonly Watch[] = [];
  /** Reports of changes that arrived while `during` runs its work, held back until the work has ended; undefined at other times. */
  #held: (() => void)[] | undefined;
  readonly #written = new Map<string, KubeObject>();

  constructor(options: WatchObjectsOptions) {
    this.#options = options;
  }

  /**
   * Watches these kinds instead of the kinds of earlier calls. Call this method again when a CustomResourceDefinition has changed. For
   * about a second after such a change, watches that began before it deliver objects without the new fields. Only a new list returns the
   * complete objects (observed with Kubernetes 1.36).
   *
   * @returns resolves when all existing objects have been read, or the user may not read them
   */
  async follow(kinds: readonly Resource<KubeObject>[]): Promise<void> {
    await this.close();
    const known = kinds.map((kind) => this.#begin(kind));
    await Promise.all(known);
  }

  /**
   * Runs `work`. Changes that arrive meanwhile are reported after `work` has ended, because only then is known which objects it has
   * written. For these objects, the response to the write is reported, because the watch may deliver incomplete objects; see {@link
   * follow}.
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

  /** Returns the mirror of a kind, which is kept when the watch of the kind ends, so that the next watch reports only new changes. */
  #mirrorOf({ apiVersion, plural, kind }: Resource<KubeObject>): Mirror {
    const key = `${apiVersion} ${plural}`;
    const { onChange, reportExisting } = this.#options;
    const mirror = this.#mirrors.get(key) ?? new Mirror(kind, reportExisting, onChange);
    this.#mirrors.set(key, mirror);
    return mirror;
  }
}

/** The last known state of all objects of a kind. */
class Mirror {
  readonly #kind: string;
  readonly #onChange: WatchObjectsOptions['onChange'];
  readonly #objects = new Map<string, KubeObject>();
  /**
   * True if an object that is not in the mirror is reported as created. False before the first list of objects, unless existing objects are
   * reported, too.
   */
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
    // If the uid differs, the known object was deleted and another object of the same name has been created since.
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

/** Returns an identifier for one state of an object, as represented in one version of its kind. */
function objectId({ apiVersion, metadata: { uid, resourceVersion } }: KubeObject): string {
  return `${apiVersion} ${uid} ${resourceVersion}`;
}

function keyOf({ metadata: { namespace, name } }: KubeObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/**
 * Maximum number of parts of a change that one line shows, and maximum number of characters of a value. Lines must be short enough to read
 * while new lines appear.
 */
const shownParts = 4;
const shownCharacters = 60;

/**
 * Describes a change of an object in one short text: `created`, `spec.size 1 → 3`, `Ready=False (Scaffolded): 1 of 3 replicas are there`.
 *
 * @param before undefined if the object was created
 * @param after undefined if the object was deleted
 * @returns undefined if only bookkeeping has changed, such as the times of conditions
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

/** Returns descriptions of the changes of all fields except the status. */
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

/** Returns the conditions as texts by condition type; undefined if the value is not a list of conditions. */
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

/**
 * Returns the kinds that the CustomResourceDefinitions among the objects define. Each kind is returned in its stored version if this
 * version is served, otherwise in a served version.
 */
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
