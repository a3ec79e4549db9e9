import { OpSdkError, type Finding, messageOf } from '../../../base/errors/index.ts';
import { onAbort, waitFor, type Clock, outsideWaits } from '../../net/index.ts';
import type { Logger } from '../create-logger.ts';
import type { Election } from '../election/index.ts';
import { eventSource, recorderFor, type EventWriter } from '../events/index.ts';
import type { HealthReport } from '../http/index.ts';

/** Milliseconds for which the end of one part may delay the end of the others. */
const PART_END_MS = 3_000;

/** Milliseconds until the process must have ended, after the time for running work, or after the lead was lost. */
const PROCESS_END_MS = 5_000;

interface RunLifeOptions {
  readonly log: Logger;
  /** Aborted when the run is to end. */
  readonly stop: AbortSignal;
  /** Aborted when the lead is lost. */
  readonly lost: AbortSignal;
  /** Time limit for the end of running work, in milliseconds. */
  readonly gracefulShutdownTimeout: number;
}

/** One run of a manager within its process: ensures that it ends in time, even if a part does not, and logs what it waits for. */
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
    // Another replica works now: the process must end even if the run ends, and later code does not.
    onAbort(lost, () => {
      const why = `Still running ${PROCESS_END_MS / 1000} s after the lead was lost`;
      processEnd.current.endWithin(PROCESS_END_MS, why);
    });
  }

  /** Waits for the end of a part for a limited time, as the others must end, too. */
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
    // The time limit continues after a requested stop, for code after the run; after a failed run it is cancelled, as another run may
    // follow.
    if (!(this.#stop.reason instanceof StopRequest)) this.#callOff();
    this.#hasEnded();
  }
}

/** Returns the error for calls that must precede the only run of a manager. */
export function startedBefore(manager: string): OpSdkError {
  return new OpSdkError({
    code: 'runtime/manager-started',
    message: `manager ${manager} was already started`,
    fix: ['add controllers, runnables and checks before run, and call run once'],
  });
}

/** Milliseconds for aborted work to end. */
const LAST_MOMENT_MS = 1000;

interface DrainOptions {
  /** Resolves when all work has ended; never rejects. */
  readonly work: Promise<unknown>;
  /** Milliseconds to wait for the work. */
  readonly timeout: number;
  /** Ends the wait early. */
  readonly force: AbortSignal | undefined;
  /** Aborted if work is left after the wait. */
  readonly abort: AbortController;
  /** The reason of the stop: the cause of the error. */
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
  // Keeps the error of a failed part as the cause.
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

/** Decides whether this process may do the leader's work: always, without an election. */
export class Leadership {
  /** Resolves when this process leads; stays pending if it stops before. */
  readonly elected: Promise<void>;
  readonly #election: Election | undefined;
  readonly #lost = new AbortController();
  #resolveElected: () => void = () => undefined;

  constructor(election: Election | undefined) {
    this.#election = election;
    this.elected = new Promise((resolve) => (this.#resolveElected = resolve));
  }

  /** Aborted with the error when the lead is lost; writes are already stopped at that time. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Waits until this process leads.
   *
   * @returns false if the signal aborted first
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

  /** Called when all work of the leader has ended: allows another process to lead. Never rejects. */
  async release(): Promise<void> {
    await this.#election?.elector.release();
  }

  /** Ends the election without a release. */
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
  /** Aborted when the stop must not wait any longer: after a second signal. */
  readonly force: AbortSignal;

  constructor(message: string, force: AbortSignal) {
    super(message);
    this.name = 'StopRequest';
    this.force = force;
  }
}

/** Returns true if the stop was requested by the caller's signal, and not caused by the failure of a part. */
export function isRequest(stop: AbortSignal, outside: AbortSignal | undefined): boolean {
  return outside !== undefined && outside.aborted && stop.reason === outside.reason;
}

/** The part of `operatorMain` that ends the process, for managers. */
export interface ProcessEnd {
  /** Marks a manager as running until the returned function is called. */
  running(): () => void;
  /** Sets a time limit in milliseconds for the end of the process. @returns a function that cancels it */
  endWithin(milliseconds: number, why: string): () => void;
}

const nobody: ProcessEnd = { running: () => () => undefined, endWithin: () => () => undefined };

let current = nobody;

/** Ends the process of an operator that does not end by itself; does nothing without `operatorMain`. */
export const processEnd = {
  get current(): ProcessEnd {
    return current;
  },
  /** @returns a function that unregisters it */
  serve(end: ProcessEnd): () => void {
    current = end;
    return () => {
      if (current === end) current = nobody;
    };
  },
};

/** Logs each slow wait of the operator for an external system, once until it answers. @returns a function that stops logging */
function logSlowWaits(log: Logger): () => void {
  return outsideWaits.listen({
    slow: ({ subject, seconds }) =>
      log.warn({ waitingFor: subject, seconds }, `Waiting for ${subject}, which does not answer`),
    answered: (subject) => log.info({ waitingFor: subject }, `${upperFirst(subject)} answers again`),
  });
}

/**
 * Adds the waits of the operator to a check of `/readyz`. They do not fail the check: removing the Pod from its Service would not shorten
 * them.
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
