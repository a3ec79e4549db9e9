import { durationText } from '../../../base/util/duration-text.ts';
import { parseKey } from '../../kube/index.ts';
import { toError, type Clock } from '../../net/index.ts';
import type { Logger } from '../create-logger.ts';
import type { WorkQueue } from '../queue/index.ts';
import type { Controller } from './define-controller.ts';
import { ReconcileRun } from './reconcile-run.ts';
import { isTerminalError, unwrapTerminalError } from './result.ts';
import type { RunWatch } from './run-watch.ts';

/** Milliseconds until the next look at an object that the cache may only not have listed yet. */
const LOOK_AGAIN_MS = 1000;

interface ForgettingOptions {
  readonly queue: WorkQueue;
  readonly clock: Clock;
  readonly log: Logger;
  readonly runs: RunWatch<ReconcileRun>;
  /** Returns false while the cache may not know an object only because it lists again. */
  readonly isAbsent: (key: string) => boolean;
}

/**
 * Calls `forget` of a controller for the objects that it has reconciled and that are gone. Compares uids at the turn of a key, not events,
 * because a list that is read again may bring a new object of the same name before the deletion of the old one is reported.
 */
export class Forgetting {
  readonly #controller: Controller;
  readonly #options: ForgettingOptions;
  /** The uid of the object that was reconciled last, by key. */
  readonly #reconciled = new Map<string, string>();
  /** The keys whose last call failed, so that the failures that the queue counts are those of `forget`. */
  readonly #failed = new Set<string>();

  constructor(controller: Controller, options: ForgettingOptions) {
    this.#controller = controller;
    this.#options = options;
  }

  /** Remembers an object that is about to be reconciled. */
  reconciles(key: string, uid: string): void {
    if (this.#controller.forget === undefined) return;
    this.#reconciled.set(key, uid);
    this.#failed.delete(key);
  }

  /** Returns true if an object was reconciled that is not the present one. @param uid undefined if no object is present */
  isDue(key: string, uid: string | undefined): boolean {
    const known = this.#reconciled.get(key);
    return known !== undefined && known !== uid;
  }

  /** Returns true if the object of a key was reconciled last, or another one before it that was not forgotten yet. */
  keeps(key: string): boolean {
    return this.#reconciled.has(key);
  }

  /** Queues the objects that have left the cache without an event. @param isPresent returns true for a key in the cache */
  queueAbsent(isPresent: (key: string) => boolean): void {
    for (const key of this.#reconciled.keys()) if (!isPresent(key)) this.#options.queue.add(key);
  }

  /**
   * Takes the turn of a key that is due. Never rejects: a failed call is logged, and repeated after a back-off.
   *
   * @param isReplaced true if another object of the same name is present, which takes the next turn
   * @returns the error of a failed call
   */
  async take(key: string, isReplaced: boolean): Promise<Error | undefined> {
    const { queue, clock, log, runs, isAbsent } = this.#options;
    if (!isReplaced && !isAbsent(key)) {
      queue.addAfter(key, LOOK_AGAIN_MS);
      return undefined;
    }
    const { name, namespace } = parseKey(key);
    // Failed reconciles of the object that is gone delay neither the call nor its successor.
    if (!this.#failed.has(key)) queue.forget(key);
    const attempt = queue.failures(key) + 1;
    const run = new ReconcileRun(key, clock.now(), attempt, () => log.child({ namespace, name }));
    let failure: Error | undefined;
    runs.begin(run);
    try {
      const now = (): number => clock.today().getTime();
      await this.#controller.forget?.({ name, namespace }, { log: run.log, signal: run.signal, now });
      if (run.timeout !== undefined) throw run.timeout;
    } catch (error) {
      failure = toError(error);
      const delay = isTerminalError(error) ? undefined : queue.addRateLimited(key);
      const retry = delay === undefined ? {} : { retryAfter: durationText(delay) };
      run.log.error({ error: unwrapTerminalError(error), attempt, ...retry }, 'Object not forgotten');
      if (delay !== undefined) {
        this.#failed.add(key);
        return failure;
      }
    } finally {
      runs.end(run);
    }
    this.#reconciled.delete(key);
    this.#failed.delete(key);
    queue.forget(key);
    if (isReplaced) queue.add(key);
    return failure;
  }
}
