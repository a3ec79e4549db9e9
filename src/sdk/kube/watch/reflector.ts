import type { KubeObject, Resource } from '../../api/index.ts';
import {
  isExpired,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isForbidden,
  isUnauthorized,
} from '../client/api-error.ts';
import type { Connection } from '../client/connection.ts';
import { listPages } from '../client/list-pages.ts';
import { TransportError } from '../transport/transport-error.ts';
import { type Clock, toError, pause, systemClock } from '../../net/index.ts';
import {
  defaultReflectorSettings,
  type ReflectorSettings,
  Recovery,
  isRefusal,
  mayMeanNoWatchList,
  remedyFor,
  InitialEvents,
  stripManagedFields,
} from './recovery.ts';
import { runWatch, type WatchEnd, type WatchEvent } from './run-watch.ts';

/**
 * Receives the listed objects and each change from a reflector. Both functions must return quickly and must not throw. They may modify the
 * passed objects.
 */
export interface ReflectorHandler<T extends KubeObject = KubeObject> {
  /** Replaces all objects by the new list. Objects that are not in `objects` no longer exist. */
  replace(objects: T[], resourceVersion: string): void;
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void;
  /** Called while a list arrives, with the number of bytes so far: the list is in memory, and not complete yet. */
  listing?(bytes: number): void;
  /**
   * Called with true when a watch that follows a complete list is established, and with false when this watch has ended. An end is regular
   * every few minutes.
   */
  watching?(isEstablished: boolean): void;
}

export interface ReflectorState {
  /** True after the first complete list was delivered. False again if the server refuses the type (403, 404). */
  readonly synced: boolean;
  /** Failure of the last list or watch; undefined after a success. While `synced` is true, the reflector retries by itself. */
  readonly error?: Error;
}

export interface ReflectorOptions<T extends KubeObject = KubeObject> {
  readonly connection: Connection;
  readonly resource: Resource<T>;
  /** Namespace to watch. Default: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly handler: ReflectorHandler<T>;
  /** Called for every change of the state and for each failure. */
  readonly onState?: (state: ReflectorState) => void;
  /** Changes each object before it is delivered. Runs after the removal of `metadata.managedFields`. */
  readonly transform?: ((object: T) => T) | undefined;
  readonly settings?: Partial<ReflectorSettings>;
  readonly clock?: Clock;
  /** Returns a random number in [0, 1). */
  readonly random?: () => number;
}

/**
 * Mirrors all objects of one kind: passes a complete list to the handler, and then each change, until the signal aborts. Uses streaming
 * lists (WatchList) and falls back to LIST. Needs no new list after a restart of the API server. Follows client-go's reflector.
 */
export class Reflector<T extends KubeObject = KubeObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #settings: ReflectorSettings;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #recovery: Recovery;
  readonly #transform: (object: T) => T;
  #state: ReflectorState = { synced: false };
  /** Last resource version up to which all changes were delivered; `''` before the first list. */
  #resourceVersion = '';
  /** True if the server no longer has `#resourceVersion`, or does not have it yet. The next list must not request that version. */
  #distrustVersion = false;
  #needsList = true;
  #noWatchList = false;
  #internalErrorsSince: number | undefined;
  /** Error that a handler or transform threw. */
  #defect: Error | undefined;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#settings = { ...defaultReflectorSettings, ...options.settings };
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#recovery = new Recovery(this.#settings, this.#clock, this.#random);
    const { transform } = options;
    this.#transform =
      transform === undefined ? stripManagedFields : (object) => transform(stripManagedFields(object));
  }

  get state(): ReflectorState {
    return this.#state;
  }

  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  /**
   * Lists and watches until the signal aborts, then resolves. Delivers nothing after the abort. Reports failures of the server through
   * `onState` and retries with back-off.
   *
   * @throws errors of the handler or the transform, because objects would be missing or out of date after such an error
   */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let failure: Error | undefined;
      try {
        failure = await this.#step(signal);
      } catch (error) {
        failure = toError(error);
      }
      if (this.#defect !== undefined) throw this.#defect;
      if (this.#recovery.stepEnded()) this.#options.handler.watching?.(false);
      if (signal.aborted || failure === undefined) continue;
      this.#setState({ synced: this.#state.synced && !isRefusal(failure), error: failure });
      const delay = this.#recovery.delayAfter(failure);
      if (delay > 0) await pause(this.#clock, delay, signal);
    }
  }

  /**
   * Runs one list or one watch. Returns or throws the failure that requires a back-off. Returns undefined if the next list or watch can
   * start immediately.
   */
  async #step(signal: AbortSignal): Promise<Error | undefined> {
    if (!this.#needsList) return this.#watch(signal);
    return this.#noWatchList ? this.#list(signal) : this.#watchList(signal);
  }

  async #watch(signal: AbortSignal): Promise<Error | undefined> {
    const seconds = this.#watchSeconds();
    const from = this.#resourceVersion;
    // A watch without a start version first sends the existing objects in random order. Until an event other than ADDED arrives, their
    // versions are not usable as the start of the next watch.
    let ordered = from !== '' && from !== '0';
    try {
      const end = await this.#runWatch(
        seconds,
        { resourceVersion: from, timeoutSeconds: seconds },
        signal,
        (event) => {
          ordered ||= event.type !== 'ADDED';
          this.#deliver(event, ordered);
        },
      );
      return this.#afterRegularEnd(end, this.#resourceVersion !== from);
    } catch (error) {
      this.#chooseRemedy(error);
      throw error;
    }
  }

  /** Requests the initial list as a stream (WatchList). After the list, the same stream sends the changes. */
  async #watchList(signal: AbortSignal): Promise<Error | undefined> {
    const seconds = this.#watchSeconds();
    const from = this.#distrustVersion ? '' : this.#resourceVersion;
    let initial: InitialEvents<T> | undefined = new InitialEvents<T>();
    let received = 0;
    const query = {
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      resourceVersion: from === '' ? undefined : from,
      timeoutSeconds: seconds,
    };
    try {
      const end = await this.#runWatch(seconds, query, signal, (event, bytes) => {
        if (initial === undefined) {
          this.#deliver(event, true);
        } else if (initial.take(event)) {
          const objects = initial.objects();
          initial = undefined;
          this.#replace(objects, event.object.metadata.resourceVersion ?? '');
          this.#watchBegan();
        } else {
          received += bytes;
          this.#options.handler.listing?.(received);
        }
      });
      if (initial === undefined) return this.#afterRegularEnd(end, true);
    } catch (error) {
      if (initial === undefined) {
        this.#chooseRemedy(error);
        throw error;
      }
      return this.#afterFailedWatchList(error, from, signal);
    }
    // The stream ended before the list was complete, so the server or a proxy does not support streaming lists correctly.
    return signal.aborted ? undefined : this.#list(signal);
  }

  async #afterFailedWatchList(error: unknown, from: string, signal: AbortSignal): Promise<Error | undefined> {
    if (signal.aborted || this.#defect !== undefined) throw error;
    if (this.#losesTrust(error, from)) return undefined;
    const isUnreachable = error instanceof TransportError && error.code !== 'kube/bad-response';
    if (isUnreachable || isTooManyRequests(error) || isForbidden(error) || isUnauthorized(error)) throw error;
    // Falls back to a plain list, because repeating the streaming list would make no progress.
    const failure = await this.#list(signal);
    if (mayMeanNoWatchList(error)) this.#noWatchList = true;
    return failure;
  }

  async #list(signal: AbortSignal): Promise<Error | undefined> {
    const { connection, resource, namespace, labelSelector, fieldSelector } = this.#options;
    // The first list may come from the watch cache. Later lists must not return an older state than the last one.
    const from = this.#distrustVersion ? '' : this.#resourceVersion === '' ? '0' : this.#resourceVersion;
    const limit = from === '' || from === '0' ? this.#settings.pageSize : undefined;
    try {
      const list = await listPages(connection, resource, {
        namespace,
        labelSelector,
        fieldSelector,
        resourceVersion: from,
        limit,
        signal,
        honourRetryAfter: false,
        onBytes: (bytes) => this.#options.handler.listing?.(bytes),
      });
      if (!signal.aborted) this.#replace(list.items, list.metadata.resourceVersion ?? '');
      return undefined;
    } catch (error) {
      if (this.#losesTrust(error, from)) return undefined;
      throw error;
    }
  }

  /**
   * Returns true if the server does not have the requested resource version. The caller then repeats the list immediately, without a
   * version.
   */
  #losesTrust(error: unknown, from: string): boolean {
    if (from === '' || !(isExpired(error) || isTooLargeResourceVersion(error))) return false;
    this.#distrustVersion = true;
    return true;
  }

  #afterRegularEnd(end: WatchEnd, hasProgressed: boolean): Error | undefined {
    this.#internalErrorsSince = undefined;
    if (hasProgressed) return undefined;
    if (end.lasted < this.#settings.shortestWatch) {
      const message = `the watch of ${this.#options.resource.plural} ended after ${Math.round(end.lasted)} ms without news`;
      return new TransportError('kube/connection-lost', message);
    }
    if (end.events === 0 && end.lasted >= this.#settings.longestSilence) {
      // No event arrived for `longestSilence`. The server may have been restored from a backup that is older than the watched resource
      // version, in which case it sends nothing.
      this.#needsList = true;
      this.#distrustVersion = true;
    }
    return undefined;
  }

  #chooseRemedy(error: unknown): void {
    const remedy = remedyFor(error);
    const since = this.#internalErrorsSince ?? this.#clock.now();
    this.#internalErrorsSince = remedy === 'rewatch-patiently' ? since : undefined;
    if (remedy === 'rewatch') return;
    if (remedy === 'rewatch-patiently' && this.#clock.now() - since < this.#settings.internalErrorPatience)
      return;
    this.#needsList = true;
    if (remedy === 'relist-consistent') this.#distrustVersion = true;
  }

  async #runWatch(
    seconds: number,
    query: Readonly<Record<string, string | number | boolean | undefined>>,
    signal: AbortSignal,
    onEvent: (event: WatchEvent<T>, bytes: number) => void,
  ): Promise<WatchEnd> {
    const { connection, resource, namespace, labelSelector, fieldSelector } = this.#options;
    return runWatch({
      connection,
      resource,
      namespace,
      query: { ...query, labelSelector, fieldSelector },
      clock: this.#clock,
      deadline: seconds * 1000 + this.#settings.watchMargin,
      signal,
      onOpen: () => {
        if (!this.#needsList) this.#watchBegan();
        if (this.#state.synced && !signal.aborted) this.#setState({ synced: true });
      },
      onEvent,
    });
  }

  #watchBegan(): void {
    this.#recovery.watchBegan();
    this.#options.handler.watching?.(true);
  }

  #deliver(event: WatchEvent<T>, advance: boolean): void {
    const { type, object } = event;
    const version = object.metadata.resourceVersion;
    if (type !== 'BOOKMARK') this.#guarded(() => this.#options.handler.apply(type, this.#transform(object)));
    if (!advance || version === undefined || version === '' || version === this.#resourceVersion) return;
    this.#resourceVersion = version;
    this.#internalErrorsSince = undefined;
  }

  #replace(objects: T[], resourceVersion: string): void {
    this.#guarded(() =>
      this.#options.handler.replace(
        objects.map((object) => this.#transform(object)),
        resourceVersion,
      ),
    );
    this.#resourceVersion = resourceVersion;
    this.#distrustVersion = false;
    this.#needsList = false;
    this.#internalErrorsSince = undefined;
    this.#setState({ synced: true });
  }

  /** Records an error of the handler or transform, so that it ends `run`. As a failure of the watch it would be retried endlessly. */
  #guarded(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#defect = toError(error);
      throw this.#defect;
    }
  }

  #setState(state: ReflectorState): void {
    const isSame = state.synced === this.#state.synced && state.error === this.#state.error;
    this.#state = state;
    if (!isSame) this.#options.onState?.(state);
  }

  #watchSeconds(): number {
    return Math.floor(this.#settings.minWatchSeconds * (1 + this.#random()));
  }
}
