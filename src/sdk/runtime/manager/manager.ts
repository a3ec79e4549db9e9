import { setMaxListeners } from 'node:events';
import { FindingList, messageOf, OpSdkError } from '../../../base/errors/index.ts';
import type { Client } from '../../kube/index.ts';
import type { ControllerClient } from '../client/index.ts';
import { onAbort, systemClock, untilAborted } from '../../net/index.ts';
import type { ControllerRunner } from '../controller/controller-runner.ts';
import type { ClusterHandle, Controller } from '../controller/index.ts';
import { HealthChecks, type HealthCheck, type RunningServer } from '../http/index.ts';
import type { Logger } from '../create-logger.ts';
import type { HubConversion } from '../conversion/index.ts';
import { EventWriter } from '../events/index.ts';
import { watchCache } from '../metrics/index.ts';
import type { AnyWebhook } from '../webhook/index.ts';
import { ManagedCluster, connectOther, type AddClusterOptions, checkNamespaces } from './clusters.ts';
import {
  RunLife,
  startedBefore,
  drain,
  Leadership,
  isRequest,
  StopRequest,
  withSlowWaits,
} from './run-life.ts';
import { LoopMonitor } from './loop-monitor.ts';
import { ManagedWebhooks } from './managed-webhooks.ts';
import type { ManagerSettings } from './manager-settings.ts';
import { prepareController } from './prepare-controller.ts';
import { checkCaches, Runnables, type Runnable, serve, type Ports } from './runnables.ts';

/** Maximum number of milliseconds by which writing the leader's last Events may delay the release of the lease. */
const LAST_EVENTS_MS = 500;

/** Runs controllers and the parts that they need, for the entire lifetime of an operator. Created by `createManager`. */
export class Manager {
  /** The first part of the field manager of all writes. */
  readonly name: string;
  /** The logger of the manager's options; controllers log to children of this logger. */
  readonly log: Logger;
  /** For runnables and checks: reads from the cache once `run` has started it, writes under the manager's name; with leader election only while this process leads. */
  readonly client: ControllerClient;
  /** Client for runnables that do not need this process to lead. */
  readonly #freeClient: ControllerClient;
  readonly #leadership: Leadership;
  /** Client for work that requires the lead. */
  readonly #leaderClient: Client;
  readonly #settings: ManagerSettings;
  /** The manager's own cluster. */
  readonly #home: ManagedCluster;
  readonly #others = new Map<ClusterHandle, ManagedCluster>();
  /** Names of the other clusters, including those that are being added. */
  readonly #otherNames = new Set<string>();
  readonly #events: EventWriter;
  readonly #checks = new HealthChecks();
  readonly #controllers: ControllerRunner[] = [];
  readonly #sources: (() => Promise<void>)[] = [];
  readonly #runnables: Runnables;
  readonly #webhooks: ManagedWebhooks;
  readonly #ports: Ports = {};
  /** Aborted when running work has not ended within the time limit for the stop. */
  readonly #abort = new AbortController();
  /** Aborted to request an orderly stop: by the signal of the caller, or because a part of the manager has failed. */
  readonly #stop = new AbortController();
  #state: 'new' | 'running' | 'closed' = 'new';
  /** True after the first sync of all caches, when the start of the pod is complete. */
  #hasStarted = false;

  constructor(settings: ManagerSettings) {
    const { name, log, cluster, election, namespaces, cache: kinds } = settings;
    // All waits of this operator listen to these signals, so the limit for listeners is removed.
    setMaxListeners(0, this.#abort.signal, this.#stop.signal);
    this.#settings = settings;
    this.name = name;
    this.log = log;
    this.#runnables = new Runnables(this.#stop, log);
    this.#leadership = new Leadership(election);
    this.#leaderClient = election?.client ?? cluster.client;
    this.#events = new EventWriter({ client: this.#leaderClient });
    this.#home = new ManagedCluster({
      ...{ name: '', access: cluster, namespaces, kinds },
      ...{ fieldManager: name, log, signal: this.#abort.signal },
    });
    this.client = this.#home.client('cache', this.#leaderClient);
    this.#freeClient = this.#home.client('cache', cluster.client);
    this.#webhooks = new ManagedWebhooks({
      ...{
        settings,
        checks: this.#checks,
        ports: this.#ports,
        stop: this.#stop.signal,
        abort: this.#abort.signal,
      },
      clientFor: (signal) => this.#home.client('cache', cluster.client, signal),
    });
    this.#checks.add('healthz', 'ping', () => undefined);
    if (election !== undefined) this.#checks.add('healthz', 'leaderElection', () => election.elector.check());
    this.#checks.add('readyz', 'caches', () =>
      withSlowWaits(() =>
        checkCaches(this.#clusters, {
          isRunning: this.#state === 'running',
          hasStarted: this.#hasStarted,
          converts: (resource) => this.#webhooks.converts(resource),
        }),
      ),
    );
  }

  /** The ports on which the servers listen; the actual ports if any free port was requested (`:0`). */
  get ports(): { readonly health?: number; readonly metrics?: number; readonly webhooks?: number } {
    return this.#ports;
  }

  /** Resolves when the leader's work begins: at the start, without an election. Stays pending if the manager stops before. */
  get elected(): Promise<void> {
    return this.#leadership.elected;
  }

  /**
   * Adds a controller, a runnable, a webhook, or the conversions of a kind.
   *
   * @throws OpSdkError `runtime/duplicate-controller`; `runtime/manager-started` after `run` was called
   */
  add(item: Controller | Runnable | AnyWebhook | HubConversion): void {
    this.#mustBeNew();
    if ('role' in item) this.#webhooks.add(item);
    else if ('reconcile' in item) this.#addController(item);
    else this.#runnables.add(item);
  }

  /**
   * Adds another cluster, for `watch(K, { cluster })` and to read from and write to it. Its caches are part of the start and of `/readyz`;
   * with leader election it is written to only while this process leads. Owner references cannot refer to objects of another cluster. The
   * handle's client is independent of runs: writes use the name of the manager as field manager unless `fieldManager` is given, and calls
   * are aborted with a run only if they are given its `ctx.signal`.
   *
   * @throws OpSdkError `runtime/invalid-cluster`, `runtime/invalid-manager` with all findings for the options; `kube/…` if its
   * configuration cannot be read; `runtime/manager-started` once the manager runs, also if `run` is called before this has ended
   */
  async addCluster(options: AddClusterOptions): Promise<ClusterHandle> {
    this.#mustBeNew();
    const { name, namespaces, cache: kinds } = options;
    const log = this.log.child({ cluster: name });
    const access = await connectOther(options, {
      ...{ manager: this.name, names: this.#otherNames, log },
      checkTime: () => this.#mustBeNew(),
    });
    const leader = this.#settings.election?.clientOf(access.connection) ?? access.client;
    const other = new ManagedCluster({
      ...{ name, access, namespaces, kinds },
      ...{ fieldManager: this.name, log, signal: this.#abort.signal },
    });
    const handle: ClusterHandle = { name, client: other.client('cluster', leader) };
    this.#others.set(handle, other);
    return handle;
  }

  /** Adds a check to `/healthz`. If the check keeps throwing, the kubelet restarts the container. */
  addHealthzCheck(name: string, check: HealthCheck): void {
    this.#mustBeNew();
    this.#checks.add('healthz', name, check);
  }

  /** Adds a check to `/readyz`. While the check throws, the pod gets no traffic. */
  addReadyzCheck(name: string, check: HealthCheck): void {
    this.#mustBeNew();
    this.#checks.add('readyz', name, check);
  }

  /**
   * Runs until the signal aborts. Starts HTTP servers, webhooks, caches, and then the runnables that do not need to lead. Once this process
   * leads, starts controllers and the other runnables. Stops in reverse order. Resolves when the running reconciles have ended and the
   * lease is released.
   *
   * @throws OpSdkError `runtime/cannot-listen`, `runtime/undeclared-kind`, `runtime/cache-not-synced`, `runtime/drain-timeout`,
   * `runtime/election-refused`, `runtime/leadership-lost`; the errors of a runnable
   */
  async run(options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    this.#mustBeNew();
    for (const { cache } of this.#clusters) cache.checkDeclared();
    this.#state = 'running';
    const { signal } = options;
    const requested = (): void => this.#stop.abort(signal?.reason);
    signal?.addEventListener('abort', requested, { once: true });
    if (signal?.aborted === true) requested();
    const life = new RunLife({
      ...{ log: this.log, stop: this.#stop.signal, lost: this.#leadership.lost },
      gracefulShutdownTimeout: this.#settings.gracefulShutdownTimeout,
    });
    const servers: RunningServer[] = [];
    const watching = new AbortController();
    let caches: Promise<void> | undefined;
    let webhooks: RunningServer | undefined;
    const monitor = new LoopMonitor({
      log: this.log,
      now: () => systemClock.now(),
      runningAt: (time) => this.#reconciles((runner) => runner.runningAt(time)),
    });
    monitor.start();
    const unwatch = watchCache(() => this.#clusters.flatMap((cluster) => cluster.states()));
    try {
      await serve(this.#settings, this.#checks, { servers, ports: this.#ports, log: this.log });
      await this.#checkPermissions();
      // Webhooks start before the caches, because this process may have to convert the objects that the caches list.
      webhooks = await this.#webhooks.start();
      caches = this.#startCaches(watching.signal);
      const { cacheSyncTimeout } = this.#settings;
      await Promise.all(
        this.#clusters.map(({ cache }) => cache.waitForSync(cacheSyncTimeout, this.#stop.signal)),
      );
      this.#hasStarted = true;
      await this.#work();
    } catch (error) {
      // A stop that was requested during the start is not a failure.
      if (error !== this.#stop.signal.reason || !isRequest(this.#stop.signal, signal)) {
        // Stops the parts that were already started.
        this.#stop.abort(error);
        throw error;
      }
    } finally {
      signal?.removeEventListener('abort', requested);
      await life.ended('events', this.#events.close(this.#leadership.lost.aborted ? 0 : undefined));
      await life.ended('leader election', this.#leadership.stop());
      await this.#webhooks.linger(this.#hurry());
      watching.abort();
      await life.ended('caches', caches);
      await webhooks?.close();
      await life.ended('servers', Promise.all(servers.map((server) => server.close())));
      monitor.stop();
      unwatch();
      await life.ended('connections', this.close());
      life.end();
    }
    this.log.info('Stopped');
  }

  /**
   * Changes the watched namespaces; before `run`, the value replaces the option `namespaces`. Cluster-scoped kinds, and kinds for which
   * `cached` selects namespaces, are not affected. Objects in namespaces that are not watched any more are not read or reconciled; the
   * objects that they own are kept.
   *
   * @param namespaces undefined: all namespaces
   * @returns a promise that resolves when the new namespaces are listed, and their objects are queued
   * @throws OpSdkError `runtime/invalid-manager`; `runtime/cache-not-synced` after `cacheSyncTimeout`, but the caches keep trying
   */
  async setNamespaces(namespaces: readonly string[] | undefined): Promise<void> {
    const findings = new FindingList();
    findings.add(...checkNamespaces(namespaces));
    findings.throwIfAny();
    const { cache } = this.#home;
    const added = cache.setNamespaces(namespaces);
    for (const runner of this.#controllers) runner.forgetAbsent();
    if (!cache.started || added.length === 0) return;
    await cache.waitForSync(this.#settings.cacheSyncTimeout, this.#stop.signal, added);
  }

  /** Closes the connections to the clusters. `run` calls it at its end. */
  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    await this.#leadership.close();
    await Promise.all(this.#clusters.map(({ access }) => access.close()));
  }

  /** Calls `close`, so that a manager can be declared with `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  get #clusters(): readonly ManagedCluster[] {
    return [this.#home, ...this.#others.values()];
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
    const prepared = prepareController(controller, {
      ...{
        name: this.name,
        log: this.log,
        cache: this.#home.cache,
        otherCache: (cluster) => this.#others.get(cluster)?.cache,
        client: this.#leaderClient,
        events: this.#events,
        ...{ onReconcile: this.#settings.onReconcile, failureEvents: this.#settings.failureEvents },
        standsBy: this.#settings.election !== undefined,
      },
      ...{ stop: this.#stop.signal, abort: this.#abort.signal },
    });
    this.#controllers.push(prepared.runner);
    this.#sources.push(prepared.runSources);
  }

  async #checkPermissions(): Promise<void> {
    const { permissions = [], cluster } = this.#settings;
    const { signal } = this.#stop;
    signal.throwIfAborted();
    if (permissions.length === 0) return;
    const { checkPermissions } = await import('./check-permissions.ts');
    const { cache } = this.#home;
    await checkPermissions({ connection: cluster.connection, permissions, cache, log: this.log, signal });
  }

  /** Starts the caches, and resolves when all watches have ended. A failure stops the manager. */
  async #startCaches(signal: AbortSignal): Promise<void> {
    this.log.info('Starting caches');
    try {
      await Promise.all(this.#clusters.map(({ cache }) => cache.start(signal)));
    } catch (error) {
      this.#stop.abort(error);
    }
  }

  /** Runs the work of the manager, from the start of the controllers to the end of the last reconcile. */
  async #work(): Promise<void> {
    const stop = this.#stop.signal;
    const { lost } = this.#leadership;
    onAbort(lost, (error) => {
      this.#stop.abort(error);
      this.#abort.abort(error);
    });
    const others = this.#runnables.start({ needsLeaderElection: false }, this.#freeClient);
    const leads = await this.#leadership.begin(stop).catch((error: unknown) => {
      this.#stop.abort(error);
      return false;
    });
    const elected = leads ? this.#lead() : [];
    await untilAborted(stop);
    const cause: unknown = stop.reason;
    this.log.info({ reason: cause instanceof Error ? messageOf(cause) : undefined }, 'Stopping');
    const leaderWork = Promise.all([...this.#controllers.map((runner) => runner.stop()), ...elected]);
    try {
      await drain({
        work: Promise.all([leaderWork.then(() => this.#handOver()), ...others]),
        timeout: this.#settings.gracefulShutdownTimeout,
        force: this.#hurry(),
        abort: this.#abort,
        reason: cause,
        clock: systemClock,
        left: () => this.#left(),
      });
    } catch (error) {
      if (!lost.aborted) throw error;
      const running = this.#left();
      if (running.length > 0) this.log.error({ running }, 'Still running after the lead was lost');
    }
    // Throws also if the lead was lost after the stop was requested, because the work did not end in order.
    lost.throwIfAborted();
    stop.throwIfAborted();
  }

  /** Starts the work that requires the lead. Returns one promise for the end of each part of that work. */
  #lead(): readonly Promise<void>[] {
    this.#leadership.announce(this.#events, this.name, this.log);
    this.#webhooks.lead();
    for (const runner of this.#controllers) {
      runner.start();
      const { name, concurrency } = runner.controller;
      this.log.info({ controller: name, workers: concurrency }, 'Starting workers');
    }
    const sources = this.#sources.map((run) => run());
    return [...sources, ...this.#runnables.start({ needsLeaderElection: true }, this.client)];
  }

  /** Releases the lease after the leader's work has ended in time, so that another replica need not wait until the lease expires. */
  async #handOver(): Promise<void> {
    if (this.#settings.election === undefined || this.#abort.signal.aborted) return;
    await this.#events.close(LAST_EVENTS_MS);
    await this.#leadership.release();
  }

  /** Returns a signal that ends the waits of an orderly stop: it aborts when the stop is forced, or the lead is lost. */
  #hurry(): AbortSignal {
    const { reason } = this.#stop.signal as { readonly reason: unknown };
    const { lost } = this.#leadership;
    return reason instanceof StopRequest ? AbortSignal.any([reason.force, lost]) : lost;
  }

  /** Returns descriptions of the reconciles and runnables that are still running. */
  #left(): string[] {
    const reconciles = this.#reconciles((runner) => runner.running).map((name) => `reconcile of ${name}`);
    return [...reconciles, ...this.#runnables.running.map((name) => `runnable ${name}`)];
  }

  #reconciles(keysOf: (runner: ControllerRunner) => readonly string[]): string[] {
    return this.#controllers.flatMap((runner) =>
      keysOf(runner).map((key) => `${runner.controller.for.kind} ${key}`),
    );
  }

  #mustBeNew(): void {
    if (this.#state === 'new') return;
    throw startedBefore(this.name);
  }
}
