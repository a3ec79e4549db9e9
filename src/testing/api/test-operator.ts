import { setMaxListeners } from 'node:events';
import type { Resource } from '../../sdk/api/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { ApiClient, Reflector, type Connection } from '../../sdk/kube/index.ts';
import { Cache, OwnWrites, StoreReader } from '../../sdk/runtime/cache/index.ts';
import { CacheBackedClient } from '../../sdk/runtime/client/index.ts';
import { EventWriter } from '../../sdk/runtime/events/index.ts';
import type {
  CachedKind,
  Controller,
  ControllerClient,
  Logger,
  ReconcileResult,
} from '../../sdk/runtime/index.ts';
import { prepareController, type PreparedController } from '../../sdk/runtime/manager/prepare-controller.ts';
import type { VirtualClock } from './virtual-clock.ts';

export interface TestOperatorOptions {
  readonly name: string;
  readonly connection: Connection;
  readonly clock: VirtualClock;
  readonly log: Logger;
  readonly cache?: readonly CachedKind[] | undefined;
  /** @param exists whether there is such an object after the run; without one before it, there was nothing to reconcile */
  readonly onRun?: (controller: Controller, key: string, error: unknown, exists: boolean) => void;
}

/** The parts of an operator that a manager puts together, on a virtual clock and without servers. */
export class TestOperator {
  readonly client: ControllerClient;
  readonly #options: TestOperatorOptions;
  readonly #live: ApiClient;
  readonly #cache: Cache;
  readonly #events: EventWriter;
  readonly #stop = new AbortController();
  readonly #abort = new AbortController();
  readonly #controllers = new Map<Controller, PreparedController>();
  #caches: Promise<void> | undefined;
  #sources: Promise<unknown> = Promise.resolve();

  constructor(options: TestOperatorOptions) {
    const { name, connection, clock, log, cache: kinds } = options;
    this.#options = options;
    setMaxListeners(0, this.#stop.signal, this.#abort.signal);
    this.#live = new ApiClient(connection, name);
    this.#cache = new Cache({
      reflect: (scope, handler, onState, signal) =>
        new Reflector({ connection, clock, ...scope, handler, onState }).run(signal),
      kinds,
      log,
      clock,
    });
    this.#events = new EventWriter({ client: this.#live, clock, today: () => clock.today() });
    this.client = new CacheBackedClient({
      source: 'cache',
      cached: new StoreReader(this.#cache, () => this.#abort.signal),
      live: this.#live,
      writes: new OwnWrites(this.#cache),
      fieldManager: name,
      signal: this.#abort.signal,
    });
  }

  get isStarted(): boolean {
    return this.#caches !== undefined;
  }

  has(controller: Controller): boolean {
    return this.#controllers.has(controller);
  }

  /** Keys wait for a worker. */
  get hasWork(): boolean {
    return [...this.#controllers.values()].some(({ runner }) => runner.queue.length > 0);
  }

  /** A reconcile is running. */
  get isRunning(): boolean {
    return [...this.#controllers.values()].some(({ runner }) => runner.running.length > 0);
  }

  declare(resource: Resource): void {
    this.#cache.declare(resource);
  }

  /** @throws OpSdkError `runtime/duplicate-controller` */
  add(controller: Controller): void {
    if ([...this.#controllers.keys()].some(({ name }) => name === controller.name))
      throw new OpSdkError({
        code: 'runtime/duplicate-controller',
        message: `duplicate controller name ${controller.name}`,
        where: { object: `controller ${controller.name}`, path: 'name' },
        fix: ['give one of them another `name` in defineController'],
      });
    const { name, log, clock, onRun } = this.#options;
    const prepared = prepareController(controller, {
      name,
      log,
      cache: this.#cache,
      client: this.#live,
      events: this.#events,
      stop: this.#stop.signal,
      abort: this.#abort.signal,
      clock,
      onRun: (key, error) =>
        onRun?.(controller, key, error, this.#cache.lookUp(controller.for, key) !== undefined),
    });
    this.#controllers.set(controller, prepared);
  }

  /** Fills the caches. @throws OpSdkError `runtime/undeclared-kind`, `runtime/cache-not-synced` */
  async startCaches(): Promise<void> {
    if (this.#caches !== undefined) return;
    this.#cache.checkDeclared();
    this.#caches = this.#cache.start(this.#stop.signal);
    this.#caches.catch(() => undefined);
    await Promise.race([this.#cache.waitForSync(Infinity, this.#stop.signal), this.#caches]);
  }

  /** Starts the workers. */
  startControllers(): void {
    const all = [...this.#controllers.values()];
    for (const { runner } of all) runner.start();
    this.#sources = Promise.all(all.map(({ runSources }) => runSources()));
  }

  /** @throws what the run throws */
  async runOnce(controller: Controller, key: string): Promise<ReconcileResult | undefined> {
    return this.#controllers.get(controller)?.runner.runOnce(key);
  }

  async stop(): Promise<void> {
    const reason = new Error('the test API is disposed of');
    this.#stop.abort(reason);
    this.#abort.abort(reason);
    await Promise.all([...this.#controllers.values()].map(({ runner }) => runner.stop()));
    await Promise.all([this.#sources, this.#caches?.catch(() => undefined), this.#events.close(0)]);
  }
}
