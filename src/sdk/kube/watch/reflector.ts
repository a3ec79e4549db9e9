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

/** The receiver of objects and changes. Both functions must be quick, must not throw, and own the objects they are given. */
export interface ReflectorHandler<T extends KubeObject = KubeObject> {
  /** Everything there is: what is not among it no longer exists. */
  replace(objects: T[], resourceVersion: string): void;
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void;
}

export interface ReflectorState {
  /** A complete list was delivered, and the server has not refused the type since (403, 404). */
  readonly synced: boolean;
  /** The failure of the last try; undefined while all is well. While it is synced it goes on by itself. */
  readonly error?: Error;
}

export interface ReflectorOptions<T extends KubeObject = KubeObject> {
  readonly connection: Connection;
  readonly resource: Resource<T>;
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly handler: ReflectorHandler<T>;
  /** Called for every change of the state and for each failure. */
  readonly onState?: (state: ReflectorState) => void;
  /** Changes each object before it is delivered; metadata.managedFields is removed already. */
  readonly transform?: ((object: T) => T) | undefined;
  readonly settings?: Partial<ReflectorSettings>;
  readonly clock?: Clock;
  /** In [0, 1). */
  readonly random?: () => number;
}

/**
 * Mirrors one kind into a handler: a complete list, then each change, without end. Uses streaming lists (WatchList) and falls
 * back to LIST; survives restarts of the API server without listing again. Follows client-go's reflector.
 */
export class Reflector<T extends KubeObject = KubeObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #settings: ReflectorSettings;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #recovery: Recovery;
  readonly #transform: (object: T) => T;
  #state: ReflectorState = { synced: false };
  /** The last version that is known to be complete; `''` before the first list. */
  #resourceVersion = '';
  /** The server does not have #resourceVersion (any more, or yet): the next list must not ask for it. */
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
   * Lists and watches until the signal aborts, then resolves; nothing is delivered after that.
   * Failures of the server are reported by `onState` and repeated with back-off.
   *
   * @throws what the handler or the transform throws: after that the mirror would be wrong
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
      this.#recovery.stepEnded();
      if (signal.aborted || failure === undefined) continue;
      this.#setState({ synced: this.#state.synced && !isRefusal(failure), error: failure });
      const delay = this.#recovery.delayAfter(failure);
      if (delay > 0) await pause(this.#clock, delay, signal);
    }
  }

  /** One list or one watch. Gives or throws the failure after which to back off; undefined to go on at once. */
  async #step(signal: AbortSignal): Promise<Error | undefined> {
    if (!this.#needsList) return this.#watch(signal);
    return this.#noWatchList ? this.#list(signal) : this.#watchList(signal);
  }

  async #watch(signal: AbortSignal): Promise<Error | undefined> {
    const seconds = this.#watchSeconds();
    const from = this.#resourceVersion;
    // A watch from nowhere begins with what exists, in no order: its versions say nothing until something else comes.
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

  /** The initial list as a stream, which goes on as the watch. */
  async #watchList(signal: AbortSignal): Promise<Error | undefined> {
    const seconds = this.#watchSeconds();
    const from = this.#distrustVersion ? '' : this.#resourceVersion;
    let initial: InitialEvents<T> | undefined = new InitialEvents<T>();
    const query = {
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      resourceVersion: from === '' ? undefined : from,
      timeoutSeconds: seconds,
    };
    try {
      const end = await this.#runWatch(seconds, query, signal, (event) => {
        if (initial === undefined) {
          this.#deliver(event, true);
        } else if (initial.take(event)) {
          const objects = initial.objects();
          initial = undefined;
          this.#recovery.watchBegan();
          this.#replace(objects, event.object.metadata.resourceVersion ?? '');
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
    // It ended before the list was complete: a server or proxy that does not do this as it should.
    return signal.aborted ? undefined : this.#list(signal);
  }

  async #afterFailedWatchList(error: unknown, from: string, signal: AbortSignal): Promise<Error | undefined> {
    if (signal.aborted || this.#defect !== undefined) throw error;
    if (this.#losesTrust(error, from)) return undefined;
    const isUnreachable = error instanceof TransportError && error.code !== 'kube/bad-response';
    if (isUnreachable || isTooManyRequests(error) || isForbidden(error) || isUnauthorized(error)) throw error;
    // Making progress with a plain list is better than insisting.
    const failure = await this.#list(signal);
    if (mayMeanNoWatchList(error)) this.#noWatchList = true;
    return failure;
  }

  async #list(signal: AbortSignal): Promise<Error | undefined> {
    const { connection, resource, namespace, labelSelector, fieldSelector } = this.#options;
    // The first list may come from the watch cache, later ones must not go back in time.
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
      });
      if (!signal.aborted) this.#replace(list.items, list.metadata.resourceVersion ?? '');
      return undefined;
    } catch (error) {
      if (this.#losesTrust(error, from)) return undefined;
      throw error;
    }
  }

  /** The server does not have the version that was asked for: at once again, without one. */
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
      // Not even a bookmark in all that time: the version may lie in the future of a restored server, which then stays silent.
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
    onEvent: (event: WatchEvent<T>) => void,
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
        if (!this.#needsList) this.#recovery.watchBegan();
        if (this.#state.synced && !signal.aborted) this.#setState({ synced: true });
      },
      onEvent,
    });
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

  /** A bug in a handler must not count as a failure of the watch, which would be retried without end. */
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
