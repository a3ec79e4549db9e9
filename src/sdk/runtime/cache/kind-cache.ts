import { metadataOnly, type Resource, type KubeObject } from '../../api/index.ts';
import { keyText, type ObjectKey } from '../../kube/index.ts';
import type { Clock } from '../../net/index.ts';
import type { CacheState } from '../metrics/index.ts';
import type { Turn } from '../yielding.ts';
import { frozenCopy } from '../deep-freeze.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import { LabelSelectorError, labelsMatch, parseLabelSelector } from '../../../base/util/label-selector.ts';
import { AppliedFields } from './applied-fields.ts';
import type { Index, Selection } from './cached-reader.ts';
import { Informer, type ChangeListener } from './informer.ts';
import type { CachedObject } from './store.ts';

/** Name of the index that lists the objects of one namespace. */
const byNamespace = 'metadata.namespace';

interface KindCacheOptions {
  readonly resource: Resource;
  readonly selection: Selection;
  /** Namespaces to watch; undefined for all. */
  readonly namespaces: readonly string[] | undefined;
  readonly turn: Turn;
  readonly clock: Clock;
  /** Size of the objects at which `onHeavy` is called, in bytes of JSON. Default: it is never called. */
  readonly heavyAt?: number | undefined;
  /**
   * Called once, when the objects have reached the size `heavyAt`, including those of a list that is arriving.
   *
   * @param bytes their size
   */
  readonly onHeavy?: (bytes: number) => void;
  /** Reports an error thrown by a function of an index. */
  onIndexError(index: Index, object: CachedObject, error: unknown): void;
}

/** Cache of one declared kind. Contains one informer for each watched namespace, and the listeners for changes of the kind. */
export class KindCache {
  readonly resource: Resource;
  readonly selection: Selection;
  /** Fields that this operator has applied to objects of this kind. */
  readonly applied = new AppliedFields();
  readonly #options: KindCacheOptions;
  readonly #listeners: ChangeListener[] = [];
  readonly #indexes = new Map<string, Index>();
  readonly #matches: (labels: Readonly<Record<string, string>> | undefined) => boolean;
  readonly #servedListeners: (() => void)[] = [];
  #informers: readonly Informer[] = [];
  /** True while every declaration of the kind says `ifServed`. */
  #isOptional = true;
  /** The last known value of `isServed`; undefined before the first list. */
  #wasServed: boolean | undefined;
  /** Number of watches that were established again, including those of namespaces that are no longer watched. */
  #restarts = 0;
  /** True once `onHeavy` was called. */
  #isHeavy = false;

  constructor(options: KindCacheOptions) {
    this.resource = options.resource;
    this.selection = options.selection;
    this.#options = options;
    this.#matches = labelTest(options.selection.labelSelector ?? '');
    this.listen((change) => {
      if (change.type === 'delete') this.applied.forget(keyText(change.object.metadata));
      this.#checkSize();
    });
    this.setNamespaces(options.namespaces);
  }

  get informers(): readonly Informer[] {
    return this.#informers;
  }

  /** Estimated size of the objects, in bytes of JSON. */
  get bytes(): number {
    return this.#informers.reduce((sum, { store }) => sum + store.bytes, 0);
  }

  /** The watched namespaces; undefined for all, or for a cluster-scoped kind. */
  get namespaces(): readonly string[] | undefined {
    const names = this.#informers.map(({ namespace }) => namespace);
    return names.includes(undefined) ? undefined : names.filter((name) => name !== undefined);
  }

  /**
   * True if the API server serves the kind, and its objects are in the cache. Namespaces whose first list is not complete do not count,
   * because reads wait for them.
   */
  get isServed(): boolean {
    const known = this.#informers.filter(({ hasSynced }) => hasSynced);
    return known.length === 0 ? this.#wasServed === true : known.every(({ isServed }) => isServed);
  }

  /** Takes note of a declaration of the kind: one without `ifServed` makes it required. */
  declared({ ifServed }: Resource): void {
    if (ifServed !== true) this.#isOptional = false;
  }

  /** @param listener called when an optional kind has come, or has gone; must neither throw nor block */
  listenServed(listener: () => void): void {
    this.#servedListeners.push(listener);
  }

  /** @param listener called for every later change of an object of the kind; must neither throw nor block */
  listen(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  /** Adds an index to all current and later informers. */
  addIndex(index: Index): void {
    this.#indexes.set(index.name, index);
    for (const informer of this.#informers) this.#keep(index, informer);
  }

  /** Returns the combined state of all namespaces, for metrics. */
  state(): Omit<CacheState, 'kind'> {
    const all = this.#informers;
    return {
      synced: all.every(({ isReady }) => isReady),
      objects: all.reduce((sum, { store }) => sum + store.size, 0),
      bytes: this.bytes,
      restarts: this.#restarts,
      interrupted: Math.max(0, ...all.map(({ interrupted }) => interrupted)) / 1000,
    };
  }

  /**
   * Changes the watched namespaces. Has no effect on a cluster-scoped kind, or on a kind with its own namespaces. Stops the informers of
   * namespaces that are no longer watched.
   *
   * @returns the new informers, which are not started yet
   */
  setNamespaces(namespaces: readonly string[] | undefined): readonly Informer[] {
    const all: readonly (string | undefined)[] = [undefined];
    const wanted = this.resource.namespaced ? (this.selection.namespaces ?? namespaces ?? all) : all;
    const kept = this.#informers.filter(({ namespace }) => wanted.includes(namespace));
    const added = [...new Set(wanted)]
      .filter((namespace) => !kept.some((informer) => informer.namespace === namespace))
      .map((namespace) => this.#informer(namespace));
    for (const informer of this.#informers) if (!kept.includes(informer)) informer.stop();
    this.#informers = [...kept, ...added];
    this.#checkServed();
    return added;
  }

  /** Returns the informers that cover the namespace. Without a namespace, returns all informers. */
  informersOf(namespace: string | undefined): readonly Informer[] {
    if (namespace === undefined) return this.#informers;
    return this.#informers.filter((each) => each.namespace === undefined || each.namespace === namespace);
  }

  /** Returns the current object. Returns undefined if the object does not exist, or while the kind is not synced. */
  get(key: ObjectKey): CachedObject | undefined {
    return this.informersOf(key.namespace)[0]?.store.get(keyText(key));
  }

  /**
   * Returns true if the kind is synced and the cache shows the state of the object completely: it holds the complete object, or the object
   * certainly does not exist.
   */
  hasWhole(key: ObjectKey): boolean {
    const { metadataOnly, transform, labelSelector, fieldSelector } = this.selection;
    const isCut = metadataOnly === true || transform !== undefined;
    const isSelected = labelSelector !== undefined || fieldSelector !== undefined;
    // A kind that has just come is absent from the cache for up to a minute.
    const informer = this.informersOf(key.namespace)[0];
    if (isCut || informer?.hasSynced !== true || informer.isAbsent) return false;
    // With a selector, an object that is not in the cache may still exist.
    return !isSelected || this.get(key) !== undefined;
  }

  /** Returns all objects of an informer, or only those of one namespace, with their keys. */
  entries(informer: Informer, namespace: string | undefined): Iterable<[string, CachedObject]> {
    const { store } = informer;
    if (namespace === undefined || informer.namespace !== undefined) return store.entries();
    const found = store.byIndex(byNamespace, namespace);
    if (found !== undefined) return found;
    store.addIndex(byNamespace, ({ metadata }) => [metadata.namespace ?? '']);
    return store.byIndex(byNamespace, namespace) ?? [];
  }

  /** Returns the objects that a declared index maps to a key; undefined if the index is not declared. */
  byIndex(index: Index, key: string, namespace: string | undefined): [string, CachedObject][] | undefined {
    if (this.#indexes.get(index.name) !== index) return undefined;
    const found = this.informersOf(namespace).flatMap(
      ({ store }) => store.byIndex(`index ${index.name}`, key) ?? [],
    );
    return namespace === undefined
      ? found
      : found.filter(([, object]) => object.metadata.namespace === namespace);
  }

  /** Makes the result of a write by this operator visible to readers. */
  wrote(object: CachedObject): void {
    const { namespace, uid } = object.metadata;
    const informer = this.informersOf(namespace)[0];
    // The object would stay in the cache if the kind goes before it is listed.
    if (informer?.isAbsent === true) return;
    const store = informer?.store;
    // After the removal of an object's last finalizer, the answer contains the version before that removal.
    if (isGone(object)) return store?.removed(keyText(object.metadata), uid);
    if (store?.isNewer(object) !== true) return;
    const visible = visibleWrite(object, this.selection, this.#matches);
    if (visible !== 'unknown') store.wrote(object, visible);
  }

  /** Hides an object that this operator has deleted from readers. */
  removed(key: ObjectKey, uid: string): void {
    this.informersOf(key.namespace)[0]?.store.removed(keyText(key), uid);
  }

  #informer(namespace: string | undefined): Informer {
    const { resource, selection, turn, clock } = this.#options;
    const { labelSelector, fieldSelector, transform } = selection;
    const informer = new Informer({
      scope: {
        resource: selection.metadataOnly === true ? metadataOnly(resource) : resource,
        namespace,
        labelSelector,
        fieldSelector,
        transform,
      },
      tell: (change, info) => {
        for (const listener of this.#listeners) listener(change, info);
      },
      isOptional: () => this.#isOptional,
      servedChanged: () => {
        this.#wasServed = this.isServed;
        for (const listener of this.#servedListeners) listener();
      },
      listing: (bytes) => this.#checkSize(bytes),
      rewatched: () => void (this.#restarts += 1),
      turn,
      clock,
    });
    for (const index of this.#indexes.values()) this.#keep(index, informer);
    informer.synced.then(
      () => this.#checkServed(),
      () => undefined,
    );
    return informer;
  }

  /** @param listing size of the part of a list that has arrived, which is in memory beside the objects */
  #checkSize(listing = 0): void {
    const bytes = this.bytes + listing;
    if (this.#isHeavy || bytes < (this.#options.heavyAt ?? Infinity)) return;
    this.#isHeavy = true;
    this.#options.onHeavy?.(bytes);
  }

  /** Tells listeners if the namespaces that are watched now give another answer to whether the kind is served. */
  #checkServed(): void {
    if (this.#informers.length > 0 && this.#informers.every(({ hasSynced }) => !hasSynced)) return;
    const before = this.#wasServed;
    this.#wasServed = this.isServed;
    if (before === undefined || before === this.#wasServed) return;
    for (const listener of this.#servedListeners) listener();
  }

  #keep(index: Index, { store }: Informer): void {
    const failed = new WeakSet<CachedObject>();
    store.addIndex(`index ${index.name}`, (object) => {
      try {
        const keys = index.keysOf(object) ?? [];
        return typeof keys === 'string' ? [keys] : keys;
      } catch (error) {
        // The function of the index is called again when the object is removed from the index, so each error is reported only once per
        // object.
        if (!failed.has(object)) this.#options.onIndexError(index, object, error);
        failed.add(object);
        return [];
      }
    });
  }
}

/**
 * Returns true if the object in the answer to a write no longer exists, because the write removed the last finalizer of an object under
 * deletion.
 */
function isGone({ metadata }: CachedObject): boolean {
  return (
    metadata.deletionTimestamp !== undefined &&
    (metadata.finalizers ?? []).length === 0 &&
    (metadata.deletionGracePeriodSeconds ?? 0) === 0
  );
}

/**
 * Predicts how the watch will show an object after a write. Returns a frozen copy, undefined if the selection no longer matches the object,
 * or `unknown` if only the API server can determine it.
 */
function visibleWrite(
  object: CachedObject,
  { fieldSelector, metadataOnly, transform }: Selection,
  matchesLabels: (labels: Readonly<Record<string, string>> | undefined) => boolean,
): CachedObject | undefined | 'unknown' {
  if (fieldSelector !== undefined) return 'unknown';
  const { metadata } = object;
  if (!matchesLabels(metadata.labels)) return undefined;
  const { managedFields: _, ...kept } = metadata;
  const { apiVersion, kind } = object;
  const part = metadataOnly === true ? { apiVersion, kind, metadata: kept } : { ...object, metadata: kept };
  if (transform === undefined) return frozenCopy(part);
  return frozenCopy(transform(structuredClone(part) as KubeObject)) as CachedObject;
}

/**
 * Parses a label selector in the API's text form. Returns a function that tests labels in the same way as the API server.
 *
 * @throws OpSdkError `runtime/invalid-selector`
 */
export function labelTest(
  selector: string,
): (labels: Readonly<Record<string, string>> | undefined) => boolean {
  try {
    const requirements = parseLabelSelector(selector);
    return (labels) => labelsMatch(requirements, labels);
  } catch (error) {
    if (!(error instanceof LabelSelectorError)) throw error;
    throw new OpSdkError({
      code: 'runtime/invalid-selector',
      message: `invalid label selector ${JSON.stringify(selector)}: ${error.message}`,
      fix: [
        'write key=value, key!=value, key in (a, b), key notin (a, b), key>1, key<2, key or !key, separated by commas',
      ],
    });
  }
}
