import { setMaxListeners } from 'node:events';
import type { Resource } from '../../sdk/api/index.ts';
import { OpSdkError, FindingList } from '../../base/errors/index.ts';
import { ApiClient, Reflector, type Connection } from '../../sdk/kube/index.ts';
import {
  Cache,
  OwnWrites,
  StoreReader,
  CacheBackedClient,
  EventWriter,
  type CachedKind,
  type Controller,
  type ControllerClient,
  type Logger,
  type ReconcileResult,
  prepareController,
  type PreparedController,
} from '../../sdk/runtime/index.ts';
import type { Clock } from '../../sdk/net/index.ts';
import type { KindRegistry } from './kinds/served-kind.ts';
import { unsupportedHere } from './status-error.ts';

interface TestOperatorOptions {
  readonly name: string;
  readonly connection: Connection;
  readonly clock: VirtualClock;
  readonly log: Logger;
  readonly cache?: readonly CachedKind[] | undefined;
  /**
   * @param exists true if the object exists after the run. If the object did not exist before the run either, the run had nothing to
   * reconcile
   */
  readonly onRun?: (controller: Controller, key: string, error: unknown, exists: boolean) => void;
}

/** The parts that a manager assembles into an operator, but with a virtual clock and without HTTP servers. */
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
    this.#events = new EventWriter({ client: this.#live, clock });
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

  /** True if keys of objects wait in a controller's queue for a worker. */
  get hasWork(): boolean {
    return [...this.#controllers.values()].some(({ runner }) => runner.queue.length > 0);
  }

  /** True if a reconcile is running. */
  get isRunning(): boolean {
    return [...this.#controllers.values()].some(({ runner }) => runner.running.length > 0);
  }

  declare(resource: Resource): void {
    this.#cache.declare(resource);
  }

  /** Adds a controller. @throws OpSdkError `runtime/duplicate-controller` */
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

  /** Starts the caches and waits until they are filled. @throws OpSdkError `runtime/undeclared-kind`, `runtime/cache-not-synced` */
  async startCaches(): Promise<void> {
    if (this.#caches !== undefined) return;
    this.#cache.checkDeclared();
    this.#caches = this.#cache.start(this.#stop.signal);
    this.#caches.catch(() => undefined);
    await Promise.race([this.#cache.waitForSync(Infinity, this.#stop.signal), this.#caches]);
    const sources = [...this.#controllers.keys()].flatMap((controller) => controller.sources);
    await Promise.all(sources.map(async ({ load }) => load?.()));
  }

  /** Starts the workers of all controllers. */
  startControllers(): void {
    const all = [...this.#controllers.values()];
    for (const { runner } of all) runner.start();
    this.#sources = Promise.all(all.map(({ runSources }) => runSources()));
  }

  /** @throws the error with which this run of the controller fails */
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

/**
 * Checks that the test API serves every kind that a controller watches, because the cache would wait forever for a kind that is not served.
 *
 * @throws OpSdkError `testapi/unknown-kind`, `testapi/unsupported` with all missing kinds
 */
export function checkController(controller: Controller, registry: KindRegistry): void {
  const findings = new FindingList();
  const kinds = [
    controller.for,
    ...controller.owns.map(({ resource }) => resource),
    ...controller.watches.filter(({ cluster }) => cluster === undefined).map(({ resource }) => resource),
  ];
  for (const { apiVersion, kind, ifServed } of kinds)
    if (ifServed !== true && registry.ofType(apiVersion, kind) === undefined)
      findings.add({
        code: 'testapi/unknown-kind',
        message: `controller ${controller.name}: the test API has no schema of ${apiVersion} ${kind}`,
        fix: [
          'name the file of its CustomResourceDefinition in crds',
          'or test it against a real API server: startControlPlane of opsdk/testing',
        ],
      });
  for (const { resource, cluster } of controller.watches)
    if (cluster !== undefined)
      findings.add(
        ...unsupportedHere(
          `other clusters: controller ${controller.name} watches ${resource.kind} in the cluster ${cluster.name}`,
          'test what does not depend on it with a controller that has no such watch',
        ).findings,
      );
  findings.throwIfAny();
}

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock whose time advances only when `fireNext` or `moveTo` is called. */
export class VirtualClock implements Clock {
  readonly #timers = new Set<Timer>();
  readonly #began: number;
  #now = 0;
  #order = 0;

  /** @param began date and time at which the clock starts, in milliseconds since 1970 */
  constructor(began: number) {
    this.#began = began;
  }

  now(): number {
    return this.#now;
  }

  /** Returns the current date and time of the clock. */
  today(): Date {
    return new Date(this.#began + this.#now);
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { due: this.#now + Math.max(milliseconds, 0), order: this.#order++, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** The time at which the next timer is due; undefined if no timer is set. */
  get nextDue(): number | undefined {
    return this.#next?.due;
  }

  get #next(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers)
      if (next === undefined || timer.due < next.due || (timer.due === next.due && timer.order < next.order))
        next = timer;
    return next;
  }

  /** Advances the clock to the next timer and calls that timer. */
  fireNext(): void {
    const next = this.#next;
    if (next === undefined) return;
    this.#timers.delete(next);
    this.#now = Math.max(this.#now, next.due);
    next.callback();
  }

  /** Advances the clock to a given time. The caller ensures that no timer is due before that time. */
  moveTo(time: number): void {
    this.#now = Math.max(this.#now, time);
  }
}
