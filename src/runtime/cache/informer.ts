import type { Resource } from '../../api/index.ts';
import type { ReflectorHandler, ReflectorState } from '../../kube/index.ts';
import { Store, type ObjectEvent } from './store.ts';

/** Lists and watches one kind, in one namespace or in all, until the signal aborts. Retries by itself; never rejects for a failure of the server. */
export type RunReflector = (
  resource: Resource,
  namespace: string | undefined,
  handler: ReflectorHandler,
  onState: (state: ReflectorState) => void,
  signal: AbortSignal,
) => Promise<void>;

export type ChangeListener = (change: ObjectEvent) => void;

/** One kind in one namespace (or in all), kept up to date: a store, those who listen to its changes, and whether it can be trusted. */
export class Informer {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly store: Store;
  /** Resolves with the first complete list, after the listeners were notified of it. */
  readonly synced: Promise<void>;
  readonly #listeners: ChangeListener[] = [];
  #resolveSynced: () => void = () => undefined;
  #hasSynced = false;
  #state: ReflectorState = { synced: false };

  constructor(resource: Resource, namespace: string | undefined) {
    this.resource = resource;
    this.namespace = namespace;
    this.store = new Store(resource);
    this.synced = new Promise((resolve) => (this.#resolveSynced = resolve));
  }

  /** True once there was a complete list: the store can be read, even if it ages now. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** How the list and watch fare now. `synced` is false again after the API server has refused the kind (403, 404). */
  get state(): ReflectorState {
    return this.#state;
  }

  /** @param listener is called for every change from now on; it must not throw and not block */
  listen(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  /** @param onError is called for a failure when it is new, not at each retry */
  async run(reflect: RunReflector, onError: (error: Error) => void, signal: AbortSignal): Promise<void> {
    const handler: ReflectorHandler = {
      replace: (objects, resourceVersion) => {
        this.#tell(this.store.replace(objects, resourceVersion));
        this.#hasSynced = true;
        this.#resolveSynced();
      },
      apply: (type, object) => this.#tell(this.store.apply(type, object)),
    };
    const onState = (state: ReflectorState): void => {
      const before = this.#state.error;
      this.#state = state;
      const { error } = state;
      if (error !== undefined && error.message !== before?.message) onError(error);
    };
    await reflect(this.resource, this.namespace, handler, onState, signal);
  }

  #tell(changes: readonly ObjectEvent[]): void {
    for (const change of changes) for (const listener of this.#listeners) listener(change);
  }
}
