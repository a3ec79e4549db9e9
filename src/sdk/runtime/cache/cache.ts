import type { Resource } from '../../api/index.ts';
import { FindingList, messageOf, OpSdkError } from '../../../base/errors/index.ts';
import { parseKey, isExpired, isForbidden, isTypeNotServed, type ReflectorState } from '../../kube/index.ts';
import type { Clock } from '../../net/index.ts';
import type { Logger } from '../create-logger.ts';
import { processTurn, type Turn } from '../yielding.ts';
import { type Index, type CachedKind, resourceName } from './cached-reader.ts';
import { type Informer, type RunReflector, syncFindings } from './informer.ts';
import { KindCache } from './kind-cache.ts';
import type { CachedObject } from './store.ts';

export interface CacheOptions {
  readonly reflect: RunReflector;
  /** Namespaces to watch; undefined for all. Cluster-scoped kinds are always watched. */
  readonly namespaces?: readonly string[] | undefined;
  /** Selections for the kinds of which the cache holds only some objects or parts. */
  readonly kinds?: readonly CachedKind[] | undefined;
  /** Bytes that objects of this process can take; a kind that takes half of it is logged. Default: none is logged. */
  readonly heapLimit?: number | undefined;
  readonly log: Logger;
  readonly clock: Clock;
  readonly turn?: Turn;
}

/** Caches the declared kinds. Each kind is listed and watched once, and all controllers share the result. */
export class Cache {
  readonly #options: CacheOptions;
  readonly #kinds = new Map<string, KindCache>();
  readonly #indexes: Index[] = [];
  #namespaces: readonly string[] | undefined;
  /** Signal that ends all lists and watches; undefined before the start. */
  #signal: AbortSignal | undefined;
  #onDefect: (error: unknown) => void = () => undefined;
  readonly #running = new Set<Promise<void>>();
  /** Informers whose watch was lost and has not recovered yet, or whose optional kind is absent. Each was logged once for each. */
  readonly #lost = new Map<Informer, 'lost' | 'absent'>();

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#namespaces = unique(options.namespaces);
  }

  /** The watched namespaces; undefined for all. */
  get namespaces(): readonly string[] | undefined {
    return this.#namespaces;
  }

  get started(): boolean {
    return this.#signal !== undefined;
  }

  /**
   * Declares a kind to watch. Must be called before `start`.
   *
   * @throws OpSdkError `runtime/metadata-alone`
   */
  declare(resource: Resource): KindCache {
    const id = cacheName(resource);
    const known = this.#kinds.get(id);
    known?.declared(resource);
    if (known !== undefined) return known;
    const { kinds = [], heapLimit = Infinity, log, clock, turn = processTurn } = this.#options;
    const name = resourceName(resource);
    const selection = kinds.find((each) => resourceName(each.resource) === name)?.selection ?? {};
    if (selection.metadataOnly === true && resource.metadataOnly !== true) throw metadataAlone(resource);
    const kind = new KindCache({
      resource,
      // A transform needs complete objects, so it is not applied to a metadata-only kind.
      selection:
        resource.metadataOnly === true
          ? { ...selection, metadataOnly: true, transform: undefined }
          : selection,
      namespaces: this.#namespaces,
      turn,
      clock,
      // Half of the memory, as the heap takes 1.5 bytes for each byte of JSON: see `heavy-kind.ts`.
      heavyAt: heapLimit / 3,
      onHeavy: (bytes) =>
        void import('./heavy-kind.ts').then(({ warnOf }) => warnOf(kind, bytes, heapLimit, log)),
      onIndexError: (index, { metadata: { namespace, name } }, error) =>
        log.error(
          { index: index.name, kind: resource.kind, namespace, name, error },
          'Index function failed',
        ),
    });
    kind.declared(resource);
    this.#kinds.set(id, kind);
    for (const index of this.#indexes) if (cacheName(index.resource) === id) kind.addIndex(index);
    return kind;
  }

  /**
   * Adds an index for a kind. The kind may be declared before or after this call. Must be called before `start`.
   *
   * @throws OpSdkError `runtime/duplicate-index`
   */
  addIndex(index: Index): void {
    if (this.#indexes.includes(index)) return;
    const id = cacheName(index.resource);
    const isTaken = this.#indexes.some((each) => each.name === index.name && cacheName(each.resource) === id);
    if (!isTaken) {
      this.#indexes.push(index);
      this.#kinds.get(id)?.addIndex(index);
      return;
    }
    throw new OpSdkError({
      code: 'runtime/duplicate-index',
      message: `${index.resource.kind} has two indexes of the name ${index.name}`,
      fix: [
        'give each index of a kind its own name; to use one index in several places, share one value of defineIndex',
      ],
    });
  }

  /**
   * Returns the cache of a declared kind.
   *
   * @throws OpSdkError `runtime/undeclared-kind`
   */
  kindOf(resource: Resource): KindCache {
    const kind = this.#kinds.get(cacheName(resource));
    if (kind !== undefined) return kind;
    throw new OpSdkError({
      code: 'runtime/undeclared-kind',
      message: `${resource.kind} (${resourceName(resource)}) is read from the cache, but no controller declares it`,
      fix: [
        `add it to \`owns\` or \`watches\` of the controller, so that it is watched and changes cause a reconcile`,
        'or read it from the API server with client.live',
      ],
    });
  }

  /** Returns the declared caches of the kind: the cache of complete objects and the cache of metadata. */
  declared(resource: Resource): readonly KindCache[] {
    const name = resourceName(resource);
    return [this.#kinds.get(name), this.#kinds.get(`${name} metadata`)].filter((kind) => kind !== undefined);
  }

  /** Returns the current object of a declared kind. Returns undefined if the object does not exist, or while the kind is not synced. */
  lookUp(resource: Resource, key: string): CachedObject | undefined {
    return this.kindOf(resource).get(parseKey(key));
  }

  /** Returns true if an object of a declared kind is not in the cache, and not only because its kind is being listed again. */
  isAbsent(resource: Resource, text: string): boolean {
    const kind = this.kindOf(resource);
    const key = parseKey(text);
    return kind.get(key) === undefined && kind.informersOf(key.namespace).every(({ hasSynced }) => hasSynced);
  }

  /**
   * Refuses an index or an option for a kind that no controller declares. Without this check, the kind of an index would be watched
   * silently, and the option would have no effect.
   *
   * @throws OpSdkError `runtime/undeclared-kind` with one finding for each kind
   */
  checkDeclared(): void {
    const findings = new FindingList();
    const check = (resource: Resource, what: string): void => {
      if (this.declared(resource).length > 0) return;
      findings.add({
        code: 'runtime/undeclared-kind',
        message: `${what} is of ${resource.kind} (${resourceName(resource)}), but no controller declares that kind`,
        fix: [`add the kind to \`owns\` or \`watches\` of a controller, or remove ${what}`],
      });
    };
    for (const { resource, name } of this.#indexes) check(resource, `the index ${name}`);
    for (const { resource } of this.#options.kinds ?? []) check(resource, 'an entry of `cache`');
    findings.throwIfAny();
  }

  /**
   * Starts all lists and watches. The promise resolves after the signal aborts. It rejects if a reflector or listener throws an unexpected
   * error.
   */
  async start(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    const defect = new Promise<never>((_, reject) => (this.#onDefect = reject));
    defect.catch(() => undefined);
    for (const informer of this.informers) this.#run(informer, signal);
    const allEnded = async (): Promise<void> => {
      // Repeats the wait, because a namespace that is added later adds a list and watch to `#running`.
      while (this.#running.size > 0) await Promise.all(this.#running);
    };
    const aborted = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([aborted.then(allEnded), defect]);
  }

  /**
   * Changes the watched namespaces; undefined for all. Has no effect on cluster-scoped kinds and kinds with their own namespace selection.
   * Objects of other namespaces are no longer read or reconciled; they are not reported as deleted.
   *
   * @returns the new informers, which are not synced yet
   */
  setNamespaces(namespaces: readonly string[] | undefined): readonly Informer[] {
    this.#namespaces = unique(namespaces);
    const added = [...this.#kinds.values()].flatMap((kind) => kind.setNamespaces(this.#namespaces));
    const signal = this.#signal;
    if (signal !== undefined) for (const informer of added) this.#run(informer, signal);
    return added;
  }

  /**
   * Waits for the first complete list of each informer.
   *
   * @param timeout milliseconds
   * @param informers default: all
   * @throws OpSdkError `runtime/cache-not-synced` with the reason for each kind that is not synced; the signal's reason
   */
  async waitForSync(timeout: number, signal: AbortSignal, informers = this.informers): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const settle = (end: () => void) => (): void => {
        cancel();
        signal.removeEventListener('abort', aborted);
        end();
      };
      const aborted = settle(() => reject(signal.reason as Error));
      const late = settle(() => {
        const missing = informers.filter((informer) => !informer.hasSynced);
        reject(new OpSdkError(syncFindings(missing, timeout), { cause: missing[0]?.state.error }));
      });
      const cancel = this.#options.clock.after(timeout, late);
      signal.addEventListener('abort', aborted);
      if (signal.aborted) aborted();
      // An informer that is stopped during the wait is no longer awaited.
      const synced = informers.map((informer) => informer.synced.catch(() => undefined));
      void Promise.all(synced).then(settle(resolve));
    });
  }

  /** Informers without a first complete list, or whose kind the API server now refuses. Optional kinds may be absent. */
  get unsynced(): readonly Informer[] {
    return this.informers.filter(({ isReady }) => !isReady);
  }

  get kinds(): readonly KindCache[] {
    return [...this.#kinds.values()];
  }

  get informers(): readonly Informer[] {
    return this.kinds.flatMap(({ informers }) => informers);
  }

  #run(informer: Informer, signal: AbortSignal): void {
    const running = informer
      .run(this.#options.reflect, (before, now) => this.#report(informer, before, now), signal)
      .catch((error: unknown) => this.#onDefect(error))
      .finally(() => {
        this.#running.delete(running);
        this.#lost.delete(informer);
      });
    this.#running.add(running);
  }

  /** Logs one warning when a watch is lost, regardless of the number of retries, and one line when the watch works again. */
  #report(informer: Informer, before: ReflectorState, { error }: ReflectorState): void {
    const { log } = this.#options;
    const fields = { resource: resourceName(informer.resource), namespace: informer.namespace };
    if (error === undefined) {
      if (this.#lost.delete(informer)) log.info(fields, 'Listing and watching again');
      return;
    }
    if (informer.isAbsent && !isForbidden(error)) {
      if (!this.#lost.has(informer)) log.info(fields, 'Kind not served; going on without it');
      this.#lost.set(informer, 'absent');
      return;
    }
    // Each new error is logged for diagnosis.
    if (error.message !== before.error?.message) log.debug({ ...fields, error }, 'Failed to list and watch');
    // An expired resource version is not logged as a lost watch, because the kind is only listed again.
    if (this.#lost.get(informer) === 'lost' || isExpired(error)) return;
    const isMissing = isTypeNotServed(error);
    // The first failure for a missing kind is not logged as a lost watch, because a kind that was just installed is served at the next try.
    if (isMissing && !(before.error !== undefined && isTypeNotServed(before.error))) return;
    this.#lost.set(informer, 'lost');
    // A missing kind is an error, because it stays unavailable until its CRD is installed.
    const level = isMissing ? 'error' : 'warn';
    log[level]({ ...fields, reason: messageOf(error) }, 'Failed to list and watch');
  }
}

/** Returns the key of a kind in the cache; a kind and its metadata-only form have different keys. */
function cacheName(resource: Resource): string {
  return resource.metadataOnly === true ? `${resourceName(resource)} metadata` : resourceName(resource);
}

function metadataAlone({ kind }: Resource): OpSdkError {
  return new OpSdkError({
    code: 'runtime/metadata-alone',
    message: `the cache holds only the metadata of ${kind}, but a controller declares the whole kind`,
    fix: [
      `declare metadataOnly(${kind}) in the controller`,
      `or remove metadataOnly from cached(${kind}, …)`,
    ],
  });
}

function unique(namespaces: readonly string[] | undefined): readonly string[] | undefined {
  return namespaces === undefined ? undefined : [...new Set(namespaces)];
}
