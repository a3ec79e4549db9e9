import type { ObjectKey } from '../../kube/index.ts';
import type { Logger } from '../create-logger.ts';
import type { ReconcileOutcome } from '../metrics/index.ts';

/** Trigger of a reconcile. If several events precede one run, it is the first of them. */
export interface ReconcileTrigger {
  /**
   * `for`, `owns`, `watch`: a change of an object; `every`, `from`: a source; `requeue`: the last run returned `requeueAfter`; `retry`: the
   * last run failed.
   */
  readonly type: 'for' | 'owns' | 'watch' | 'every' | 'from' | 'requeue' | 'retry';
  /** The kind whose object changed, or the name of the source. Undefined for `requeue` and `retry`. */
  readonly source?: string | undefined;
  /** Event of the object, for `for` and `owns`. An object of the first list is `create`. */
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
  /** ID in the run's log lines. */
  readonly reconcileID: string;
  /** Undefined if it is unknown. */
  readonly trigger: ReconcileTrigger | undefined;
  /** 1 for the first run; increases by one after each error. */
  readonly attempt: number;
  /** Start time of the run. */
  readonly start: Date;
  /** Duration in milliseconds. */
  readonly duration: number;
  /** Calls of the run's client that went to the API server. Reads from the cache, and writes that would change nothing, are not counted. */
  readonly requests: number;
  /** Same values as the label `result` of `controller_runtime_reconcile_total`. */
  readonly result: ReconcileOutcome;
  /** The thrown value, for the result `error`. */
  readonly error?: unknown;
  /** Time of the next run unless an event comes first; undefined if none is planned. */
  readonly nextTry: Date | undefined;
}

/** Called when a reconcile has ended. */
export type ReconcileObserver = (observation: ReconcileObservation) => void;

/** Records the triggers of a controller's queued keys, and passes its runs to the observer. Exists only if an observer is configured. */
export class RunObserver {
  readonly #observe: ReconcileObserver;
  readonly #log: Logger;
  /** Triggers of the keys that are queued, or queued again while they are reconciled. */
  readonly #triggers = new Map<string, ReconcileTrigger>();
  #hasFailed = false;

  constructor(observe: ReconcileObserver, log: Logger) {
    this.#observe = observe;
    this.#log = log;
  }

  /** Records that the key was queued. An event replaces a trigger that only schedules a later run. */
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

  /** Never throws, and never rejects: a run must not depend on its observer. */
  ended(observation: ReconcileObservation): void {
    try {
      // The declared type returns nothing, but also accepts an async function.
      const returned: unknown = this.#observe(observation);
      if (returned instanceof Promise) returned.catch((error: unknown) => this.#failed(error));
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Logs the first failure as an error and later ones at debug level: an observer that fails once may fail at each run. */
  #failed(error: unknown): void {
    this.#log[this.#hasFailed ? 'debug' : 'error']({ error }, 'Observer of reconciles failed');
    this.#hasFailed = true;
  }
}
