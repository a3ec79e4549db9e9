import { OpSdkError, type Finding, messageOf } from '../../../base/errors/index.ts';
import { onAbort, waitFor, type Clock, outsideWaits } from '../../net/index.ts';
import type { Logger } from '../create-logger.ts';
import type { Election } from '../election/index.ts';
import { eventSource, recorderFor, type EventWriter } from '../events/index.ts';
import type { HealthReport } from '../http/index.ts';

/** Maximum number of milliseconds to wait for the end of one part of the manager, before the next part is ended. */
const PART_END_MS = 3_000;

/** Milliseconds until the process must have ended. Counted from the end of `gracefulShutdownTimeout`, or from the loss of the lead. */
const PROCESS_END_MS = 5_000;

interface RunLifeOptions {
  readonly log: Logger;
  /** Aborted when the run has to end. */
  readonly stop: AbortSignal;
  /** Aborted when the lead is lost. */
  readonly lost: AbortSignal;
  /** Time limit for the end of running work, in milliseconds. */
  readonly gracefulShutdownTimeout: number;
}

/**
 * One run of a manager within its process. Ensures that the run ends in time, even if a part of the manager does not end, and logs the
 * external systems that the run waits for.
 */
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
      const why = `Still running ${total / 1000} s after the operator was asked to stop`;
      this.#callOff = processEnd.current.endWithin(total, why);
    });
    // Another replica may lead now, so the process must end, even if the run has ended and only code after the run continues.
    onAbort(lost, () => {
      const why = `Still running ${PROCESS_END_MS / 1000} s after the lead was lost`;
      processEnd.current.endWithin(PROCESS_END_MS, why);
    });
  }

  /** Waits for the end of a part of the manager, but only for a limited time, because the other parts must end, too. */
  async ended(part: string, end: Promise<unknown> | undefined): Promise<void> {
    const late = new Error(`${part}: not ended within ${PART_END_MS / 1000} s`);
    try {
      await waitFor(end ?? Promise.resolve(), undefined, PART_END_MS, () => late);
    } catch (error) {
      if (error !== late) throw error;
      this.#log.warn(
        { part },
        'A part of the manager does not end; the manager continues without waiting for it',
      );
    }
  }

  end(): void {
    this.#stopNaming();
    // After a requested stop, the time limit stays in force for code after the run. After a failed run, the limit is cancelled, because
    // another run may follow.
    if (!(this.#stop.reason instanceof StopRequest)) this.#callOff();
    this.#hasEnded();
  }
}

/** Returns the error for a call that is allowed only before `run`, or for a second call of `run`. */
export function startedBefore(manager: string): OpSdkError {
  return new OpSdkError({
    code: 'runtime/manager-started',
    message: `manager ${manager} was already started`,
    fix: ['add controllers, runnables and checks before run, and call run once'],
  });
}

/** Milliseconds that work has to end after it was aborted. */
const LAST_MOMENT_MS = 1000;

interface DrainOptions {
  /** Resolves when all work has ended; never rejects. */
  readonly work: Promise<unknown>;
  /** Milliseconds to wait for the work. */
  readonly timeout: number;
  /** Ends the wait before the timeout. */
  readonly force: AbortSignal | undefined;
  /** Aborted if work is still running after the wait. */
  readonly abort: AbortController;
  /** The reason of the stop, used as the cause of the error. */
  readonly reason: unknown;
  readonly clock: Clock;
  /** Returns descriptions of the work that has not ended, for the error. */
  left(): readonly string[];
}

/**
 * Waits for running work to end, and aborts it after the timeout.
 *
 * @throws OpSdkError `runtime/drain-timeout`
 */
export async function drain(options: DrainOptions): Promise<void> {
  const { work, timeout, force, clock } = options;
  const outcome = await firstOf(work, timeout, force, clock);
  if (outcome === 'done') return;
  const left = options.left();
  const finding: Finding = {
    code: 'runtime/drain-timeout',
    message: `${outcome === 'late' ? `still running after ${timeout / 1000} s` : 'still running at the second signal'}: ${left.join(', ')}`,
    fix: [
      'pass ctx.signal to what waits in reconcile, and use requeueAfter instead of waiting',
      'or raise gracefulShutdownTimeout together with terminationGracePeriodSeconds of the Deployment',
    ],
  };
  // The reason of the stop may be the error of a failed part, so it is kept as the cause.
  const error = new OpSdkError(finding, { cause: options.reason });
  options.abort.abort(error);
  await firstOf(work, LAST_MOMENT_MS, undefined, clock);
  throw error;
}

async function firstOf(
  work: Promise<unknown>,
  timeout: number,
  force: AbortSignal | undefined,
  clock: Clock,
): Promise<'done' | 'late' | 'forced'> {
  return new Promise((resolve) => {
    const settle = (end: () => void): void => {
      cancel();
      force?.removeEventListener('abort', forced);
      end();
    };
    const forced = (): void => settle(() => resolve('forced'));
    const cancel = clock.after(timeout, () => settle(() => resolve('late')));
    force?.addEventListener('abort', forced);
    if (force?.aborted === true) forced();
    void work.then(() => settle(() => resolve('done')));
  });
}

/** Decides whether this process may do work that requires the lead. Without leader election, it always may. */
export class Leadership {
  /** Resolves when this process leads; stays pending if the process stops before. */
  readonly elected: Promise<void>;
  readonly #election: Election | undefined;
  readonly #lost = new AbortController();
  #resolveElected: () => void = () => undefined;

  constructor(election: Election | undefined) {
    this.#election = election;
    this.elected = new Promise((resolve) => (this.#resolveElected = resolve));
  }

  /** Aborted with the error when the lead is lost. At that time, writes are already prevented. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Waits until this process leads.
   *
   * @returns false if the signal aborted before this process led
   * @throws OpSdkError `runtime/election-refused`
   */
  async begin(signal: AbortSignal): Promise<boolean> {
    const leads = (await this.#election?.elector.acquire(signal, (error) => this.#lost.abort(error))) ?? true;
    if (!leads || signal.aborted) return false;
    this.#resolveElected();
    return true;
  }

  /** Records the new leader in an Event about the Lease, as client-go does. */
  announce(events: EventWriter, manager: string, log: Logger): void {
    const { lease, identity = '' } = this.#election?.elector ?? {};
    if (lease === undefined) return;
    const recorder = recorderFor(events, eventSource(manager, 'leader-election', log), lease);
    recorder.normal('LeaderElection', `${identity} became leader`, { action: 'Elect' });
  }

  /** Called when all work of the leader has ended. Releases the lease, so that another process can lead. Never rejects. */
  async release(): Promise<void> {
    await this.#election?.elector.release();
  }

  /** Ends the election without releasing the lease. */
  async stop(): Promise<void> {
    await this.#election?.elector.stop();
  }

  /** Calls `stop`, and closes the connection of the election. */
  async close(): Promise<void> {
    await this.stop();
    await this.#election?.close();
  }
}

/** The reason with which `operatorMain` aborts its signal: a stop that can be forced later. */
export class StopRequest extends Error {
  /** Aborted when the stop must not wait any longer, such as after a second signal. */
  readonly force: AbortSignal;

  constructor(message: string, force: AbortSignal) {
    super(message);
    this.name = 'StopRequest';
    this.force = force;
  }
}

/** Returns true if the stop was requested by the caller's signal, and false if it was caused by the failure of a part. */
export function isRequest(stop: AbortSignal, outside: AbortSignal | undefined): boolean {
  return outside !== undefined && outside.aborted && stop.reason === outside.reason;
}

/** The functions of `operatorMain` with which managers influence the end of the process. */
export interface ProcessEnd {
  /** Marks a manager as running until the returned function is called. */
  running(): () => void;
  /** Sets a time limit in milliseconds, after which the process is ended. @returns a function that cancels the limit */
  endWithin(milliseconds: number, why: string): () => void;
}

const nobody: ProcessEnd = { running: () => () => undefined, endWithin: () => () => undefined };

let current = nobody;

/**
 * Holds the `ProcessEnd` that `operatorMain` provides, which ends the process if it does not end by itself. Without `operatorMain`, its
 * functions do nothing.
 */
export const processEnd = {
  get current(): ProcessEnd {
    return current;
  },
  /** Sets the current `ProcessEnd`. @returns a function that removes it again */
  serve(end: ProcessEnd): () => void {
    current = end;
    return () => {
      if (current === end) current = nobody;
    };
  },
};

/**
 * Logs each slow wait of the operator for an external system; each wait is logged once, until that system responds. @returns a function
 * that stops the logging
 */
function logSlowWaits(log: Logger): () => void {
  return outsideWaits.listen({
    slow: ({ subject, seconds }) =>
      log.warn({ waitingFor: subject, seconds }, `Waiting for ${subject}, which does not answer`),
    answered: (subject) => log.info({ waitingFor: subject }, `${upperFirst(subject)} answers again`),
  });
}

/**
 * Runs a check of `/readyz`, and adds the current waits of the operator for external systems to the result. These waits do not fail the
 * check, because removing the Pod from its Service would not shorten them.
 *
 * @throws the errors of the check, with the waits in the message
 */
export function withSlowWaits(check: () => HealthReport | undefined): HealthReport | undefined {
  const waits = outsideWaits
    .pending()
    .map(({ subject, seconds }) => `waiting for ${subject} for ${seconds} s`)
    .join('; ');
  if (waits === '') return check();
  try {
    const report = check();
    return { degraded: report === undefined ? waits : `${report.degraded}; ${waits}` };
  } catch (error) {
    throw new Error(`${messageOf(error)}; ${waits}`, { cause: error });
  }
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
