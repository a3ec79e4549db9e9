import {
  isObject,
  listOf,
  objectOf,
  type JsonObject,
  foregroundFinalizer,
  orphanFinalizer,
} from '../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../base/util/json-map.ts';
import { ignoredByMain, type ServedKind, type KindRegistry } from './kinds/served-kind.ts';
import { trackUpdate } from './apply/field-manager.ts';
import type { Deleter } from './requests/deleter.ts';
import { seconds, type Namespaces } from './requests/write-parts.ts';
import { collectionId, objectKey } from './requests/route.ts';
import type { ObjectStore } from './store.ts';

interface Item {
  readonly kind: ServedKind;
  readonly object: JsonObject;
  readonly metadata: JsonObject;
}

/**
 * Performs the work of kube-controller-manager for owners and namespaces: deletes objects whose owners no longer exist, finishes foreground
 * and orphan deletions, and empties namespaces under deletion. Source: kubernetes `pkg/controller/garbagecollector`,
 * `pkg/controller/namespace`.
 */
export class GarbageCollector {
  readonly #store: ObjectStore;
  readonly #kinds: KindRegistry;
  readonly #deleter: Deleter;
  readonly #namespaces: Namespaces;
  readonly #today: () => Date;

  constructor(
    store: ObjectStore,
    kinds: KindRegistry,
    deleter: Deleter,
    namespaces: Namespaces,
    today: () => Date,
  ) {
    this.#today = today;
    this.#store = store;
    this.#kinds = kinds;
    this.#deleter = deleter;
    this.#namespaces = namespaces;
  }

  /**
   * Runs one round of garbage collection.
   * @returns true if anything was changed
   */
  run(): boolean {
    const before = this.#store.revision;
    for (const item of this.#items()) this.#finish(item);
    for (const item of this.#items()) this.#collect(item);
    this.#emptyNamespaces();
    return this.#store.revision !== before;
  }

  #items(): readonly Item[] {
    return [...this.#store.collections.keys()].flatMap((id) => {
      const kind = this.#kinds.ofCollection(id);
      if (kind === undefined) return [];
      return this.#store
        .list(id)
        .map(([, object]) => ({ kind, object, metadata: objectOf(object['metadata']) }));
    });
  }

  /** Finishes the deletion of an owner that waits for its dependents. */
  #finish(item: Item): void {
    const { metadata } = item;
    if (metadata['deletionTimestamp'] === undefined) return;
    const finalizers = listOf(metadata['finalizers']);
    if (finalizers.includes(orphanFinalizer)) {
      for (const dependent of this.#dependentsOf(item))
        this.#removeOwners(dependent, (uid) => uid === metadata['uid']);
      this.#removeFinalizer(item, orphanFinalizer);
    } else if (finalizers.includes(foregroundFinalizer)) {
      const dependents = this.#dependentsOf(item);
      const blocking = dependents.filter((dependent) =>
        ownersOf(dependent).some(
          (owner) => owner['uid'] === metadata['uid'] && owner['blockOwnerDeletion'] === true,
        ),
      );
      if (blocking.length === 0) this.#removeFinalizer(item, foregroundFinalizer);
    }
  }

  #collect(item: Item): void {
    const owners = ownersOf(item);
    const current = this.#now(item);
    if (owners.length === 0 || current === undefined) return;
    const states = owners.map((owner) => ({
      uid: jsonTextOf(owner['uid']),
      owner: this.#ownerOf(owner, item),
    }));
    if (states.some(({ owner }) => owner === 'unknown')) return;
    const solid = states.filter(({ owner }) => typeof owner === 'object' && !isWaiting(owner));
    const waiting = states.filter(({ owner }) => typeof owner === 'object' && isWaiting(owner));
    const isDeleting = objectOf(current['metadata'])['deletionTimestamp'] !== undefined;
    if (solid.length > 0) {
      const kept = new Set(solid.map(({ uid }) => uid));
      if (kept.size < owners.length) this.#removeOwners(item, (uid) => !kept.has(uid));
      return;
    }
    if (isDeleting) return;
    if (waiting.length > 0) {
      const hasDependents = this.#dependentsOf(item).length > 0;
      this.#deleter.collect(
        item.kind,
        current,
        hasDependents ? 'Foreground' : policyOf(current, 'Foreground'),
      );
    } else this.#deleter.collect(item.kind, current, policyOf(current, 'Background'));
  }

  #ownerOf(reference: JsonObject, { metadata }: Item): JsonObject | 'absent' | 'unknown' {
    const kind = this.#kinds.ofType(jsonTextOf(reference['apiVersion']), jsonTextOf(reference['kind']));
    if (kind === undefined) return 'unknown';
    const namespace = kind.namespaced ? jsonTextOf(metadata['namespace']) : '';
    const owner = this.#store.get(collectionId(kind), objectKey(namespace, jsonTextOf(reference['name'])));
    return owner !== undefined && objectOf(owner['metadata'])['uid'] === reference['uid'] ? owner : 'absent';
  }

  #dependentsOf({ metadata, kind }: Item): readonly Item[] {
    return this.#items().filter(
      (item) =>
        (!kind.namespaced || item.metadata['namespace'] === metadata['namespace']) &&
        ownersOf(item).some(({ uid }) => uid === metadata['uid']),
    );
  }

  #now({ kind, metadata }: Item): JsonObject | undefined {
    return this.#store.get(
      collectionId(kind),
      objectKey(jsonTextOf(metadata['namespace']), jsonTextOf(metadata['name'])),
    );
  }

  #removeOwners(item: Item, isRemoved: (uid: string) => boolean): void {
    this.#change(item, (metadata) => {
      const left = listOf(metadata['ownerReferences']).filter(
        (owner) => !isRemoved(jsonTextOf(objectOf(owner)['uid'])),
      );
      return { ...metadata, ownerReferences: left };
    });
  }

  #removeFinalizer(item: Item, finalizer: string): void {
    this.#change(item, (metadata) => ({
      ...metadata,
      finalizers: listOf(metadata['finalizers']).filter((each) => each !== finalizer),
    }));
  }

  #change(item: Item, change: (metadata: JsonObject) => JsonObject): void {
    const current = this.#now(item);
    if (current === undefined) return;
    const metadata = change(objectOf(current['metadata']));
    for (const name of ['finalizers', 'ownerReferences'])
      if (listOf(metadata[name]).length === 0) delete metadata[name];
    const { kind } = item;
    const key = objectKey(jsonTextOf(metadata['namespace']), jsonTextOf(metadata['name']));
    const isGone = metadata['deletionTimestamp'] !== undefined && metadata['finalizers'] === undefined;
    if (isGone && this.#namespaces.mayGo(kind, jsonTextOf(metadata['name'])))
      this.#store.remove(collectionId(kind), key);
    else this.#store.put(collectionId(kind), key, this.#tracked(kind, current, { ...current, metadata }));
  }

  #tracked(kind: ServedKind, before: JsonObject, now: JsonObject): JsonObject {
    return trackUpdate(before, now, {
      schema: kind.schema,
      apiVersion: kind.apiVersion,
      manager: 'kube-controller-manager',
      subresource: '',
      ignored: ignoredByMain(kind),
      now: seconds(this.#today()),
    });
  }

  #emptyNamespaces(): void {
    for (const namespace of this.#namespaces.terminating) {
      const content = this.#items().filter(({ metadata }) => metadata['namespace'] === namespace);
      for (const item of content) {
        const current = this.#now(item);
        if (current !== undefined && objectOf(current['metadata'])['deletionTimestamp'] === undefined)
          this.#deleter.collect(item.kind, current, 'Background');
      }
      if (this.#items().some(({ metadata }) => metadata['namespace'] === namespace)) continue;
      const object = this.#store.get('/namespaces', namespace);
      const finalizers = listOf(objectOf(object?.['metadata'])['finalizers']);
      if (object !== undefined && finalizers.length === 0) this.#store.remove('/namespaces', namespace);
    }
  }
}

function ownersOf({ metadata }: Pick<Item, 'metadata'>): readonly JsonObject[] {
  return listOf(metadata['ownerReferences']).filter(isObject);
}

/** Returns true for an owner under foreground deletion, which is removed after its dependents. */
function isWaiting(owner: JsonObject): boolean {
  const { deletionTimestamp, finalizers } = objectOf(owner['metadata']);
  return deletionTimestamp !== undefined && listOf(finalizers).includes(foregroundFinalizer);
}

/**
 * Returns the deletion policy of an object: the policy that a finalizer of the garbage collector on the object requires, or `otherwise`
 * without such a finalizer.
 */
function policyOf(object: JsonObject, otherwise: string): string {
  const finalizers = listOf(objectOf(object['metadata'])['finalizers']);
  if (finalizers.includes(orphanFinalizer)) return 'Orphan';
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : otherwise;
}
