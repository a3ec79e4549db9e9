import type { KubeObject, Resource, Stored } from '../../api/index.ts';
import { keyOf, keyText } from '../../kube/index.ts';
import { deepFreeze } from '../deep-freeze.ts';

/**
 * A change of an object, as the cache saw it: several changes in between may have become one `update`. An object that replaces
 * another of the same name (its uid differs) is a `delete` followed by a `create`. Objects are frozen.
 */
export type ObjectEvent<T extends KubeObject = KubeObject> =
  | { readonly type: 'create'; readonly object: Stored<T> }
  | { readonly type: 'update'; readonly object: Stored<T>; readonly oldObject: Stored<T> }
  | { readonly type: 'delete'; readonly object: Stored<T> };

/** An object of any kind, as the cache holds it. */
export type CachedObject = Stored<KubeObject>;

/** The state below a write of this operator that the watch has not confirmed yet. */
interface Shadowed {
  /** The object as the watch has it; undefined if it does not exist there. */
  base: CachedObject | undefined;
  /** The version that the write gave to the object; for a delete, the last one of the object that readers saw. */
  readonly version: string;
  /** The uid of the object, if the write deleted it. */
  readonly deletedUid: string | undefined;
}

/**
 * The objects of one kind by `namespace/name`, in two layers: as the watch has them, and over that this operator's own writes until the watch
 * confirms them. Readers see both layers as one; changes are those of the lower layer only, so that the event of a write reaches
 * those who wait for it. Objects are frozen.
 */
export class Store {
  readonly #resource: Resource;
  /** The objects that readers see. */
  #view = new Map<string, CachedObject>();
  /** The keys that the upper layer covers. */
  readonly #shadowed = new Map<string, Shadowed>();
  /** The version of the newest event of the watch, or of the list. */
  #seen = '';
  #indexes: KeyIndex<CachedObject>[] = [];
  /** The keys that were written since the list arrived that is being taken over; undefined while there is none. */
  #writtenSinceList: Set<string> | undefined;

  constructor(resource: Resource) {
    this.#resource = resource;
  }

  get size(): number {
    return this.#view.size;
  }

  get(key: string): CachedObject | undefined {
    return this.#view.get(key);
  }

  entries(): IterableIterator<[string, CachedObject]> {
    return this.#view.entries();
  }

  /** Keeps an index from now on; does nothing if there is one of that name. */
  addIndex(name: string, keysOf: (object: CachedObject) => readonly string[]): void {
    if (this.#indexes.some((each) => each.name === name)) return;
    const index = new KeyIndex(name, keysOf);
    for (const [key, object] of this.#view) index.add(key, object);
    this.#indexes.push(index);
  }

  /** The objects that an index finds by a key, with their keys; undefined for an index that is not kept. */
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
   * Takes over a whole list, in steps between which others may read and write: they see the old list until the last step. Objects that
   * are not in the new one are deleted; objects with the same version are not changes. Own writes that are newer than the list remain; if the
   * list is older than what was seen, after a restore from a backup, only those that were made since it arrived. Must be run to its end before the
   * next `apply`.
   *
   * @returns the changes, deletes first
   */
  *replace(objects: readonly KubeObject[], resourceVersion: string): Generator<undefined, ObjectEvent[]> {
    this.#writtenSinceList = new Set();
    const changes: ObjectEvent[] = [];
    const view = new Map<string, CachedObject>();
    const indexes = this.#indexes.map((index) => index.empty());
    for (const object of objects) {
      yield;
      const key = keyOf(object);
      const old = this.#baseOf(key);
      const isKnown = old !== undefined && isSameVersion(old, object);
      const kept = isKnown ? old : this.#prepare(object);
      view.set(key, kept);
      for (const index of indexes) index.add(key, kept);
      if (!isKnown) changes.push(...difference(old, kept));
    }
    // By key: what is written between the steps can move a key behind those that were looked at.
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
    this.#swap(view, indexes, resourceVersion);
    return [...gone.values(), ...changes];
  }

  #swap(view: Map<string, CachedObject>, indexes: KeyIndex<CachedObject>[], resourceVersion: string): void {
    // A list that is older than what was seen comes from a restored server, whose versions start again: only what was written since is newer.
    const isRestored = this.#seen !== '' && isNewer(this.#seen, resourceVersion);
    const keys = isRestored ? (this.#writtenSinceList ?? []) : this.#shadowed.keys();
    const written = [...keys].flatMap((key) => {
      const shadowed = this.#shadowed.get(key);
      return shadowed === undefined ? [] : [{ key, shadowed, object: this.#view.get(key) }];
    });
    this.#view = view;
    this.#indexes = indexes;
    this.#shadowed.clear();
    this.#writtenSinceList = undefined;
    this.#seen = resourceVersion;
    for (const { key, shadowed, object } of written) {
      const { version, deletedUid } = shadowed;
      const hasDeleted = deletedUid !== undefined && view.get(key)?.metadata.uid === deletedUid;
      if (hasDeleted || isNewer(version, resourceVersion)) this.#cover(key, version, deletedUid, object);
    }
  }

  /** Takes over one event of a watch. */
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject): ObjectEvent[] {
    const key = keyOf(object);
    const old = this.#baseOf(key);
    const version = object.metadata.resourceVersion ?? '';
    if (isNewer(version, this.#seen)) this.#seen = version;
    if (type === 'DELETED') {
      const last = this.#prepare(object);
      this.#setBase(key, undefined, last);
      // The event has the last state; an object that was never seen is nobody's concern.
      return old === undefined ? [] : [{ type: 'delete', object: last }];
    }
    if (old !== undefined && isSameVersion(old, object)) return [];
    const kept = this.#prepare(object);
    this.#setBase(key, kept, kept);
    return difference(old, kept);
  }

  /** Returns true if an object is certainly newer than what the watch, or an own write, has brought. */
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
   * Shows readers an object as a write of this operator has left it, until the watch has seen that write. Does nothing if the watch
   * is already there, or if versions cannot be compared.
   *
   * @param visible what the watch will show of it; undefined if it is no longer selected
   */
  wrote(object: CachedObject, visible: CachedObject | undefined): void {
    if (!this.isNewer(object)) return;
    const key = keyOf(object);
    // Of an object that is not selected and never was here, the watch will say nothing.
    if (visible === undefined && !this.#view.has(key) && this.#baseOf(key) === undefined) return;
    this.#cover(key, object.metadata.resourceVersion, undefined, visible);
  }

  /** Hides an object that this operator has deleted, until the watch has seen that. */
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

  /** @param last the object that the event carries, also for one that is deleted */
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

  #prepare(object: KubeObject): CachedObject {
    // The API server writes no apiVersion and kind into the items of a list.
    object.apiVersion ||= this.#resource.apiVersion;
    object.kind ||= this.#resource.kind;
    // The server has stored it, so it has a name, a uid and a version.
    return deepFreeze(object) as CachedObject;
  }
}

/** Returns true if the watch has reached a write, or passed it. */
function confirms({ metadata }: CachedObject, exists: boolean, { version, deletedUid }: Shadowed): boolean {
  if (deletedUid === undefined) return !isNewer(version, metadata.resourceVersion);
  // Of another uid: the object that came after this one, or that this one came after. An object that is no longer selected can come back.
  const isLater = (compareResourceVersions(metadata.resourceVersion, version) ?? 1) > 0;
  return isLater && (metadata.uid !== deletedUid || !exists);
}

/** Returns true if a version is certainly newer than another one; anything is newer than nothing. */
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
 * Orders two resource versions of one kind: negative if `a` is older, 0 for the same, positive if it is newer. Undefined if they cannot be ordered.
 * Versions are decimal numbers that grow with each write. Source: KEP-5504 "Comparable Resource Version".
 */
function compareResourceVersions(a: string, b: string): number | undefined {
  if (!isNumeric(a) || !isNumeric(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Decimal digits without leading zeros. They can be more than a JavaScript number holds. */
function isNumeric(version: string): boolean {
  return /^[1-9]\d*$/.test(version);
}

/** Keys of objects of type `T` by what they are found by. */
class KeyIndex<T> {
  readonly name: string;
  readonly #keysOf: (object: T) => readonly string[];
  readonly #entries = new Map<string, Set<string>>();

  constructor(name: string, keysOf: (object: T) => readonly string[]) {
    this.name = name;
    this.#keysOf = keysOf;
  }

  /** The same index without objects. */
  empty(): KeyIndex<T> {
    return new KeyIndex(this.name, this.#keysOf);
  }

  /** Keys of the objects that are found by this one. */
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
