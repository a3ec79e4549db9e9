import { randomUUID } from 'node:crypto';
import type { CachedObject } from '../cache/index.ts';
import { messageOf, OpSdkError } from '../../../base/errors/index.ts';
import { isNotFound, parseKey } from '../../kube/index.ts';
import { isAbort, onAbort, systemClock, withClock, type Clock } from '../../net/index.ts';
import type { Logger } from '../create-logger.ts';
import { diagnostics, type RunEnd } from '../diagnostics.ts';
import { durationText } from '../../../base/util/duration-text.ts';
import {
  queueMetrics,
  reconcileMetrics,
  watchUnfinishedWork,
  type ReconcileMetrics,
} from '../metrics/index.ts';
import { ExponentialBackoff, WorkQueue } from '../queue/index.ts';
import { processTurn, type Turn } from '../yielding.ts';
import type { Controller } from './define-controller.ts';
import {
  checkedDelay,
  isWaiting,
  type ReconcileResult,
  isTerminalError,
  unwrapTerminalError,
  isPanic,
} from './result.ts';
import { logFailure } from './failure.ts';
import { Forgetting } from './forgetting.ts';
import type { RunObserver } from './observation.ts';
import { reconcileObject } from './reconcile-object.ts';
import { runContext, ReconcileRun, type ContextOptions } from './reconcile-run.ts';
import { FailureReport } from './report-failure.ts';
import { RunWatch } from './run-watch.ts';

export interface ControllerRunnerOptions extends Pick<ContextOptions, 'clientFor' | 'eventsFor'> {
  /** Returns the current object with the key from the cache; undefined if the object does not exist. */
  readonly lookUp: (key: string) => CachedObject | undefined;
  /** Returns false if the cache may not know the object yet, because it lists the kind again. Default: always true. */
  readonly isAbsent?: (key: string) => boolean;
  /** Observes each run. Default: none. */
  readonly observer?: RunObserver | undefined;
  readonly log: Logger;
  /** Signal that aborts all runs when the time for running reconciles to finish at shutdown is over. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  /** Lets other work run between two runs of a worker. Default: shared by the process. */
  readonly turn?: Turn;
  /** Interval in milliseconds at which a run that has not ended is logged. Default: 60,000. */
  readonly slowAfter?: number;
  /** Record Events about objects that keep failing, unless the controller reports failures itself. Default: false. */
  readonly failureEvents?: boolean;
  /**
   * Called at the end of each run of a worker, with the thrown error. The error is undefined after a success, or if the object no longer
   * exists.
   */
  readonly onRun?: (key: string, error: unknown) => void;
}

/** Runs a controller. Manages the controller's queue and as many workers as its concurrency allows. */
export class ControllerRunner {
  readonly controller: Controller;
  readonly queue: WorkQueue;
  readonly #options: ControllerRunnerOptions;
  readonly #clock: Clock;
  readonly #turn: Turn;
  readonly #log: Logger;
  readonly #metrics: ReconcileMetrics;
  readonly #runs: RunWatch<ReconcileRun>;
  readonly #context: ContextOptions;
  readonly #failures: FailureReport;
  readonly #forgetting: Forgetting;
  /** The objects that the latest runs wait for, by key. */
  readonly #waits = new Map<string, string>();
  #stopListening: () => void = () => undefined;

  constructor(controller: Controller, options: ControllerRunnerOptions) {
    this.controller = controller;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#turn = options.turn ?? processTurn;
    this.#log = options.log.child({ controller: controller.name });
    this.#metrics = reconcileMetrics(controller.name, controller.concurrency);
    this.queue = new WorkQueue({
      clock: this.#clock,
      rateLimiter: new ExponentialBackoff(controller.backoff),
      observer: diagnostics.queueObserver(controller.name, queueMetrics(controller.name)),
    });
    watchUnfinishedWork(controller.name, this.queue);
    this.#runs = new RunWatch({
      clock: this.#clock,
      timeout: controller.reconcileTimeout,
      slowAfter: options.slowAfter,
      onTimeout: (run) => this.#timedOut(run),
      onSlow: ({ log, attempt, timeout }, milliseconds) =>
        log.warn(
          {
            attempt,
            running: durationText(milliseconds),
            ...(timeout === undefined ? {} : { aborted: true }),
          },
          'Reconcile still running',
        ),
    });
    const { lookUp, clientFor, eventsFor, signal, observer, failureEvents = false } = options;
    this.#context = {
      ...{ clientFor, eventsFor, signal, clock: this.#clock },
      hasTimeout: controller.reconcileTimeout !== undefined,
      isCounted: observer !== undefined,
    };
    const runs = this.#runs;
    this.#failures = new FailureReport(controller, { lookUp, context: this.#context, runs, failureEvents });
    this.#forgetting = new Forgetting(controller, {
      ...{ queue: this.queue, clock: this.#clock, log: this.#log, runs },
      isAbsent: options.isAbsent ?? (() => true),
    });
  }

  /** The keys that are currently being reconciled. */
  get running(): readonly string[] {
    return this.#runs.keys;
  }

  /**
   * Returns the keys that were being reconciled at the given time of the clock, if their run has not ended yet, or took at least 500
   * milliseconds.
   */
  runningAt(time: number): readonly string[] {
    return this.#runs.keysAt(time);
  }

  /** Starts the workers, which run until `stop`. */
  start(): void {
    // One listener serves all runs, because the signal exists as long as the process.
    this.#stopListening = onAbort(this.#options.signal, (reason) => this.#runs.abort(reason));
    withClock(this.#clock, () => {
      for (let i = 0; i < this.controller.concurrency; i++) void this.#work();
    });
  }

  /** Returns true if `forget` of the controller has to be called for an object with this key that is gone. */
  keeps(key: string): boolean {
    return this.#forgetting.keeps(key);
  }

  /** Queues the objects that have left the cache without an event, such as those of a namespace that is no longer watched. */
  forgetAbsent(): void {
    this.#forgetting.queueAbsent((key) => this.#options.lookUp(key) !== undefined);
  }

  /** Starts no more reconciles. Resolves when the running reconciles have ended. */
  async stop(): Promise<void> {
    await this.queue.shutDown();
    this.#runs.stop();
    this.#stopListening();
  }

  async #work(): Promise<void> {
    for (;;) {
      // Yields to other work, because runs that read only the cache never wait for I/O and would block it.
      await this.#turn.yieldIfDue();
      const key = await this.queue.get();
      if (key === undefined) return;
      await this.#process(key);
      this.queue.done(key);
    }
  }

  /** Runs one reconcile. Never rejects, because a worker must survive any error of a reconcile. */
  async #process(key: string): Promise<void> {
    const { name, namespace } = parseKey(key);
    const { observer } = this.#options;
    const object = this.#options.lookUp(key);
    if (this.#forgetting.isDue(key, object?.metadata.uid)) {
      if (object === undefined) observer?.take(key);
      this.#waits.delete(key);
      const failure = await this.#forgetting.take(key, object !== undefined);
      this.#options.onRun?.(key, failure);
      return;
    }
    const trigger = observer?.take(key);
    if (object === undefined) {
      this.#log.debug(
        { kind: this.controller.for.kind, namespace, name },
        'Object not found; skipping reconcile',
      );
      this.queue.forget(key);
      this.#waits.delete(key);
      this.#options.onRun?.(key, undefined);
      return;
    }
    const reconcileID = randomUUID();
    const run = new ReconcileRun(key, this.#clock.now(), this.queue.failures(key) + 1, () =>
      this.#log.child({ namespace, name, reconcileID }),
    );
    const { name: controller, for: resource } = this.controller;
    const start = observer === undefined ? undefined : this.#clock.today();
    const ended = (end: RunEnd): RunEnd => {
      const { outcome, delay, error } = end;
      const duration = this.#clock.now() - run.began;
      const thrown =
        outcome === 'error' ? { terminal: isTerminalError(error), panic: isPanic(error) } : undefined;
      this.#metrics.ended(outcome, duration / 1000, thrown);
      if (observer === undefined || start === undefined) return end;
      observer.ended({
        controller,
        kind: resource.kind,
        key: { name, namespace },
        reconcileID,
        trigger,
        attempt: run.attempt,
        start,
        duration,
        requests: run.requests,
        result: outcome,
        ...(outcome === 'error' ? { error: unwrapTerminalError(error) } : {}),
        ...(this.#waits.has(key) ? { waitingFor: this.#waits.get(key) } : {}),
        nextTry: delay === undefined ? undefined : new Date(this.#clock.today().getTime() + delay),
      });
      return end;
    };
    this.#metrics.started();
    this.#runs.begin(run);
    this.#forgetting.reconciles(key, object.metadata.uid);
    const reconcile = async (): Promise<RunEnd> => {
      let failure: unknown;
      try {
        return ended(this.#requeue(key, await this.#reconcile(object, run, reconcileID)));
      } catch (error) {
        if (this.#isDeleted(object, run, error)) {
          run.log.debug({ attempt: run.attempt, reason: messageOf(error) }, 'Object was deleted meanwhile');
          return ended(this.#requeue(key, undefined));
        }
        failure = error;
        const delay = isTerminalError(error) ? undefined : this.queue.addRateLimited(key);
        if (delay !== undefined) observer?.queued(key, { type: 'retry' });
        logFailure(run.log, { error, attempt: run.attempt, delay });
        const end = ended({ outcome: 'error', delay, error });
        await this.#failures.report(object, { run, reconcileID, error, willRetry: delay !== undefined });
        return end;
      } finally {
        this.#runs.end(run);
        this.#options.onRun?.(key, failure);
      }
    };
    // Spelled out, because a spread costs several microseconds a run on Node 20.
    await diagnostics.run({
      controller,
      for: resource,
      key: { name, namespace },
      reconcileID,
      trigger,
      attempt: run.attempt,
      waited: this.queue.held(key)?.waited,
      run: reconcile,
    });
  }

  /**
   * Runs one reconcile without the queue, for tests. Requires the preparations of `start`.
   *
   * @returns the delay until the next run; undefined if the reconcile requests none, or if the object does not exist
   * @throws the errors of the run
   */
  async runOnce(key: string): Promise<ReconcileResult | undefined> {
    return withClock(this.#clock, () => this.#runOnce(key));
  }

  async #runOnce(key: string): Promise<ReconcileResult | undefined> {
    const object = this.#options.lookUp(key);
    if (this.#forgetting.isDue(key, object?.metadata.uid)) {
      const error = await this.#forgetting.take(key, object !== undefined);
      if (error !== undefined) throw error;
    }
    if (object === undefined) return undefined;
    const { name, namespace, uid } = object.metadata;
    const reconcileID = randomUUID();
    const run = new ReconcileRun(key, this.#clock.now(), 1, () =>
      this.#log.child({ namespace, name, reconcileID }),
    );
    this.#runs.begin(run);
    this.#forgetting.reconciles(key, uid);
    try {
      const delay = await this.#reconcile(object, run, reconcileID);
      return delay === undefined ? undefined : { requeueAfter: delay };
    } catch (error) {
      await this.#failures.report(object, { run, reconcileID, error, willRetry: !isTerminalError(error) });
      throw error;
    } finally {
      this.#runs.end(run);
    }
  }

  /** @returns the delay that the run requests. @throws the errors of the run; the timeout of a run that took too long */
  async #reconcile(
    object: CachedObject,
    run: ReconcileRun,
    reconcileID: string,
  ): Promise<number | undefined> {
    const before = this.#waits.get(run.key);
    this.#waits.delete(run.key);
    try {
      const context = runContext(run, object, reconcileID, this.#context);
      const result = await reconcileObject(this.controller, object, context).catch((thrown: unknown) => {
        if (isWaiting(thrown)) return thrown;
        throw thrown;
      });
      // An aborted run may have returned without completing the reconcile, so its result is not used.
      if (run.timeout !== undefined) throw run.timeout;
      if (isWaiting(result)) {
        this.#waits.set(run.key, result.message);
        run.log[before === result.message ? 'debug' : 'info']({ for: result.message }, 'Waiting');
      }
      return checkedDelay(result);
    } catch (thrown) {
      throw run.timeout !== undefined && isAbort(thrown, run.timeout) ? run.timeout : thrown;
    }
  }

  #timedOut(run: ReconcileRun): void {
    const { name, for: resource, reconcileTimeout = 0 } = this.controller;
    run.timeout = new OpSdkError({
      code: 'runtime/reconcile-timeout',
      message: `reconcile of ${resource.kind} ${run.key} did not end within ${durationText(reconcileTimeout)}`,
      where: { object: `controller ${name}` },
      fix: [
        'use requeueAfter instead of waiting, and pass ctx.signal to what waits',
        'or raise reconcileTimeout of the controller',
      ],
    });
    this.#metrics.timedOut();
    run.abort(run.timeout);
  }

  /**
   * Returns true for a 404 of a write if the object of the run was deleted, or replaced by another object of the same name. In this case
   * the run has nothing left to do, and a new object has its own run. The first 404 for the object itself counts, too, because the watch
   * may not have seen the deletion yet.
   */
  #isDeleted(object: CachedObject, run: ReconcileRun, error: unknown): boolean {
    if (!isNotFound(error) || readVerbs.has(error.target.verb)) return false;
    const present = this.#options.lookUp(run.key);
    if (present?.metadata.uid !== object.metadata.uid) return true;
    const { resource, namespace, name } = error.target;
    const { for: own } = this.controller;
    const isSelf =
      resource?.group === own.group &&
      resource.plural === own.plural &&
      name === object.metadata.name &&
      (namespace ?? '') === (object.metadata.namespace ?? '');
    return isSelf && run.attempt === 1 && error.details?.kind !== 'namespaces';
  }

  #requeue(key: string, delay: number | undefined): RunEnd {
    if (delay === undefined) {
      this.queue.forget(key);
      return { outcome: 'success' };
    }
    this.#options.observer?.queued(key, { type: 'requeue' });
    if (delay <= 0) return { outcome: 'requeue', delay: this.queue.addRateLimited(key) };
    this.queue.forget(key);
    this.queue.addAfter(key, delay);
    return { outcome: 'requeue_after', delay };
  }
}

const readVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
