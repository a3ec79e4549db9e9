import { setMaxListeners } from 'node:events';
import { FindingList, OpSdkError } from '../../errors/index.ts';
import type { Client } from '../../kube/types.ts';
import {
  Cache,
  OwnWrites,
  reason,
  resourceName,
  StoreReader,
  type CachedKind,
  type RunReflector,
} from '../cache/index.ts';
import { CacheBackedClient, type ControllerClient } from '../client/index.ts';
import { isAbort, systemClock, untilAborted } from '../../net/index.ts';
import { ControllerRunner } from '../controller/controller-runner.ts';
import type { Controller } from '../controller/index.ts';
import {
  HealthChecks,
  servePlain,
  type HealthCheck,
  type HealthReport,
  type ListenAddress,
  type PlainServer,
} from '../http/index.ts';
import type { Logger } from '../create-logger.ts';
import { EventWriter, eventSource, recorderFor } from '../events/index.ts';
import { serveMetrics, watchCache } from '../metrics/index.ts';
import { checkNamespaces } from './check-namespaces.ts';
import { drain } from './drain.ts';
import { LoopMonitor } from './loop-monitor.ts';
import type { Runnable } from './runnable.ts';
import { StopRequest } from './stop-request.ts';
import { wireController } from './wire-controller.ts';

/** What a manager needs of a cluster. */
export interface ClusterAccess {
  readonly client: Client;
  readonly reflect: RunReflector;
  close(): Promise<void>;
}

export interface ManagerSettings {
  readonly name: string;
  readonly log: Logger;
  readonly cluster: ClusterAccess;
  readonly namespaces: readonly string[] | undefined;
  readonly cache?: readonly CachedKind[] | undefined;
  readonly health: ListenAddress | undefined;
  readonly metrics: ListenAddress | undefined;
  /** Milliseconds. */
  readonly gracefulShutdownTimeout: number;
  /** Milliseconds. */
  readonly cacheSyncTimeout: number;
}

/** Runs controllers and what they need, from the first to the last moment of an operator. Made by `createManager`. */
export class Manager {
  /** The first part of the field manager of all writes. */
  readonly name: string;
  /** The logger of the options; controllers log to children of it. */
  readonly log: Logger;
  /** For runnables and checks: reads from the cache once `run` has started it, writes under the manager's name. */
  readonly client: ControllerClient;
  readonly #settings: ManagerSettings;
  readonly #cache: Cache;
  readonly #events: EventWriter;
  readonly #checks = new HealthChecks();
  readonly #controllers: ControllerRunner[] = [];
  readonly #sources: (() => Promise<void>)[] = [];
  readonly #runnables: Runnable[] = [];
  readonly #running = new Set<Runnable>();
  readonly #ports: { health?: number; metrics?: number } = {};
  /** Aborted when work must end that had its time to drain. */
  readonly #abort = new AbortController();
  /** Aborted when work is to end in an orderly way: by the caller's signal, or by the failure of a part. */
  readonly #stop = new AbortController();
  #state: 'new' | 'running' | 'closed' = 'new';
  /** True once all caches were synced: the pod has started. */
  #hasStarted = false;

  constructor(settings: ManagerSettings) {
    const { name, log, cluster, namespaces, cache: kinds } = settings;
    // Whatever waits in this operator listens to these.
    setMaxListeners(0, this.#abort.signal, this.#stop.signal);
    this.#settings = settings;
    this.name = name;
    this.log = log;
    this.#cache = new Cache({ reflect: cluster.reflect, namespaces, kinds, log, clock: systemClock });
    this.#events = new EventWriter({ client: cluster.client });
    this.client = new CacheBackedClient({
      cached: new StoreReader(this.#cache, () => this.#abort.signal),
      live: cluster.client,
      writes: new OwnWrites(this.#cache),
      fieldManager: name,
      signal: this.#abort.signal,
    });
    this.#checks.add('healthz', 'ping', () => undefined);
    this.#checks.add('readyz', 'caches', () => this.#checkCaches());
  }

  /** The ports that the servers listen on while the manager runs, also where any free one was asked for (`:0`). */
  get ports(): { readonly health?: number; readonly metrics?: number } {
    return this.#ports;
  }

  /**
   * Adds a controller or a runnable.
   *
   * @throws OpSdkError `runtime/duplicate-controller`; `runtime/manager-started` once it runs
   */
  add(item: Controller | Runnable): void {
    this.#mustBeNew();
    if ('reconcile' in item) this.#addController(item);
    else this.#runnables.push(item);
  }

  /** Adds a check to `/healthz`: while it throws, the kubelet restarts the container. */
  addHealthzCheck(name: string, check: HealthCheck): void {
    this.#mustBeNew();
    this.#checks.add('healthz', name, check);
  }

  /** Adds a check to `/readyz`: while it throws, the pod gets no traffic. */
  addReadyzCheck(name: string, check: HealthCheck): void {
    this.#mustBeNew();
    this.#checks.add('readyz', name, check);
  }

  /**
   * Runs until the signal aborts: HTTP servers first, then the caches, then controllers and runnables; stops in reverse.
   * Resolves when the running reconciles have ended.
   *
   * @throws OpSdkError `runtime/cannot-listen`, `runtime/undeclared-kind`, `runtime/cache-not-synced`, `runtime/drain-timeout`; what a runnable throws
   */
  async run(options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    this.#mustBeNew();
    this.#cache.checkDeclared();
    this.#state = 'running';
    const { signal } = options;
    const requested = (): void => this.#stop.abort(signal?.reason);
    signal?.addEventListener('abort', requested, { once: true });
    if (signal?.aborted === true) requested();
    const servers: PlainServer[] = [];
    const watching = new AbortController();
    let caches: Promise<void> | undefined;
    const monitor = new LoopMonitor({
      log: this.log,
      now: () => systemClock.now(),
      runningAt: (time) => this.#reconciles((runner) => runner.runningAt(time)),
    });
    monitor.start();
    const unwatch = watchCache(() =>
      this.#cache.informers.map(({ resource, state }) => [resourceName(resource), state.synced] as const),
    );
    try {
      await this.#serve(servers);
      caches = this.#startCaches(watching.signal);
      await this.#cache.waitForSync(this.#settings.cacheSyncTimeout, this.#stop.signal);
      this.#hasStarted = true;
      await this.#work();
    } catch (error) {
      // A stop while starting is what was asked for, not a failure.
      if (error !== this.#stop.signal.reason || !isRequest(this.#stop.signal, signal)) {
        // Whatever was started must end.
        this.#stop.abort(error);
        throw error;
      }
    } finally {
      signal?.removeEventListener('abort', requested);
      watching.abort();
      await caches;
      await Promise.all(servers.map((server) => server.close()));
      await this.#events.close();
      monitor.stop();
      unwatch();
      await this.close();
    }
    this.log.info('Stopped');
  }

  /**
   * Watches these namespaces from now on; before `run` as if they were the option `namespaces`. Kinds without namespaces, and those for which
   * `cached` chooses namespaces, stay as they are. Objects of other namespaces are no longer read nor reconciled, and nothing is done about
   * what they own.
   *
   * @param namespaces undefined: all
   * @returns when the new namespaces are listed, and their objects wait to be reconciled
   * @throws OpSdkError `runtime/invalid-manager`; `runtime/cache-not-synced` after `cacheSyncTimeout`: it goes on trying
   */
  async setNamespaces(namespaces: readonly string[] | undefined): Promise<void> {
    const findings = new FindingList();
    findings.add(...checkNamespaces(namespaces));
    findings.throwIfAny();
    const added = this.#cache.setNamespaces(namespaces);
    if (!this.#cache.started || added.length === 0) return;
    await this.#cache.waitForSync(this.#settings.cacheSyncTimeout, this.#stop.signal, added);
  }

  /** Ends the connection to the cluster; `run` does it itself. */
  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    await this.#settings.cluster.close();
  }

  /** `close`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #addController(controller: Controller): void {
    if (this.#controllers.some((runner) => runner.controller.name === controller.name)) {
      throw new OpSdkError({
        code: 'runtime/duplicate-controller',
        message: `duplicate controller name ${controller.name}`,
        where: { object: `controller ${controller.name}`, path: 'name' },
        fix: ['give one of them another `name` in defineController'],
      });
    }
    const { log } = this;
    const cached = new StoreReader(this.#cache, () => this.#abort.signal);
    const writes = new OwnWrites(this.#cache);
    const fieldManager = `${this.name}/${controller.name}`;
    const source = eventSource(this.name, controller.name, log);
    const runner = new ControllerRunner(controller, {
      lookUp: (key) => this.#cache.lookUp(controller.for, key),
      isUpToDate: () => this.#cache.isUpToDate(controller.for),
      clientFor: (owner, requests) =>
        new CacheBackedClient({
          cached,
          live: this.#settings.cluster.client,
          writes,
          fieldManager,
          get signal() {
            return requests.signal;
          },
          owner,
        }),
      eventsFor: (object) => recorderFor(this.#events, source, object),
      log,
      signal: this.#abort.signal,
    });
    const runSources = wireController(controller, {
      cache: this.#cache,
      queue: runner.queue,
      reader: cached,
      log,
      signal: this.#stop.signal,
    });
    this.#controllers.push(runner);
    this.#sources.push(runSources);
  }

  async #serve(servers: PlainServer[]): Promise<void> {
    const { health, metrics } = this.#settings;
    const report = (error: Error): void => this.log.error({ error }, 'Cannot accept a connection');
    if (health !== undefined) {
      const purpose = { name: 'health probes', flag: '--health-probe-bind-address' };
      const server = await servePlain(purpose, health, this.#checks.answer, report);
      servers.push(server);
      this.#ports.health = server.port;
    }
    if (metrics !== undefined) {
      const server = await serveMetrics(metrics, report);
      servers.push(server);
      this.#ports.metrics = server.port;
    }
    this.log.info(this.#ports, 'Serving');
  }

  /** Resolves when all watches have ended. A failure stops the manager. */
  async #startCaches(signal: AbortSignal): Promise<void> {
    this.log.info('Starting caches');
    try {
      await this.#cache.start(signal);
    } catch (error) {
      this.#stop.abort(error);
    }
  }

  /** From the start of the controllers to the end of the last reconcile. */
  async #work(): Promise<void> {
    for (const runner of this.#controllers) {
      runner.start();
      const { name, concurrency } = runner.controller;
      this.log.info({ controller: name, workers: concurrency }, 'Starting workers');
    }
    const sources = this.#sources.map((run) => run());
    const runnables = this.#runnables.map((runnable) => this.#run(runnable));
    await untilAborted(this.#stop.signal);
    const cause: unknown = this.#stop.signal.reason;
    this.log.info({ reason: cause instanceof Error ? cause.message : undefined }, 'Stopping');
    await drain({
      work: Promise.all([...this.#controllers.map((runner) => runner.stop()), ...sources, ...runnables]),
      timeout: this.#settings.gracefulShutdownTimeout,
      force: cause instanceof StopRequest ? cause.force : undefined,
      abort: this.#abort,
      reason: cause,
      clock: systemClock,
      left: () => this.#left(),
    });
    this.#stop.signal.throwIfAborted();
  }

  async #run(runnable: Runnable): Promise<void> {
    const log = this.log.child({ runnable: runnable.name });
    this.#running.add(runnable);
    try {
      await runnable.run({ client: this.client, log, signal: this.#stop.signal });
    } catch (error) {
      const { signal } = this.#stop;
      if (!signal.aborted) this.#stop.abort(error);
      else if (!isAbort(error, signal.reason)) log.error({ error }, 'Error while stopping');
    } finally {
      this.#running.delete(runnable);
    }
  }

  /** What is at work now, for people. */
  #left(): string[] {
    const reconciles = this.#reconciles((runner) => runner.running).map((name) => `reconcile of ${name}`);
    return [...reconciles, ...[...this.#running].map(({ name }) => `runnable ${name}`)];
  }

  #reconciles(keysOf: (runner: ControllerRunner) => readonly string[]): string[] {
    return this.#controllers.flatMap((runner) =>
      keysOf(runner).map((key) => `${runner.controller.for.kind} ${key}`),
    );
  }

  /** Before the start, what is missing keeps the pod from being ready. Afterwards the rest of the operator works: it must not be stopped for one kind. */
  #checkCaches(): HealthReport | undefined {
    const missing = this.#cache.unsynced;
    if (this.#state === 'running' && this.#cache.started && missing.length === 0) return undefined;
    const reasons = missing.map(
      (informer) => `${resourceName(informer.resource)}: ${reason(informer.state.error)}`,
    );
    if (this.#hasStarted && this.#state === 'running')
      return { degraded: `not synced: ${reasons.join('; ')}` };
    throw new Error(reasons.length === 0 ? 'not started' : `not synced: ${reasons.join('; ')}`);
  }

  #mustBeNew(): void {
    if (this.#state === 'new') return;
    throw new OpSdkError({
      code: 'runtime/manager-started',
      message: `manager ${this.name} was already started`,
      fix: ['add controllers, runnables and checks before run, and call run once'],
    });
  }
}

/** True if the stop came from outside: the caller's signal, not the failure of a part. */
function isRequest(stop: AbortSignal, outside: AbortSignal | undefined): boolean {
  return outside !== undefined && outside.aborted && stop.reason === outside.reason;
}
