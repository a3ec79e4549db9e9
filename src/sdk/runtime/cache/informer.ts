import type { KubeObject, Resource } from '../../api/index.ts';
import { OpSdkError, messageOf, type Finding } from '../../../base/errors/index.ts';
import {
  type ReflectorHandler,
  type ReflectorState,
  isForbidden,
  isTypeNotServed,
} from '../../kube/index.ts';
import type { Turn } from '../yielding.ts';
import { type Selection, resourceName } from './cached-reader.ts';
import { Store, type ObjectEvent } from './store.ts';

/** Scope of one list and watch. */
export interface ReflectorScope extends Pick<Selection, 'labelSelector' | 'fieldSelector' | 'transform'> {
  readonly resource: Resource;
  /** Undefined: all namespaces, or a cluster-scoped kind. */
  readonly namespace: string | undefined;
}

/** Lists and watches until the signal aborts. Retries by itself; never rejects for a failure of the server. */
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
  /** Called for every change; must not throw and not block. */
  readonly tell: ChangeListener;
  readonly turn: Turn;
}

/** One kind in one namespace (or in all), kept up to date: a store and its sync state. */
export class Informer {
  readonly scope: ReflectorScope;
  readonly store: Store;
  /**
   * Resolves with the first complete list, after the listeners were notified of it. Rejects with `runtime/outside-cache` if the informer is
   * stopped earlier.
   */
  readonly synced: Promise<void>;
  readonly #options: InformerOptions;
  readonly #stop = new AbortController();
  /** Changes that arrived while a list is being applied; undefined otherwise. */
  #waiting: (() => void)[] | undefined;
  #takingOver: Promise<void> = Promise.resolve();
  #resolveSynced: () => void = () => undefined;
  #rejectSynced: (error: Error) => void = () => undefined;
  #hasSynced = false;
  #state: ReflectorState = { synced: false };

  constructor(options: InformerOptions) {
    this.scope = options.scope;
    this.#options = options;
    this.store = new Store(options.scope.resource);
    this.synced = new Promise((resolve, reject) => {
      this.#resolveSynced = resolve;
      this.#rejectSynced = reject;
    });
    // Usually no caller waits for it.
    this.synced.catch(() => undefined);
  }

  get resource(): Resource {
    return this.scope.resource;
  }

  get namespace(): string | undefined {
    return this.scope.namespace;
  }

  /** True after the first complete list: the store can be read, even if it is now out of date. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** Current state of the list and watch. `synced` is false again after the API server has refused the kind (403, 404). */
  get state(): ReflectorState {
    return this.#state;
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
    const handler: ReflectorHandler = {
      replace: (objects, resourceVersion) => {
        this.#takingOver = this.#takeOver(objects, resourceVersion, stopped);
        // A listener threw: stop, so that `run` rejects with its error.
        this.#takingOver.catch(() => this.#stop.abort());
      },
      apply: (type, object) => {
        const apply = (): void => this.#tell(this.store.apply(type, object), later);
        if (this.#waiting === undefined) apply();
        else this.#waiting.push(apply);
      },
    };
    const onState = (state: ReflectorState): void => {
      const before = this.#state;
      this.#state = state;
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
        fix: ["add it to the manager's namespaces, or read it with client.live"],
      }),
    );
  }

  /** Applies a list in steps, and yields to other work between them. Watch events are queued meanwhile. */
  async #takeOver(objects: KubeObject[], resourceVersion: string, signal: AbortSignal): Promise<void> {
    const before = this.#takingOver;
    const waiting: (() => void)[] = [];
    // Events queued for an earlier list are older than this list.
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
    this.#hasSynced = true;
    this.#resolveSynced();
  }

  #tell(changes: readonly ObjectEvent[], info: ChangeInfo): void {
    for (const change of changes) this.#options.tell(change, info);
  }
}

/**
 * Reports why kinds are not synced, with one finding per informer.
 *
 * @param timeout milliseconds of the wait; undefined: there was none
 */
export function syncFindings(informers: readonly Informer[], timeout: number | undefined): Finding[] {
  return informers.map(({ resource, namespace, state: { error } }) => ({
    code: 'runtime/cache-not-synced',
    message: `no complete list of ${resourceName(resource)} ${namespace === undefined ? '' : `in namespace ${namespace} `}${timeout === undefined ? 'yet' : `within ${timeout / 1000} s`}: ${reason(error)}`,
    where: { object: `kind ${resource.kind}` },
    fix: fixes(resource, error),
  }));
}

/** Returns the last failure of an informer in one line. */
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
