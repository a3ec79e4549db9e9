import type { ObjectKey } from '../../kube/index.ts';
import type { Logger } from '../create-logger.ts';
import type { ReconcileOutcome } from '../metrics/index.ts';

/** Trigger of a reconcile. If several events occur before one run, this is the first event. */
export interface ReconcileTrigger {
  /**
   * `for`, `owns`, `watch`: an object changed; `every`, `from`: a source yielded the key; `requeue`: the last run returned `requeueAfter`;
   * `retry`: the last run failed.
   */
  readonly type: 'for' | 'owns' | 'watch' | 'every' | 'from' | 'requeue' | 'retry';
  /** The kind of the changed object, or the name of the source. Undefined for `requeue` and `retry`. */
  readonly source?: string | undefined;
  /** Type of the change of the object, for `for` and `owns`. `create` for an object of the first list. */
  readonly event?: 'create' | 'update' | 'delete' | undefined;
  /** The object that changed, for `for` and `owns`. */
  readonly object?: ObjectKey | undefined;
}

/** One completed run of a reconcile. */
export interface ReconcileObservation {
  /** The name of the controller, as in metrics and logs. */
  readonly controller: string;
  /** The kind of the `for` objects. */
  readonly kind: string;
  /** The object that was reconciled. */
  readonly key: ObjectKey;
  /** ID of the run, contained in its log lines. */
  readonly reconcileID: string;
  /** Trigger of the run; undefined if it is unknown. */
  readonly trigger: ReconcileTrigger | undefined;
  /** Number of the try: 1 for the first run, and one more after each error. */
  readonly attempt: number;
  /** Start time of the run. */
  readonly start: Date;
  /** Duration in milliseconds. */
  readonly duration: number;
  /**
   * Number of calls of the run's client that went to the API server. Reads from the cache, and writes that would change nothing, are not
   * counted.
   */
  readonly requests: number;
  /** Result of the run. Has the same values as the label `result` of `controller_runtime_reconcile_total`. */
  readonly result: ReconcileOutcome;
  /** Kind and key of the object that the run waits for, if it ended by `waitingFor`. */
  readonly waitingFor?: string | undefined;
  /** The thrown value if the result is `error`. */
  readonly error?: unknown;
  /** Time of the next run unless an event causes an earlier run; undefined if a next run is not planned. */
  readonly nextTry: Date | undefined;
}

/** Called when a reconcile has ended. */
export type ReconcileObserver = (observation: ReconcileObservation) => void;

/**
 * Records the triggers of a controller's queued keys, and passes the observation of each run to the observer. Exists only if an observer is
 * configured.
 */
export class RunObserver {
  readonly #observe: ReconcileObserver;
  readonly #log: Logger;
  /** Triggers of the keys that are queued, or that are queued again while they are being reconciled. */
  readonly #triggers = new Map<string, ReconcileTrigger>();
  #hasFailed = false;

  constructor(observe: ReconcileObserver, log: Logger) {
    this.#observe = observe;
    this.#log = log;
  }

  /** Records that the key was queued. An event replaces a `requeue` or `retry` trigger, but not an earlier event. */
  queued(key: string, trigger: ReconcileTrigger): void {
    const known = this.#triggers.get(key);
    if (known === undefined || known.type === 'requeue' || known.type === 'retry')
      this.#triggers.set(key, trigger);
  }

  /** Returns and removes the trigger of a key that a worker has taken. */
  take(key: string): ReconcileTrigger | undefined {
    const trigger = this.#triggers.get(key);
    this.#triggers.delete(key);
    return trigger;
  }

  /** Passes the observation to the observer. Never throws and never rejects, because a run must not depend on its observer. */
  ended(observation: ReconcileObservation): void {
    try {
      // The declared return type is void, but TypeScript also accepts an async function, whose rejection must be handled.
      const returned: unknown = this.#observe(observation);
      if (returned instanceof Promise) returned.catch((error: unknown) => this.#failed(error));
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Logs the first failure as an error, and later failures at debug level, because an observer that fails once may fail at each run. */
  #failed(error: unknown): void {
    this.#log[this.#hasFailed ? 'debug' : 'error']({ error }, 'Observer of reconciles failed');
    this.#hasFailed = true;
  }
}
