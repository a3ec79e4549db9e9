import type { KubeObject, Resource, Stored } from '../../api/index.ts';
import { keyOf, keyText } from '../../kube/index.ts';
import { freezeAndMeasure } from '../deep-freeze.ts';

/**
 * A change of an object, as seen by the cache. Several changes may be combined into one `update`. If an object replaces another object of
 * the same name (with a different uid), the changes are a `delete` and then a `create`. Objects are frozen.
 */
export type ObjectEvent<T extends KubeObject = KubeObject> =
  | { readonly type: 'create'; readonly object: Stored<T> }
  | { readonly type: 'update'; readonly object: Stored<T>; readonly oldObject: Stored<T> }
  | { readonly type: 'delete'; readonly object: Stored<T> };

/** An object of any kind, as stored in the cache. */
export type CachedObject = Stored<KubeObject>;

/** State of an object according to the watch, kept until the watch has confirmed a write of this operator to that object. */
interface Shadowed {
  /** The object according to the watch; undefined if the watch has not reported the object, or has reported its deletion. */
  base: CachedObject | undefined;
  /** Resource version of the object after the write. For a delete, the last version that readers saw. */
  readonly version: string;
  /** The uid of the object if the write was a delete. */
  readonly deletedUid: string | undefined;
}

/** The parts of a store that a list replaces. */
interface Contents {
  readonly view: Map<string, CachedObject>;
  readonly indexes: KeyIndex<CachedObject>[];
  readonly sizes: Sizes;
}

/**
 * Stores the objects of one kind by `namespace/name`, in two layers: the lower layer is the state of the watch, the upper layer contains
 * this operator's own writes until the watch confirms them. Readers see the combined layers. Listeners receive only changes of the lower
 * layer, so that the watch event of an own write still reaches them, and the deletion of what only the upper layer has shown. Objects are
 * frozen.
 */
export class Store {
  readonly #resource: Resource;
  /** The objects visible to readers. */
  #view = new Map<string, CachedObject>();
  /** States of objects according to the watch, for the keys that the upper layer contains. */
  readonly #shadowed = new Map<string, Shadowed>();
  /** Sizes of the objects according to the watch. Own writes are not measured, because the watch confirms them soon. */
  #sizes = new Sizes();
  /** Resource version of the newest watch event or list in the store. */
  #seen = '';
  #indexes: KeyIndex<CachedObject>[] = [];
  /** Keys that were written since the arrival of the list that is being applied; undefined if a list is not being applied. */
  #writtenSinceList: Set<string> | undefined;

  constructor(resource: Resource) {
    this.#resource = resource;
  }

  get size(): number {
    return this.#view.size;
  }

  /** Estimated size of the stored objects, in bytes of JSON. Parts that a transform has dropped are not included. */
  get bytes(): number {
    return this.#sizes.total;
  }

  get(key: string): CachedObject | undefined {
    return this.#view.get(key);
  }

  entries(): IterableIterator<[string, CachedObject]> {
    return this.#view.entries();
  }

  /** Adds an index and maintains it from now on. Does nothing if an index of that name exists. */
  addIndex(name: string, keysOf: (object: CachedObject) => readonly string[]): void {
    if (this.#indexes.some((each) => each.name === name)) return;
    const index = new KeyIndex(name, keysOf);
    for (const [key, object] of this.#view) index.add(key, object);
    this.#indexes.push(index);
  }

  /** Returns the objects that an index maps to a key, with their keys; undefined for an unknown index. */
  byIndex(name: string, by: string): [string, CachedObject][] | undefined {
    const index = this.#indexes.find((each) => each.name === name);
    if (index === undefined) return undefined;
    const found: [string, CachedObject][] = [];
    for (const key of index.lookUp(by)) {
      const object = this.#view.get(key);
      if (object !== undefined) found.push([key, object]);
    }
    return found;
  }

  /**
   * Applies a complete list in steps. Between the steps, the store can be read and written, and readers see the old list until the last
   * step. Objects that are not in the new list are deleted. Objects with the same version are not reported as changes. Own writes that are
   * newer than the list are kept. If the list is older than the last seen version, as after a restore from a backup, only the own writes
   * made since the arrival of the list are kept. Must be run to its end before the next `apply`.
   *
   * @param resourceVersion undefined for a kind that is not served: the same own writes are kept as for a list that is older
   * @returns the changes, deletes first
   */
  *replace(
    objects: readonly KubeObject[],
    resourceVersion: string | undefined,
  ): Generator<undefined, ObjectEvent[]> {
    this.#writtenSinceList = new Set();
    const changes: ObjectEvent[] = [];
    const view = new Map<string, CachedObject>();
    const indexes = this.#indexes.map((index) => index.empty());
    const sizes = new Sizes();
    for (const object of objects) {
      yield;
      const key = keyOf(object);
      const old = this.#baseOf(key);
      const isKnown = old !== undefined && isSameVersion(old, object);
      const kept = isKnown ? old : this.#prepare(key, object, sizes);
      if (isKnown) sizes.set(key, this.#sizes.get(key));
      view.set(key, kept);
      for (const index of indexes) index.add(key, kept);
      if (!isKnown) changes.push(...difference(old, kept));
    }
    // A map prevents duplicates: a write between two steps can move a key within the iterated map, so that the iteration reaches the key
    // twice.
    const gone = new Map<string, ObjectEvent>();
    const lookAt = (key: string): void => {
      const base = view.has(key) ? undefined : this.#baseOf(key);
      if (base !== undefined) gone.set(key, { type: 'delete', object: base });
    };
    for (const key of this.#view.keys()) {
      yield;
      lookAt(key);
    }
    for (const key of this.#shadowed.keys()) lookAt(key);
    return [...this.#swap({ view, indexes, sizes }, resourceVersion), ...gone.values(), ...changes];
  }

  /** @returns the deletes of objects that only own writes have shown: created by this operator, and gone before the list */
  #swap({ view, indexes, sizes }: Contents, resourceVersion: string | undefined): ObjectEvent[] {
    // A list that is older than the last seen version comes from a server restored from a backup, whose versions start again from an older
    // one. Only writes since the arrival of the list are newer.
    const version = resourceVersion ?? '';
    const isRestored = resourceVersion === undefined || (this.#seen !== '' && isNewer(this.#seen, version));
    const keys = isRestored ? (this.#writtenSinceList ?? []) : this.#shadowed.keys();
    const written = [...keys].flatMap((key) => {
      const shadowed = this.#shadowed.get(key);
      return shadowed === undefined ? [] : [{ key, shadowed, object: this.#view.get(key) }];
    });
    const own = [...this.#shadowed].flatMap(([key, { base }]) => {
      const object = this.#view.get(key);
      return object === undefined || object.metadata.uid === base?.metadata.uid ? [] : [{ key, object }];
    });
    this.#view = view;
    this.#indexes = indexes;
    this.#sizes = sizes;
    this.#shadowed.clear();
    this.#writtenSinceList = undefined;
    this.#seen = version;
    for (const { key, shadowed, object } of written) {
      const { deletedUid } = shadowed;
      const hasDeleted = deletedUid !== undefined && view.get(key)?.metadata.uid === deletedUid;
      if (hasDeleted || isNewer(shadowed.version, version))
        this.#cover(key, shadowed.version, deletedUid, object);
    }
    return own
      .filter(({ key, object }) => this.#view.get(key)?.metadata.uid !== object.metadata.uid)
      .map(({ object }) => ({ type: 'delete', object }));
  }

  /** Applies one event of a watch. Returns the resulting changes. */
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject): ObjectEvent[] {
    const key = keyOf(object);
    const old = this.#baseOf(key);
    const version = object.metadata.resourceVersion ?? '';
    if (isNewer(version, this.#seen)) this.#seen = version;
    if (type === 'DELETED') {
      const last = this.#prepare(key, object);
      this.#sizes.delete(key);
      this.#setBase(key, undefined, last);
      // The event contains the last state of the object. The deletion of an object that was never seen is not reported.
      return old === undefined ? [] : [{ type: 'delete', object: last }];
    }
    if (old !== undefined && isSameVersion(old, object)) return [];
    const kept = this.#prepare(key, object);
    this.#setBase(key, kept, kept);
    return difference(old, kept);
  }

  /** Returns true if an object is certainly newer than the last event of the watch and the own writes to the object. */
  isNewer({ metadata }: CachedObject): boolean {
    const key = keyText(metadata);
    const shadowed = this.#shadowed.get(key);
    const present = shadowed?.version ?? this.#view.get(key)?.metadata.resourceVersion;
    return (
      shadowed?.deletedUid !== metadata.uid &&
      isNewer(metadata.resourceVersion, this.#seen) &&
      (present === undefined || isNewer(metadata.resourceVersion, present))
    );
  }

  /**
   * Makes the result of an own write visible to readers, until the watch has reached the version of that write. Does nothing if the watch
   * has already reached it, or if versions cannot be compared.
   *
   * @param visible the object as the watch will show it; undefined if the selection of the cache no longer matches the object
   */
  wrote(object: CachedObject, visible: CachedObject | undefined): void {
    if (!this.isNewer(object)) return;
    const key = keyOf(object);
    // The watch sends no event for an object that the cache's selection does not match and that was never in the store.
    if (visible === undefined && !this.#view.has(key) && this.#baseOf(key) === undefined) return;
    this.#cover(key, object.metadata.resourceVersion, undefined, visible);
  }

  /** Hides an object that this operator has deleted, until the watch has seen the deletion. */
  removed(key: string, uid: string): void {
    const present = this.#view.get(key)?.metadata;
    if (present?.uid === uid) this.#cover(key, present.resourceVersion, uid, undefined);
  }

  #cover(
    key: string,
    version: string,
    deletedUid: string | undefined,
    visible: CachedObject | undefined,
  ): void {
    this.#shadowed.set(key, { base: this.#baseOf(key), version, deletedUid });
    this.#writtenSinceList?.add(key);
    this.#show(key, visible);
  }

  #baseOf(key: string): CachedObject | undefined {
    const shadowed = this.#shadowed.get(key);
    return shadowed === undefined ? this.#view.get(key) : shadowed.base;
  }

  /** @param last the object in the event, which is also given for a deletion */
  #setBase(key: string, object: CachedObject | undefined, last: CachedObject): void {
    const shadowed = this.#shadowed.get(key);
    if (shadowed !== undefined && !confirms(last, object !== undefined, shadowed)) {
      shadowed.base = object;
      return;
    }
    this.#shadowed.delete(key);
    this.#show(key, object);
  }

  #show(key: string, object: CachedObject | undefined): void {
    const before = this.#view.get(key);
    if (before === object) return;
    for (const index of this.#indexes) {
      if (before !== undefined) index.remove(key, before);
      if (object !== undefined) index.add(key, object);
    }
    if (object === undefined) this.#view.delete(key);
    else this.#view.set(key, object);
  }

  #prepare(key: string, object: KubeObject, sizes = this.#sizes): CachedObject {
    // The server omits `apiVersion` and `kind` in the items of a list.
    object.apiVersion ||= this.#resource.apiVersion;
    object.kind ||= this.#resource.kind;
    sizes.set(key, freezeAndMeasure(object));
    // The cast is safe because an object from the server has a name, a uid and a version.
    return object as CachedObject;
  }
}

/** Returns true if an event shows that the watch has reached the version of an own write, or a later version. */
function confirms({ metadata }: CachedObject, exists: boolean, { version, deletedUid }: Shadowed): boolean {
  if (deletedUid === undefined) return !isNewer(version, metadata.resourceVersion);
  // An event with another uid concerns an earlier or a later object of the same name. An object that the cache's selection no longer
  // matches can match again later.
  const isLater = (compareResourceVersions(metadata.resourceVersion, version) ?? 1) > 0;
  return isLater && (metadata.uid !== deletedUid || !exists);
}

/** Returns true if a resource version is certainly newer than another one. Every version is newer than the empty string. */
function isNewer(version: string, than: string): boolean {
  return (compareResourceVersions(version, than === '' ? '1' : than) ?? 0) > 0;
}

function difference(old: CachedObject | undefined, object: CachedObject): ObjectEvent[] {
  if (old === undefined) return [{ type: 'create', object }];
  if (old.metadata.uid === object.metadata.uid) return [{ type: 'update', object, oldObject: old }];
  return [
    { type: 'delete', object: old },
    { type: 'create', object },
  ];
}

function isSameVersion(a: KubeObject, b: KubeObject): boolean {
  return a.metadata.uid === b.metadata.uid && a.metadata.resourceVersion === b.metadata.resourceVersion;
}

/**
 * Compares two resource versions of one kind. Returns a negative number if `a` is older, 0 if the versions are equal, a positive number if
 * `a` is newer, and undefined if they cannot be ordered. Versions are decimal numbers that increase with each write. Source: KEP-5504
 * "Comparable Resource Version".
 */
function compareResourceVersions(a: string, b: string): number | undefined {
  if (!isNumeric(a) || !isNumeric(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Returns true for decimal digits without leading zeros. Such a version may exceed the range of a JavaScript number. */
function isNumeric(version: string): boolean {
  return /^[1-9]\d*$/.test(version);
}

/** Sizes of objects by key, and their sum. */
class Sizes {
  total = 0;
  readonly #sizes = new Map<string, number>();

  get(key: string): number {
    return this.#sizes.get(key) ?? 0;
  }

  set(key: string, size: number): void {
    this.total += size - this.get(key);
    this.#sizes.set(key, size);
  }

  delete(key: string): void {
    this.total -= this.get(key);
    this.#sizes.delete(key);
  }
}

/** Maps index keys to the keys of objects of type `T`. */
class KeyIndex<T> {
  readonly name: string;
  readonly #keysOf: (object: T) => readonly string[];
  readonly #entries = new Map<string, Set<string>>();

  constructor(name: string, keysOf: (object: T) => readonly string[]) {
    this.name = name;
    this.#keysOf = keysOf;
  }

  /** Returns an empty index with the same name and the same function for the index keys. */
  empty(): KeyIndex<T> {
    return new KeyIndex(this.name, this.#keysOf);
  }

  /** Returns the keys of the objects that have this index key. */
  lookUp(by: string): Iterable<string> {
    return this.#entries.get(by) ?? [];
  }

  add(key: string, object: T): void {
    for (const by of this.#keysOf(object)) {
      const found = this.#entries.get(by);
      if (found === undefined) this.#entries.set(by, new Set([key]));
      else found.add(key);
    }
  }

  remove(key: string, object: T): void {
    for (const by of this.#keysOf(object)) {
      const found = this.#entries.get(by);
      found?.delete(key);
      if (found?.size === 0) this.#entries.delete(by);
    }
  }
}
