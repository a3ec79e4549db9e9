import { setMaxListeners } from 'node:events';
import type { OpSdkError } from '../../../base/errors/index.ts';
import type { Logger } from '../create-logger.ts';

/** One run of a reconcile, from its begin to its end. What most runs do not need is made when it is asked for. */
export class ReconcileRun {
  readonly key: string;
  /** Milliseconds of the controller's clock. */
  readonly began: number;
  readonly attempt: number;
  /** Calls that went to the API server, if somebody wants to know. */
  requests = 0;
  /** Error of the timeout, if the run took too long. */
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

  /** Signal of this run alone: no listener is left on the manager's signal when the run has ended. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      setMaxListeners(0, this.#abort.signal);
      if (this.#reason !== undefined) this.#abort.abort(this.#reason);
    }
    return this.#abort.signal;
  }

  /** The first reason counts. */
  abort(reason: Error): void {
    this.#reason ??= reason;
    this.#abort?.abort(this.#reason);
  }
}
