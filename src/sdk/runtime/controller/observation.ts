import type { ObjectKey } from '../../kube/index.ts';
import type { Logger } from '../create-logger.ts';
import type { ReconcileOutcome } from '../metrics/index.ts';

/** Trigger of a reconcile. Of several events before one run it is the first. */
export interface ReconcileTrigger {
  /**
   * `for`, `owns`, `watch`: a change of an object; `every`, `from`: a source; `requeue`: the last run asked for it with `requeueAfter`; `retry`: the
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

/** One run of a reconcile, as it was when it had ended. */
export interface ReconcileObservation {
  /** The name of the controller, as in metrics and logs. */
  readonly controller: string;
  /** The kind that the controller is for. */
  readonly kind: string;
  /** The object that was reconciled. */
  readonly key: ObjectKey;
  /** ID in the run's log lines. */
  readonly reconcileID: string;
  /** Undefined if it is not known. */
  readonly trigger: ReconcileTrigger | undefined;
  /** 1 for the first run, one more after each error. */
  readonly attempt: number;
  /** When the run began. */
  readonly start: Date;
  /** Milliseconds. */
  readonly duration: number;
  /** Calls of the run's client that went to the API server. Reads of the cache, and writes that would change nothing, cost none. */
  readonly requests: number;
  /** As the label `result` of `controller_runtime_reconcile_total`. */
  readonly result: ReconcileOutcome;
  /** The thrown value, for the result `error`. */
  readonly error?: unknown;
  /** When the next run comes if no event comes first; undefined if none is planned. */
  readonly nextTry: Date | undefined;
}

/** Is called when a reconcile has ended. */
export type ReconcileObserver = (observation: ReconcileObservation) => void;

/** Knows what let the keys of one controller wait, and tells the observer of its runs. There is none where nobody observes. */
export class RunObserver {
  readonly #observe: ReconcileObserver;
  readonly #log: Logger;
  /** For each key that waits, or waits again while it is reconciled. */
  readonly #triggers = new Map<string, ReconcileTrigger>();
  #hasFailed = false;

  constructor(observe: ReconcileObserver, log: Logger) {
    this.#observe = observe;
    this.#log = log;
  }

  /** The key was put into the queue. What would have run later anyway gives way to an event. */
  queued(key: string, trigger: ReconcileTrigger): void {
    const known = this.#triggers.get(key);
    if (known === undefined || known.type === 'requeue' || known.type === 'retry')
      this.#triggers.set(key, trigger);
  }

  /** A worker has the key now. */
  take(key: string): ReconcileTrigger | undefined {
    const trigger = this.#triggers.get(key);
    this.#triggers.delete(key);
    return trigger;
  }

  /** Never throws, and never rejects: a run does not depend on who watches. */
  ended(observation: ReconcileObservation): void {
    try {
      // The type says that nothing is returned; an async function fits it too.
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
