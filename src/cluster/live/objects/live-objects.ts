import type { KubeObject, Resource } from '../../../sdk/api/index.ts';
import { isForbidden, Reflector, type Connection } from '../../../sdk/kube/index.ts';
import { lineDiff } from '../../../base/util/diffs.ts';
import { toYaml } from '../../../kubernetes/yaml/index.ts';
import { isJsonMap } from '../../../base/util/json-map.ts';

export interface FollowedKind {
  readonly resource: Resource<KubeObject>;
  /** Returns true for objects that the page shows. Default: the page shows all objects. */
  readonly concerns?: (object: KubeObject) => boolean;
}

/** The changes since the last call of `takeNews`. */
interface ObjectNews {
  readonly rows: readonly ObjectRow[];
  /** The ids of objects that are gone. */
  readonly gone: readonly string[];
}

/** Difference between one state of an object and the preceding state. */
interface ObjectChange {
  /** Time at which the change was seen, in milliseconds since 1970. */
  readonly time: number;
  /** Difference in the format of `lineDiff`. The resourceVersion is omitted, because it differs in each state. */
  readonly text: string;
}

/** Details of an object for a human reader. */
export interface ObjectDetails {
  readonly yaml: string;
  /** Changes that were received, the latest first. Several are kept, because the status often changes right after the spec. */
  readonly changes: readonly ObjectChange[];
}

/** Maximum number of states that are kept of each object, in order to show its last changes. */
const mostStates = 6;

interface State {
  readonly time: number;
  readonly object: KubeObject;
}

interface Watch {
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/**
 * Delays in milliseconds before a failed watch is retried. They are short, because a person is watching and only few kinds are followed.
 */
const backoff = { initial: 100, factor: 2, maximum: 5_000, jitter: 1 };

/** Follows the objects of some kinds while a page is open. Keeps the last states of each object. */
export class LiveObjects {
  readonly #connection: Connection;
  readonly #onForbidden: (kind: string) => void;
  readonly #onNews: () => void;
  /** States of each object by its id, the newest last. Each object has at least one state. */
  readonly #states = new Map<string, readonly [...State[], State]>();
  readonly #changed = new Set<string>();
  readonly #gone = new Set<string>();
  #watches: readonly Watch[] = [];

  /**
   * @param onNews called when something has changed; `takeNews` returns the changes
   * @param onForbidden called with a kind that the user may not list
   */
  constructor(connection: Connection, onNews: () => void, onForbidden: (kind: string) => void) {
    this.#connection = connection;
    this.#onNews = onNews;
    this.#onForbidden = onForbidden;
  }

  /** Follows the given kinds, and stops following the kinds of earlier calls. */
  async follow(kinds: readonly FollowedKind[]): Promise<void> {
    await this.stop();
    const followed = new Set(kinds.map(({ resource }) => prefixOf(resource)));
    for (const id of [...this.#states.keys()])
      if (!followed.has(id.slice(0, id.lastIndexOf(' ')))) this.#remove(id);
    this.#watches = kinds.map((kind) => this.#begin(kind));
  }

  /** Ends all watches. The known states of objects are kept until the watches begin again. */
  async stop(): Promise<void> {
    const watches = this.#watches;
    this.#watches = [];
    for (const { stop } of watches) stop.abort();
    await Promise.all(watches.map(({ done }) => done));
  }

  /** Returns all known objects. */
  rows(): readonly ObjectRow[] {
    return [...this.#states].map(([id, states]) => describeRow(id, newest(states)));
  }

  /** Returns the changes since the last call, and resets them. */
  takeNews(): ObjectNews {
    const rows = [...this.#changed].flatMap((id) => {
      const states = this.#states.get(id);
      return states === undefined ? [] : [describeRow(id, newest(states))];
    });
    const gone = [...this.#gone];
    this.#changed.clear();
    this.#gone.clear();
    return { rows, gone };
  }

  /** Returns the details of an object; undefined if the object no longer exists. */
  details(id: string): ObjectDetails | undefined {
    const states = this.#states.get(id);
    if (states === undefined) return undefined;
    const texts = states.map(({ object }) => toYaml(withoutVersion(object)));
    const changes = states.slice(1).map(({ time }, index) => ({
      time,
      text: lineDiff(texts[index] ?? '', texts[index + 1] ?? ''),
    }));
    return { yaml: toYaml(newest(states)), changes: changes.filter(({ text }) => text !== '').toReversed() };
  }

  #begin({ resource, concerns = () => true }: FollowedKind): Watch {
    const stop = new AbortController();
    let refused = false;
    const reflector = new Reflector({
      connection: this.#connection,
      resource,
      settings: { backoff },
      transform: withoutSecrets,
      handler: {
        replace: (objects) => this.#replace(resource, objects.filter(concerns)),
        apply: (type, object) => {
          if (type === 'DELETED' || !concerns(object)) this.#remove(idOf(resource, object));
          else this.#put(idOf(resource, object), object);
        },
      },
      onState: ({ error }) => {
        if (refused || !isForbidden(error)) return;
        refused = true;
        this.#onForbidden(resource.kind);
      },
    });
    return { stop, done: reflector.run(stop.signal) };
  }

  #replace(resource: Resource, objects: readonly KubeObject[]): void {
    const present = new Set(objects.map((object) => idOf(resource, object)));
    const prefix = `${prefixOf(resource)} `;
    for (const id of [...this.#states.keys()])
      if (id.startsWith(prefix) && !present.has(id)) this.#remove(id);
    for (const object of objects) this.#put(idOf(resource, object), object);
  }

  #put(id: string, now: KubeObject): void {
    const states = this.#states.get(id) ?? [];
    const known = states.at(-1)?.object.metadata;
    if (known?.resourceVersion === now.metadata.resourceVersion) return;
    // The object may have been deleted, and another object of the same name created since. Then the history of the new object must not
    // contain states of the deleted object.
    const before = known?.uid === now.metadata.uid ? states.slice(1 - mostStates) : [];
    this.#states.set(id, [...before, { time: Date.now(), object: now }]);
    this.#gone.delete(id);
    this.#changed.add(id);
    this.#onNews();
  }

  #remove(id: string): void {
    if (!this.#states.delete(id)) return;
    this.#changed.delete(id);
    this.#gone.add(id);
    this.#onNews();
  }
}

function newest(states: readonly [...State[], State]): KubeObject {
  return (states.at(-1) as State).object;
}

function withoutVersion(object: KubeObject): KubeObject {
  const { resourceVersion: _resourceVersion, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function prefixOf({ apiVersion, plural }: Resource): string {
  return `${apiVersion} ${plural}`;
}

function idOf(resource: Resource, { metadata: { namespace, name } }: KubeObject): string {
  return `${prefixOf(resource)} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/**
 * Replaces each value of a Secret by the length of the value, because pages are shown to other people and appear in screenshots. Returns
 * other objects unchanged.
 */
function withoutSecrets<T extends { readonly apiVersion: string; readonly kind: string }>(object: T): T {
  if (object.apiVersion !== 'v1' || object.kind !== 'Secret') return object;
  const { data } = object as { readonly data?: unknown };
  if (!isJsonMap(data)) return object;
  const lengths = Object.entries(data).map(([key, value]) => [
    key,
    `*** (${Buffer.byteLength(String(value), 'base64')} bytes)`,
  ]);
  return { ...object, data: Object.fromEntries(lengths) as unknown };
}

/** A condition in the status of an object. Only its fields that are text are included. */
interface ConditionRow {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** An object as a row in the list of a page. The page requests the details of one object at a time. */
export interface ObjectRow {
  /** Id that is unique among the objects of the page. */
  readonly id: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** Time of creation in RFC 3339 format. */
  readonly created: string;
  readonly deleting: boolean;
  readonly conditions: readonly ConditionRow[];
}

/** Maximum length of the message of a condition, in characters. */
const longest = 300;

/** @param id see {@link ObjectRow.id} */
function describeRow(id: string, object: KubeObject): ObjectRow {
  const { apiVersion, kind, metadata } = object;
  return {
    ...{ id, apiVersion, kind, name: metadata.name },
    ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
    created: metadata.creationTimestamp ?? '',
    deleting: metadata.deletionTimestamp !== undefined,
    conditions: conditionsOf(object),
  };
}

/**
 * Returns the conditions in the status of an object. A custom kind may give its status any form, so entries that do not look like a
 * condition are omitted.
 */
function conditionsOf(object: KubeObject): readonly ConditionRow[] {
  const { status } = object as { readonly status?: unknown };
  const conditions = isJsonMap(status) ? status['conditions'] : undefined;
  if (!Array.isArray(conditions)) return [];
  return conditions
    .filter(isJsonMap)
    .flatMap(({ type, status: value, reason, message }) =>
      typeof type === 'string' && typeof value === 'string'
        ? [{ type, status: value, reason: textOf(reason), message: textOf(message).slice(0, longest) }]
        : [],
    );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
