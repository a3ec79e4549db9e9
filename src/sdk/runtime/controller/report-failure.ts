import { toError } from '../../net/index.ts';
import type { CachedObject } from '../cache/index.ts';
import type { Controller } from './define-controller.ts';
import type { FailureEvents } from './failure-events.ts';
import { isPassingConflict, logErrorHandler } from './failure.ts';
import { runContext, ReconcileRun, type ContextOptions } from './reconcile-run.ts';
import { unwrapTerminalError } from './result.ts';
import type { RunWatch } from './run-watch.ts';

interface FailureReportOptions {
  readonly lookUp: (key: string) => CachedObject | undefined;
  readonly context: ContextOptions;
  /** Watches the calls of `onError`, as runs of their own. */
  readonly runs: RunWatch<ReconcileRun>;
  /** Record Events about objects that keep failing. */
  readonly failureEvents: boolean;
}

/** A failed run, for its report. */
interface FailedRun {
  readonly run: ReconcileRun;
  readonly reconcileID: string;
  readonly error: unknown;
  readonly willRetry: boolean;
}

/** Reports failed runs of a controller to its `onError`, or else by Events about the objects. */
export class FailureReport {
  readonly #controller: Controller;
  readonly #options: FailureReportOptions;
  #events: FailureEvents | undefined;

  constructor(controller: Controller, options: FailureReportOptions) {
    this.#controller = controller;
    this.#options = options;
  }

  /** Reports a failed run, unless it is a passing conflict, the object is gone, or the operator stops. Never rejects. */
  async report({ metadata: { uid } }: CachedObject, failed: FailedRun): Promise<void> {
    const { lookUp, context, failureEvents } = this.#options;
    if (isPassingConflict(failed.error) || context.signal.aborted) return;
    // The current state, because reconcile may have written the status before it failed.
    const object = lookUp(failed.run.key);
    if (object?.metadata.uid !== uid || object === undefined) return;
    if (this.#controller.onError !== undefined) await this.#call(object, failed);
    else if (failureEvents && this.#controller.failureEvents) await this.#record(object, failed);
  }

  async #record(object: CachedObject, { run, error, willRetry }: FailedRun): Promise<void> {
    const { clock, eventsFor } = this.#options.context;
    try {
      // Imported on demand, because most operators seldom fail.
      const { FailureEvents: Events } = await import('./failure-events.ts');
      this.#events ??= new Events(clock);
      this.#events.record(
        object,
        { error: failureOf(error), attempt: run.attempt, willRetry },
        eventsFor(object),
      );
    } catch (thrown) {
      logErrorHandler(run.log, thrown);
    }
  }

  async #call(
    object: CachedObject,
    { run: before, error, reconcileID, willRetry }: FailedRun,
  ): Promise<void> {
    const { context: options, runs } = this.#options;
    const { key, attempt, log } = before;
    // A run of its own, because the signal of a run that took too long is aborted.
    const run = new ReconcileRun(key, options.clock.now(), attempt, () => log);
    runs.end(before);
    runs.begin(run);
    try {
      const context = Object.assign(runContext(run, object, reconcileID, options), { willRetry });
      await this.#controller.onError?.(object, failureOf(error), context);
    } catch (thrown) {
      if (!options.signal.aborted) logErrorHandler(log, thrown);
    } finally {
      runs.end(run);
    }
  }
}

function failureOf(error: unknown): Error {
  return toError(unwrapTerminalError(error));
}
