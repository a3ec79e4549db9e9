import { OpSdkError } from '../../../base/errors/index.ts';
import { onAbort, waitFor } from '../../net/index.ts';
import type { Logger } from '../create-logger.ts';
import { processEnd } from './process-end.ts';
import { logSlowWaits } from './slow-waits.ts';
import { StopRequest } from './stop-request.ts';

/** Time by which the end of one part may delay the end of the others, milliseconds. */
const PART_END_MS = 3_000;

/** When the process must have ended, milliseconds after the time for running work, or after the lead was lost. */
const PROCESS_END_MS = 5_000;

export interface RunLifeOptions {
  readonly log: Logger;
  /** Aborted when the run is to end. */
  readonly stop: AbortSignal;
  /** Aborted when the lead is lost. */
  readonly lost: AbortSignal;
  /** Limit for the end of running work, milliseconds. */
  readonly gracefulShutdownTimeout: number;
}

/** One run of a manager as its process sees it: it ends in time, even if something in it does not, and says what it waits for. */
export class RunLife {
  readonly #log: Logger;
  readonly #hasEnded = processEnd.current.running();
  readonly #stopNaming: () => void;
  readonly #stop: AbortSignal;
  #callOff: () => void = () => undefined;

  constructor({ log, stop, lost, gracefulShutdownTimeout }: RunLifeOptions) {
    this.#log = log;
    this.#stop = stop;
    this.#stopNaming = logSlowWaits(log);
    const total = gracefulShutdownTimeout + PROCESS_END_MS;
    onAbort(stop, () => {
      const why = `Still running ${total / 1000} s after the stop was asked for`;
      this.#callOff = processEnd.current.endWithin(total, why);
    });
    // Another replica does the work then: the process ends even if the run does, and something after it does not.
    onAbort(lost, () => {
      const why = `Still running ${PROCESS_END_MS / 1000} s after the lead was lost`;
      processEnd.current.endWithin(PROCESS_END_MS, why);
    });
  }

  /** Waits for the end of a part, but not without end: the others must end, too. */
  async ended(part: string, end: Promise<unknown> | undefined): Promise<void> {
    const late = new Error(`${part}: not ended within ${PART_END_MS / 1000} s`);
    try {
      await waitFor(end ?? Promise.resolve(), undefined, PART_END_MS, () => late);
    } catch (error) {
      if (error !== late) throw error;
      this.#log.warn({ part }, 'A part of the manager does not end; going on without it');
    }
  }

  end(): void {
    this.#stopNaming();
    // What comes after a run that was asked to stop has no more time; after one that failed, another may be begun.
    if (!(this.#stop.reason instanceof StopRequest)) this.#callOff();
    this.#hasEnded();
  }
}

/** The error of what must happen before the only run of a manager. */
export function startedBefore(manager: string): OpSdkError {
  return new OpSdkError({
    code: 'runtime/manager-started',
    message: `manager ${manager} was already started`,
    fix: ['add controllers, runnables and checks before run, and call run once'],
  });
}
