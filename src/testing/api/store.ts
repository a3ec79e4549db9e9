import { compareBytes } from '../../base/util/bytes.ts';
import type { JsonObject } from '../../kubernetes/objects/index.ts';

/** One change of an object, in the order of the server. */
export interface StoredEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly object: JsonObject;
  /** State before the change; undefined for a new object. */
  readonly before: JsonObject | undefined;
}

/** The objects of one resource, in any version. */
interface Collection {
  readonly objects: Map<string, JsonObject>;
  readonly history: StoredEvent[];
  readonly listeners: Set<(event: StoredEvent) => void>;
}

/** All that the server stores. Objects in it are never changed in place. */
export class ObjectStore {
  readonly #collections = new Map<string, Collection>();
  #revision = 1;

  /** The version of the last change. */
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

  /** The keys in the order of lists, by namespace and name. */
  list(id: string): readonly (readonly [key: string, object: JsonObject])[] {
    return [...(this.#collections.get(id)?.objects ?? [])].sort(([left], [right]) =>
      compareBytes(left, right),
    );
  }

  /** Stores an object under the next version, and gives it as it is stored. */
  put(id: string, key: string, object: JsonObject): JsonObject {
    const collection = this.collection(id);
    const before = collection.objects.get(key);
    const stored = this.#versioned(object);
    collection.objects.set(key, stored);
    this.#publish(collection, before === undefined ? 'ADDED' : 'MODIFIED', stored, before);
    return stored;
  }

  /** Removes an object, and returns it as its watchers see it, with the version of its deletion. */
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
