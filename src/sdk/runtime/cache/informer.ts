import type { KubeObject, Resource } from '../../api/index.ts';
import { OpSdkError, messageOf, type Finding } from '../../../base/errors/index.ts';
import {
  type ReflectorHandler,
  type ReflectorState,
  isForbidden,
  isTypeNotServed,
} from '../../kube/index.ts';
import type { Clock } from '../../net/index.ts';
import type { Turn } from '../yielding.ts';
import { type Selection, resourceName } from './cached-reader.ts';
import { Store, type ObjectEvent } from './store.ts';

/** Kind, namespace and selectors of one list and watch. */
export interface ReflectorScope extends Pick<Selection, 'labelSelector' | 'fieldSelector' | 'transform'> {
  readonly resource: Resource;
  /** Namespace to watch; undefined for all namespaces, or for a cluster-scoped kind. */
  readonly namespace: string | undefined;
}

/** Lists and watches until the signal aborts. Retries after a failure of the server and never rejects because of it. */
export type RunReflector = (
  scope: ReflectorScope,
  handler: ReflectorHandler,
  onState: (state: ReflectorState) => void,
  signal: AbortSignal,
) => Promise<void>;

/** Additional information about a change, for listeners. */
export interface ChangeInfo {
  /** True if the object is in the first list: it exists, but may not have changed. */
  readonly initial: boolean;
}

export type ChangeListener = (change: ObjectEvent, info: ChangeInfo) => void;

const initial: ChangeInfo = { initial: true };
const later: ChangeInfo = { initial: false };

interface InformerOptions {
  readonly scope: ReflectorScope;
  /** Called for every change of an object. Must neither throw nor block. */
  readonly tell: ChangeListener;
  /** Returns true for a kind that the API server need not serve. Default: every kind must be served. */
  readonly isOptional?: () => boolean;
  /** Called when an optional kind has come, or has gone. Must neither throw nor block. */
  readonly servedChanged?: () => void;
  /** Called while a list arrives, with the number of bytes so far. Must neither throw nor block. */
  readonly listing?: (bytes: number) => void;
  /** Called when a watch was established again. Must neither throw nor block. */
  readonly rewatched?: () => void;
  readonly turn: Turn;
  readonly clock: Clock;
}

/** Keeps the objects of one kind, in one namespace or in all, up to date. Consists of a store and its sync state. */
export class Informer {
  readonly scope: ReflectorScope;
  readonly store: Store;
  /**
   * Resolves after the first complete list, when the listeners were notified of it. Rejects with `runtime/outside-cache` if the informer is
   * stopped earlier.
   */
  readonly synced: Promise<void>;
  readonly #options: InformerOptions;
  readonly #stop = new AbortController();
  /** Watch events that arrived while a list is being applied; undefined if a list is not being applied. */
  #waiting: (() => void)[] | undefined;
  #takingOver: Promise<void> = Promise.resolve();
  #resolveSynced: () => void = () => undefined;
  #rejectSynced: (error: Error) => void = () => undefined;
  #hasSynced = false;
  #isAbsent = false;
  /** The value of `#isAbsent` that the store shows, and that the listeners know. */
  #showsAbsent = false;
  #state: ReflectorState = { synced: false };
  #hasWatched = false;
  /** Time at which the watch was lost; undefined while it is established, and before the first one. */
  #lostAt: number | undefined;

  constructor(options: InformerOptions) {
    this.scope = options.scope;
    this.#options = options;
    this.store = new Store(options.scope.resource);
    this.synced = new Promise((resolve, reject) => {
      this.#resolveSynced = resolve;
      this.#rejectSynced = reject;
    });
    // Prevents an unhandled rejection, because usually no caller waits for `synced`.
    this.synced.catch(() => undefined);
  }

  get resource(): Resource {
    return this.scope.resource;
  }

  get namespace(): string | undefined {
    return this.scope.namespace;
  }

  /** True after the first complete list. The store can be read from then on, even if it is now out of date. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** True for an optional kind that the API server does not serve. Its store is empty. */
  get isAbsent(): boolean {
    return this.#isAbsent;
  }

  /** True if the API server serves the kind, and its first list is complete. */
  get isServed(): boolean {
    return this.#hasSynced && !this.#showsAbsent;
  }

  /**
   * True if the store is up to date as far as is known: the kind is listed and not refused, or is optional and absent. An absent kind that
   * the operator may not list any more may have come.
   */
  get isReady(): boolean {
    const { synced, error } = this.#state;
    return this.#hasSynced && (synced || (this.#isAbsent && !isForbidden(error)));
  }

  /** Current state of the list and watch. `synced` becomes false again if the API server refuses the kind (403, 404). */
  get state(): ReflectorState {
    return this.#state;
  }

  /**
   * Milliseconds since the watch was lost. 0 while it is established, before the first one, and for an optional kind that is absent: there is
   * nothing to watch.
   */
  get interrupted(): number {
    return this.#lostAt === undefined || this.#isAbsent ? 0 : this.#options.clock.now() - this.#lostAt;
  }

  /**
   * Lists and watches until the signal aborts or `stop` is called.
   *
   * @param report called with the previous and the current state
   */
  async run(
    reflect: RunReflector,
    report: (before: ReflectorState, now: ReflectorState) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const stopped = AbortSignal.any([signal, this.#stop.signal]);
    const replace = (objects: KubeObject[], resourceVersion: string | undefined): void => {
      this.#takingOver = this.#takeOver(objects, resourceVersion, stopped);
      // A listener threw an error. Stops the informer, so that `run` rejects with that error.
      this.#takingOver.catch(() => this.#stop.abort());
    };
    const handler: ReflectorHandler = {
      replace,
      apply: (type, object) => {
        const apply = (): void => this.#tell(this.store.apply(type, object), later);
        if (this.#waiting === undefined) apply();
        else this.#waiting.push(apply);
      },
      listing: (bytes) => this.#options.listing?.(bytes),
      watching: (isEstablished) => {
        if (isEstablished && this.#hasWatched) this.#options.rewatched?.();
        this.#hasWatched = true;
        this.#lostAt = isEstablished ? undefined : this.#options.clock.now();
      },
    };
    const onState = (state: ReflectorState): void => {
      const before = this.#state;
      this.#state = state;
      if (state.synced) this.#isAbsent = false;
      else if (!this.#isAbsent && isTypeNotServed(state.error) && this.#options.isOptional?.() === true) {
        this.#isAbsent = true;
        replace([], undefined);
      }
      // The list of a kind that has come may be in the store already.
      if (this.#hasSynced && this.#waiting === undefined) this.#showServed();
      report(before, state);
    };
    await reflect(this.scope, handler, onState, stopped);
    await this.#takingOver;
  }

  /** Ends the list and watch of a namespace that is no longer watched. */
  stop(): void {
    this.#stop.abort();
    this.#rejectSynced(
      new OpSdkError({
        code: 'runtime/outside-cache',
        message: `namespace ${this.namespace ?? '(all)'} is no longer watched`,
        fix: ["add the namespace to the manager's namespaces, or read its objects with client.live"],
      }),
    );
  }

  /** Applies a list in steps, and yields to other work between the steps. Watch events that arrive in the meantime are queued. */
  async #takeOver(
    objects: KubeObject[],
    resourceVersion: string | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const before = this.#takingOver;
    const waiting: (() => void)[] = [];
    // Drops the events queued for an earlier list, because they are older than this list.
    this.#waiting = waiting;
    await before;
    const { turn } = this.#options;
    const steps = this.store.replace(objects, resourceVersion);
    let step = steps.next();
    while (step.done !== true) {
      const due = turn.yieldIfDue();
      if (due !== undefined) await due;
      if (signal.aborted) return;
      step = steps.next();
    }
    const info = this.#hasSynced ? later : initial;
    for (const change of step.value) {
      const due = turn.yieldIfDue();
      if (due !== undefined) await due;
      if (signal.aborted) return;
      this.#options.tell(change, info);
    }
    for (const apply of waiting) {
      const due = turn.yieldIfDue();
      if (due !== undefined) await due;
      if (signal.aborted || this.#waiting !== waiting) break;
      apply();
    }
    if (this.#waiting === waiting) this.#waiting = undefined;
    // Nobody has read the kind before its first list.
    if (!this.#hasSynced) this.#showsAbsent = this.#isAbsent;
    this.#hasSynced = true;
    this.#showServed();
    this.#resolveSynced();
  }

  #showServed(): void {
    if (this.#showsAbsent === this.#isAbsent) return;
    this.#showsAbsent = this.#isAbsent;
    this.#options.servedChanged?.();
  }

  #tell(changes: readonly ObjectEvent[], info: ChangeInfo): void {
    for (const change of changes) this.#options.tell(change, info);
  }
}

/**
 * Returns the reasons why kinds are not synced, one finding per informer.
 *
 * @param timeout milliseconds that the caller has waited; undefined if it has not waited
 */
export function syncFindings(informers: readonly Informer[], timeout: number | undefined): Finding[] {
  return informers.map(({ resource, namespace, state: { error } }) => ({
    code: 'runtime/cache-not-synced',
    message: `no complete list of ${resourceName(resource)} ${namespace === undefined ? '' : `in namespace ${namespace} `}${timeout === undefined ? 'yet' : `within ${timeout / 1000} s`}: ${reason(error)}`,
    where: { object: `kind ${resource.kind}` },
    fix: fixes(resource, error),
  }));
}

/** Returns the last error of an informer as one line of text. */
export function reason(error: unknown): string {
  if (error === undefined) return 'the API server has not answered yet';
  return messageOf(error);
}

function fixes(resource: Resource, error: unknown): string[] {
  if (isForbidden(error)) {
    const group = resource.group === '' ? 'the core API group' : `API group ${resource.group}`;
    return [
      `allow list and watch of ${resource.plural} in ${group}: run op-sdk generate manifests and apply config/rbac`,
    ];
  }
  if (isTypeNotServed(error)) {
    return [
      `install the CustomResourceDefinition of ${resource.kind}: run op-sdk generate manifests and apply config/crd`,
    ];
  }
  return ['check that the API server can be reached and that its answers come in time'];
}
