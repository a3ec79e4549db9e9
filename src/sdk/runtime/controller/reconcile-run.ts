import { setMaxListeners } from 'node:events';
import type { OpSdkError } from '../../../base/errors/index.ts';
import type { Clock } from '../../net/index.ts';
import type { CachedObject } from '../cache/index.ts';
import type { ControllerClient } from '../client/index.ts';
import type { Logger } from '../create-logger.ts';
import type { EventRecorder } from '../events/index.ts';
import type { ReconcileContext } from './define-controller.ts';

/** One run of a reconcile. Creates its logger and signal only when they are first read. */
export class ReconcileRun {
  readonly key: string;
  /** Start of the run, in milliseconds of the controller's clock. */
  readonly began: number;
  readonly attempt: number;
  /** Number of calls that went to the API server; counted only if an observer is configured. */
  requests = 0;
  /** Timeout error of the run; undefined if the run did not take too long. */
  timeout: OpSdkError | undefined;
  readonly #makeLog: () => Logger;
  #log: Logger | undefined;
  #abort: AbortController | undefined;
  #reason: Error | undefined;

  constructor(key: string, began: number, attempt: number, makeLog: () => Logger) {
    this.key = key;
    this.began = began;
    this.attempt = attempt;
    this.#makeLog = makeLog;
  }

  get log(): Logger {
    this.#log ??= this.#makeLog();
    return this.#log;
  }

  /** Signal of this run only, so that no listener remains on the manager's signal after the run. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      setMaxListeners(0, this.#abort.signal);
      if (this.#reason !== undefined) this.#abort.abort(this.#reason);
    }
    return this.#abort.signal;
  }

  /** Aborts the run. If it is called again, the first reason remains. */
  abort(reason: Error): void {
    this.#reason ??= reason;
    this.#abort?.abort(this.#reason);
  }
}

/** The signal and the call counter of a run, for the client of that run. */
export interface RequestsOfRun {
  readonly signal: AbortSignal;
  /** Called for each call that goes to the API server; undefined if calls are not counted. */
  readonly count?: (() => void) | undefined;
}

/** @param signal undefined for the signal of the run, which is created when it is first read */
function countingRequests(run: ReconcileRun, signal: AbortSignal | undefined): RequestsOfRun {
  return {
    get signal() {
      return signal ?? run.signal;
    },
    count: () => (run.requests += 1),
  };
}

/** Parts of a controller that the contexts of its runs need. */
export interface ContextOptions {
  /** @param requests signal and call counter of the run. The signal is created when the client first reads it */
  readonly clientFor: (object: CachedObject, requests: RequestsOfRun) => ControllerClient;
  readonly eventsFor: (object: CachedObject) => EventRecorder;
  readonly clock: Clock;
  /** Signal of runs without a timeout of their own, which share it, so that a connection needs one listener instead of one for each run. */
  readonly signal: AbortSignal;
  /** True if runs have a time limit, so that each needs a signal of its own. */
  readonly hasTimeout: boolean;
  /** Counts the calls of each run. */
  readonly isCounted: boolean;
}

/** Returns the context of a run about an object. Creates client and recorder only when they are first read. */
export function runContext(
  run: ReconcileRun,
  object: CachedObject,
  reconcileID: string,
  options: ContextOptions,
): ReconcileContext {
  const { name, namespace } = object.metadata;
  const { signal, hasTimeout, isCounted, clock } = options;
  let client: ControllerClient | undefined;
  let events: EventRecorder | undefined;
  const requests = (): RequestsOfRun => {
    if (isCounted) return countingRequests(run, hasTimeout ? undefined : signal);
    return hasTimeout ? run : { signal };
  };
  return {
    get client() {
      return (client ??= options.clientFor(object, requests()));
    },
    get events() {
      return (events ??= options.eventsFor(object));
    },
    get log() {
      return run.log;
    },
    get signal() {
      return run.signal;
    },
    key: { name, namespace },
    reconcileID,
    attempt: run.attempt,
    now: () => clock.today().getTime(),
  };
}
