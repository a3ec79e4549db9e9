import { compareBytes } from '../../base/util/bytes.ts';
import type { JsonObject } from '../../kubernetes/objects/index.ts';

/** One change of a stored object. Each change gets the next revision of the store. */
export interface StoredEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly object: JsonObject;
  /** State of the object before the change; undefined for a new object. */
  readonly before: JsonObject | undefined;
}

/** The objects of one resource. Objects of all versions of the resource share one collection. */
interface Collection {
  readonly objects: Map<string, JsonObject>;
  readonly history: StoredEvent[];
  readonly listeners: Set<(event: StoredEvent) => void>;
}

/** All objects that the server stores. A stored object is never changed in place. */
export class ObjectStore {
  readonly #collections = new Map<string, Collection>();
  #revision = 1;

  /** The revision of the last change. */
  get revision(): number {
    return this.#revision;
  }

  get collections(): ReadonlyMap<string, Collection> {
    return this.#collections;
  }

  collection(id: string): Collection {
    let collection = this.#collections.get(id);
    if (collection === undefined) {
      collection = { objects: new Map(), history: [], listeners: new Set() };
      this.#collections.set(id, collection);
    }
    return collection;
  }

  get(id: string, key: string): JsonObject | undefined {
    return this.#collections.get(id)?.objects.get(key);
  }

  /** The keys and objects of a collection, in the order of list responses: by namespace and name. */
  list(id: string): readonly (readonly [key: string, object: JsonObject])[] {
    return [...(this.#collections.get(id)?.objects ?? [])].sort(([left], [right]) =>
      compareBytes(left, right),
    );
  }

  /** Stores an object under the next resourceVersion. Returns the stored object. */
  put(id: string, key: string, object: JsonObject): JsonObject {
    const collection = this.collection(id);
    const before = collection.objects.get(key);
    const stored = this.#versioned(object);
    collection.objects.set(key, stored);
    this.#publish(collection, before === undefined ? 'ADDED' : 'MODIFIED', stored, before);
    return stored;
  }

  /** Removes an object. Returns the object as watchers receive it, with the resourceVersion of the deletion. */
  remove(id: string, key: string): JsonObject | undefined {
    const collection = this.collection(id);
    const before = collection.objects.get(key);
    if (before === undefined) return undefined;
    collection.objects.delete(key);
    const last = this.#versioned(before);
    this.#publish(collection, 'DELETED', last, before);
    return last;
  }

  #versioned(object: JsonObject): JsonObject {
    this.#revision += 1;
    const metadata = { ...(object['metadata'] as JsonObject), resourceVersion: String(this.#revision) };
    return { ...object, metadata };
  }

  #publish(
    collection: Collection,
    type: StoredEvent['type'],
    object: JsonObject,
    before: JsonObject | undefined,
  ): void {
    const event: StoredEvent = { type, revision: this.#revision, object, before };
    collection.history.push(event);
    for (const listener of collection.listeners) listener(event);
  }
}
