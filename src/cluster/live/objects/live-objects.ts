import type { KubeObject, Resource } from '../../../sdk/api/index.ts';
import { isForbidden, Reflector, type Connection } from '../../../sdk/kube/index.ts';
import { lineDiff } from '../../../base/util/diffs.ts';
import { toYaml } from '../../../kubernetes/yaml/index.ts';
import { isEqualJson, isJsonMap, jsonListOf, jsonTextOf } from '../../../base/util/json-map.ts';
import { describeRow, type ObjectRow, type RowAction } from './object-row.ts';
import { linkOwners, type Role } from './owner-links.ts';

export interface FollowedKind {
  readonly resource: Resource<KubeObject>;
  /** Returns true for objects that the page shows. Default: the page shows all objects. */
  readonly concerns?: (object: KubeObject) => boolean;
  /** Default: `shown`. */
  readonly role?: Role;
  /** True if a missing permission to list the kind is not reported to the user. Default: false. */
  readonly isOptional?: boolean;
}

/** Actions of a page on objects. */
export interface ObjectControls {
  actionsOf(object: KubeObject): readonly RowAction[];
  /** Called when an object was deleted. */
  forget(object: KubeObject): void;
}

interface LiveObjectsOptions {
  readonly connection: Connection;
  /** Called when something has changed; `takeNews` returns the changes. */
  readonly onNews: () => void;
  /** Called with a kind that the user may not list. */
  readonly onForbidden: (kind: string) => void;
  /** Default: the page offers no actions. */
  readonly controls?: ObjectControls | undefined;
}

/** The changes since the last call of `takeNews`. */
interface ObjectNews {
  readonly rows: readonly ObjectRow[];
  /** Ids of objects that were deleted or are no longer shown. */
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
  /** Names of the containers of a Pod, whose logs can be read. */
  readonly containers?: readonly string[];
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

/**
 * Follows the objects of some kinds while a page is open. Keeps the last states of each object that the page shows, and the last one of
 * others, which may turn out to be owned by an object that the page shows.
 */
export class LiveObjects {
  readonly #options: LiveObjectsOptions;
  /** States of each object by its id, the newest last. Each object has at least one state. */
  readonly #states = new Map<string, readonly [...State[], State]>();
  readonly #changed = new Set<string>();
  readonly #gone = new Set<string>();
  #kinds: ReadonlyMap<string, FollowedKind> = new Map();
  /** Ids of the objects that the page shows, with those of their owners. */
  #links: ReadonlyMap<string, string | undefined> = new Map();
  /** True if objects have come or gone, or changed their owners, since `#links` were found. */
  #isUnlinked = false;
  #unknownOwners: ReadonlySet<string> = new Set();
  #watches: readonly Watch[] = [];

  constructor(options: LiveObjectsOptions) {
    this.#options = options;
  }

  /** Follows the given kinds, and stops following the kinds of earlier calls. */
  async follow(kinds: readonly FollowedKind[]): Promise<void> {
    await this.stop();
    this.#kinds = new Map(kinds.map((kind) => [prefixOf(kind.resource), kind]));
    this.#isUnlinked = true;
    for (const id of [...this.#states.keys()]) if (this.#kindOf(id) === undefined) this.#remove(id);
    this.#watches = kinds.map((kind) => this.#begin(kind));
  }

  /** Ends all watches. The known states of objects are kept until the watches begin again. */
  async stop(): Promise<void> {
    const watches = this.#watches;
    this.#watches = [];
    for (const { stop } of watches) stop.abort();
    await Promise.all(watches.map(({ done }) => done));
  }

  /** Returns all objects that the page shows. */
  rows(): readonly ObjectRow[] {
    this.#link();
    return [...this.#links.keys()].flatMap((id) => this.#row(id) ?? []);
  }

  /** Returns the changes since the last call, and resets them. */
  takeNews(): ObjectNews {
    this.#link();
    const rows = [...this.#changed].flatMap((id) => this.#row(id) ?? []);
    const gone = [...this.#gone];
    this.#changed.clear();
    this.#gone.clear();
    return { rows, gone };
  }

  /** Returns an object that the page shows. */
  find(id: string): KubeObject | undefined {
    this.#link();
    const states = this.#links.has(id) ? this.#states.get(id) : undefined;
    return states && newest(states);
  }

  /** Marks the row of an object as changed. Call it when the actions of the object have changed. */
  touch(id: string): void {
    this.#changed.add(id);
    this.#options.onNews();
  }

  /** Returns the details of an object; undefined if the page does not show the object. */
  details(id: string): ObjectDetails | undefined {
    const object = this.find(id);
    const states = this.#states.get(id);
    if (object === undefined || states === undefined) return undefined;
    const texts = states.map((state) => toYaml(withoutVersion(state.object)));
    const changes = states.slice(1).map(({ time }, index) => ({
      time,
      text: lineDiff(texts[index] ?? '', texts[index + 1] ?? ''),
    }));
    const containers = containersOf(object);
    return {
      yaml: toYaml(object),
      changes: changes.filter(({ text }) => text !== '').toReversed(),
      ...(containers.length === 0 ? {} : { containers }),
    };
  }

  /** Kinds of owners that are not followed, as `apiVersion kind`. Only owners of objects that are shown below their owners are included. */
  get unknownOwners(): ReadonlySet<string> {
    return this.#unknownOwners;
  }

  #kindOf(id: string): FollowedKind | undefined {
    return this.#kinds.get(id.slice(0, id.lastIndexOf(' ')));
  }

  #row(id: string): ObjectRow | undefined {
    const states = this.#links.has(id) ? this.#states.get(id) : undefined;
    if (states === undefined) return undefined;
    const object = newest(states);
    const actions = this.#options.controls?.actionsOf(object) ?? [];
    return describeRow(id, object, { owner: this.#links.get(id), actions });
  }

  /** Determines the objects that the page shows, and marks those whose position has changed. */
  #link(): void {
    if (!this.#isUnlinked) return;
    this.#isUnlinked = false;
    const former = this.#links;
    const objects = [...this.#states].map(([id, states]) => {
      const role: Role = this.#kindOf(id)?.role ?? 'shown';
      return { id, object: newest(states), role };
    });
    this.#links = linkOwners(objects);
    const followed = new Set([...this.#kinds.values()].map(({ resource }) => titleOf(resource)));
    const owners = objects
      .filter(({ role }) => role === 'owned')
      .flatMap(({ object }) => (object.metadata.ownerReferences ?? []).map(titleOf));
    this.#unknownOwners = new Set(owners.filter((owner) => !followed.has(owner)));
    for (const [id, owner] of this.#links) {
      if (former.has(id) && former.get(id) === owner) continue;
      this.#changed.add(id);
      this.#gone.delete(id);
    }
    for (const id of former.keys()) if (!this.#links.has(id)) this.#gone.add(id);
  }

  #begin({ resource, concerns = () => true, isOptional = false }: FollowedKind): Watch {
    const stop = new AbortController();
    let refused = false;
    const reflector = new Reflector({
      connection: this.#options.connection,
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
        if (refused || isOptional || !isForbidden(error)) return;
        refused = true;
        this.#options.onForbidden(resource.kind);
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
    const known = states.at(-1)?.object;
    if (known?.metadata.resourceVersion === now.metadata.resourceVersion) return;
    // The object may have been deleted, and another object of the same name created since. Then the history of the new object must not
    // contain states of the deleted object.
    const isSame = known?.metadata.uid === now.metadata.uid;
    if (known !== undefined && !isSame) this.#options.controls?.forget(known);
    const isKept = this.#kindOf(id)?.role !== 'owned' || this.#links.has(id);
    const before = isSame && isKept ? states.slice(1 - mostStates) : [];
    this.#states.set(id, [...before, { time: Date.now(), object: now }]);
    if (!isSame || !isEqualJson(known?.metadata.ownerReferences, now.metadata.ownerReferences))
      this.#isUnlinked = true;
    this.#changed.add(id);
    this.#options.onNews();
  }

  #remove(id: string): void {
    const states = this.#states.get(id);
    if (states === undefined) return;
    this.#states.delete(id);
    this.#changed.delete(id);
    this.#isUnlinked = true;
    this.#options.controls?.forget(newest(states));
    this.#options.onNews();
  }
}

function newest(states: readonly [...State[], State]): KubeObject {
  return (states.at(-1) as State).object;
}

function withoutVersion(object: KubeObject): KubeObject {
  const { resourceVersion: _resourceVersion, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function titleOf({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): string {
  return `${apiVersion} ${kind}`;
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

function containersOf(object: KubeObject): readonly string[] {
  if (object.apiVersion !== 'v1' || object.kind !== 'Pod') return [];
  const { spec } = object as { readonly spec?: unknown };
  if (!isJsonMap(spec)) return [];
  return [...jsonListOf(spec['containers']), ...jsonListOf(spec['initContainers'])]
    .filter(isJsonMap)
    .map(({ name }) => jsonTextOf(name));
}
