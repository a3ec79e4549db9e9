import type { CachedObject, CachedReader } from '../cache/index.ts';
import { keyOf, type ObjectKey } from '../../kube/index.ts';
import { onAbort, systemClock, withClock, type Clock } from '../../net/index.ts';
import { RunWatch, type TimedRun } from '../controller/run-watch.ts';
import { isTerminalError, unwrapTerminalError } from '../controller/result.ts';
import type { Controller, MapContext, ObjectWatch } from '../controller/index.ts';
import type { Logger } from '../create-logger.ts';
import { durationText } from '../../../base/util/duration-text.ts';
import { ExponentialBackoff, WorkQueue } from '../queue/index.ts';
import { processTurn, type Turn } from '../yielding.ts';

/** Maximum number of `map` functions of a controller that run at the same time. */
const WORKERS = 16;

/** Maximum number of queued states of an object: the first state and the last two. */
const STATES = 3;

interface WatchMapperOptions {
  readonly controller: Controller;
  /** Reader that is passed to `map` functions. */
  readonly reader: CachedReader;
  readonly log: Logger;
  /** Ends the mapping when it aborts: queued states are dropped. */
  readonly signal: AbortSignal;
  /** Queues the keys that a `map` function returned; throws for invalid keys. */
  add(keys: Iterable<ObjectKey>, priority: number | undefined, watch: ObjectWatch): void;
  readonly clock?: Clock | undefined;
  readonly turn?: Turn | undefined;
}

interface MapRun extends TimedRun {
  readonly object: CachedObject;
}

interface Pending {
  readonly watch: ObjectWatch;
  readonly states: readonly CachedObject[];
}

/**
 * Runs the `map` functions of a controller's watches, a limited number at a time. A function that failed runs again after a back-off,
 * because the change would be lost otherwise. Changes of an object that arrive while it is queued are combined: of more than three states,
 * only the first and the last two (before and after the last change) are mapped.
 */
export class WatchMapper {
  readonly #options: WatchMapperOptions;
  /** Queued states of objects, by watch, key and uid. */
  readonly #pending = new Map<string, Pending>();
  readonly #queue: WorkQueue;
  readonly #turn: Turn;
  readonly #clock: Clock;
  /** Reports `map` functions that do not end, because each of them occupies a worker. */
  readonly #runs: RunWatch<MapRun>;
  readonly #context: MapContext;

  constructor(options: WatchMapperOptions) {
    this.#options = options;
    const { clock, controller, signal } = options;
    this.#turn = options.turn ?? processTurn;
    this.#clock = options.clock ?? systemClock;
    this.#context = { client: options.reader, now: () => this.#clock.today().getTime() };
    this.#queue = new WorkQueue({
      ...(clock === undefined ? {} : { clock }),
      rateLimiter: new ExponentialBackoff(controller.backoff),
    });
    this.#runs = new RunWatch({
      clock: this.#clock,
      timeout: undefined,
      onTimeout: () => undefined,
      onSlow: ({ object: { kind, metadata } }, milliseconds) => {
        const { namespace, name } = metadata;
        options.log.warn(
          { controller: controller.name, kind, namespace, name, running: durationText(milliseconds) },
          'Watch map function still running',
        );
      },
    });
    onAbort(signal, (reason) => {
      this.#runs.abort(reason);
      this.#pending.clear();
      void this.#queue.shutDown();
    });
    if (controller.watches.length === 0) return;
    withClock(this.#clock, () => {
      for (let i = 0; i < WORKERS; i++) void this.#work();
    });
  }

  /** Queues the given states of one object for the `map` function of a watch, in this order. */
  add(watch: ObjectWatch, states: readonly CachedObject[], priority: number | undefined): void {
    const [object] = states;
    if (object === undefined || this.#options.signal.aborted) return;
    const place = this.#options.controller.watches.indexOf(watch);
    const id = `${place} ${keyOf(object)} ${object.metadata.uid ?? ''}`;
    this.#keep(id, { watch, states: [...(this.#pending.get(id)?.states ?? []), ...states] });
    this.#queue.add(id, { priority });
  }

  #keep(id: string, { watch, states }: Pending): void {
    const distinct = [...new Set(states)];
    const kept =
      distinct.length > STATES ? [...distinct.slice(0, 1), ...distinct.slice(1 - STATES)] : distinct;
    this.#pending.set(id, { watch, states: kept });
  }

  async #work(): Promise<void> {
    for (;;) {
      await this.#turn.yieldIfDue();
      const id = await this.#queue.get();
      if (id === undefined) return;
      await this.#mapAll(id);
      this.#queue.done(id);
    }
  }

  /** Maps all queued states of an object. Never rejects: states whose `map` function failed are queued for the next try. */
  async #mapAll(id: string): Promise<void> {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    const { watch, states } = pending;
    const priority = this.#queue.held(id)?.priority;
    const failed: { readonly object: CachedObject; readonly error: unknown }[] = [];
    for (const object of states) {
      const run = { key: id, began: this.#clock.now(), object, abort: () => undefined };
      this.#runs.begin(run);
      try {
        this.#options.add(await watch.map(object, this.#context), priority, watch);
      } catch (error) {
        failed.push({ object, error });
      } finally {
        this.#runs.end(run);
      }
    }
    // After the signal aborts, failures are ignored: the keys are no longer needed, and reads with that signal fail.
    if (this.#options.signal.aborted) return;
    this.#retry(id, watch, failed);
  }

  #retry(
    id: string,
    watch: ObjectWatch,
    failed: readonly { readonly object: CachedObject; readonly error: unknown }[],
  ): void {
    const attempt = this.#queue.failures(id) + 1;
    const again = failed.filter(({ error }) => !isTerminalError(error)).map(({ object }) => object);
    let delay: number | undefined;
    if (again.length > 0) {
      // The failed states come first, because states that have arrived meanwhile are newer.
      this.#keep(id, { watch, states: [...again, ...(this.#pending.get(id)?.states ?? [])] });
      delay = this.#queue.addRateLimited(id);
    } else {
      this.#queue.forget(id);
    }
    const { controller, log } = this.#options;
    for (const { object, error } of failed) {
      const { kind, metadata } = object;
      const { namespace, name } = metadata;
      const retryAfter =
        delay === undefined || isTerminalError(error) ? {} : { retryAfter: durationText(delay) };
      log.error(
        {
          controller: controller.name,
          kind,
          namespace,
          name,
          error: unwrapTerminalError(error),
          attempt,
          ...retryAfter,
        },
        'Watch map function failed',
      );
    }
  }
}
