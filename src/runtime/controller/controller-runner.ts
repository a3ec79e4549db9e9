import { randomUUID } from 'node:crypto';
import type { CachedObject } from '../cache/index.ts';
import { parseKey } from '../../kube/object-key.ts';
import type { ControllerClient } from '../client/index.ts';
import { systemClock, type Clock } from '../../net/index.ts';
import type { Logger } from '../create-logger.ts';
import {
  queueMetrics,
  reconcileMetrics,
  watchUnfinishedWork,
  type ReconcileMetrics,
} from '../metrics/index.ts';
import { WorkQueue } from '../queue/index.ts';
import type { Controller, ReconcileContext } from './define-controller.ts';
import { isPanic } from './is-panic.ts';
import type { ReconcileResult } from './result.ts';
import { isTerminalError, unwrapTerminalError } from './terminal-error.ts';

export interface ControllerRunnerOptions {
  /** The object as the cache has it now. */
  lookUp(key: string): CachedObject | undefined;
  clientFor(object: CachedObject): ControllerClient;
  readonly log: Logger;
  /** Handed to reconciles: aborted when the time to drain is over. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

/** A controller at work: its queue, and as many workers as it may have. */
export class ControllerRunner {
  readonly controller: Controller;
  readonly queue: WorkQueue;
  readonly #options: ControllerRunnerOptions;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #metrics: ReconcileMetrics;
  readonly #running = new Set<string>();

  constructor(controller: Controller, options: ControllerRunnerOptions) {
    this.controller = controller;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#log = options.log.child({ controller: controller.name });
    this.#metrics = reconcileMetrics(controller.name, controller.concurrency);
    this.queue = new WorkQueue({ clock: this.#clock, observer: queueMetrics(controller.name) });
    watchUnfinishedWork(controller.name, this.queue);
  }

  /** The objects that are being reconciled now. */
  get running(): readonly string[] {
    return [...this.#running];
  }

  /** Starts the workers. They end with `stop`. */
  start(): void {
    for (let i = 0; i < this.controller.concurrency; i++) void this.#work();
  }

  /** Begins no more reconciles and resolves when the running ones have ended. */
  async stop(): Promise<void> {
    return this.queue.shutDown();
  }

  async #work(): Promise<void> {
    for (let key = await this.queue.get(); key !== undefined; key = await this.queue.get()) {
      this.#running.add(key);
      await this.#process(key);
      this.#running.delete(key);
      this.queue.done(key);
    }
  }

  /** Never rejects: a worker outlives whatever a reconcile throws. */
  async #process(key: string): Promise<void> {
    const { name, namespace } = parseKey(key);
    const object = this.#options.lookUp(key);
    if (object === undefined) {
      this.#log.info(
        { kind: this.controller.for.kind, namespace, name },
        'Object not found; skipping reconcile',
      );
      this.queue.forget(key);
      return;
    }
    const reconcileID = randomUUID();
    const log = this.#log.child({ namespace, name, reconcileID });
    const start = this.#clock.now();
    const seconds = (): number => (this.#clock.now() - start) / 1000;
    this.#metrics.started();
    try {
      const result = await this.controller.reconcile(object, this.#context(object, log, reconcileID));
      this.#metrics.ended(this.#requeue(key, result), seconds());
    } catch (error) {
      const terminal = isTerminalError(error);
      this.#metrics.ended('error', seconds(), { terminal, panic: isPanic(error) });
      if (!terminal) this.queue.addRateLimited(key);
      log.error(
        { error: unwrapTerminalError(error), ...(terminal ? { terminal } : {}), ...hintFor(error) },
        'Reconciler error',
      );
    }
  }

  #context(object: CachedObject, log: Logger, reconcileID: string): ReconcileContext {
    const { name, namespace } = object.metadata;
    const { signal } = this.#options;
    return { client: this.#options.clientFor(object), log, signal, key: { name, namespace }, reconcileID };
  }

  #requeue(key: string, result: ReconcileResult | undefined | void): 'success' | 'requeue' | 'requeue_after' {
    if (!result) {
      this.queue.forget(key);
      return 'success';
    }
    const delay: unknown = result.requeueAfter;
    if (typeof delay !== 'number' || !Number.isFinite(delay)) {
      throw new TypeError(
        `reconcile: expected nothing or requeueAfter('30s') to be returned, got ${JSON.stringify(result)}`,
      );
    }
    if (delay <= 0) {
      this.queue.addRateLimited(key);
      return 'requeue';
    }
    this.queue.forget(key);
    this.queue.addAfter(key, delay);
    return 'requeue_after';
  }
}

/** The mistake that everybody makes once deserves more than V8's message. */
function hintFor(error: unknown): { readonly hint?: string } {
  if (
    !(error instanceof TypeError) ||
    !/read only property|not extensible|Cannot delete property/.test(error.message)
  )
    return {};
  return { hint: 'objects from the cache are frozen: change a copy, mutableCopy(object)' };
}
