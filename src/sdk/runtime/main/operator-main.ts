import { fstatSync } from 'node:fs';
import { exitCodeOf, formatFindings, isOpSdkError, messageOf } from '../../../base/errors/index.ts';
import { createLogger, logFormatOf, type Logger, type LoggerOptions } from '../create-logger.ts';
import { onAbort } from '../../net/index.ts';
import { printable } from '../../../base/util/terminal-words.ts';
import { processEnd, StopRequest, type ProcessEnd } from '../manager/index.ts';
import { flagsHelp, parseFlags, type OperatorFlags } from './flags.ts';

/** When the process exits if nothing of a manager says when it must have ended, milliseconds after the stop was asked for. */
const STOP_EXIT_MS = 35_000;

/** Argument of an operator's main function. */
export interface OperatorContext {
  /** The command line, in the words of `createManager`: spread it. */
  readonly flags: OperatorFlags;
  /** Aborted by SIGTERM or SIGINT, and by an error that nobody caught. */
  readonly signal: AbortSignal;
  /** On stdout, at the level of `--log-level`: JSON lines, or text for people on a terminal, or as `--log-format` says. */
  readonly log: Logger;
}

/** The process as `runMain` sees it; tests give their own. */
export type OperatorProcess = SignalSource &
  CrashSource &
  EndingProcess & {
    readonly argv: readonly string[];
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly stdout: { write(text: string): unknown };
    readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean };
  };

/**
 * The main function of an operator's binary: reads its flags, turns SIGTERM and SIGINT into an abort (a second one into a
 * hasty end), logs what goes wrong and sets the exit code: 0 after an orderly end, 1 after an error, 2 for the command line.
 * Uncaught exceptions and unhandled rejections of the process are logged and end it in the same orderly way, with exit code 1.
 * The process ends within 2 seconds of `main`, whatever the author has left open: it is named in a warning. It exits by itself, too, if a manager
 * has not ended 5 seconds after its `gracefulShutdownTimeout` or after it has lost the lead, and 35 seconds after such an error. A process that
 * waits for a file server or a name server in its last moment is killed, as it cannot exit.
 * Never rejects; `--help` prints the flags and does not call `main`.
 *
 * @example
 * await operatorMain(async ({ flags, signal }) => {
 *   const manager = await createManager({
 *     name: 'nginx-operator',
 *     ...flags,
 *     leaderElection: flags.leaderElect && { id: '1a9f0645.example.com' },
 *   });
 *   manager.add(nginxController);
 *   await manager.run({ signal });
 * });
 */
export function operatorMain(main: (context: OperatorContext) => Promise<void>): Promise<void> {
  return runMain(main, process);
}

/** `operatorMain` on a given process, with the log somewhere else than on stdout. */
export async function runMain(
  main: (context: OperatorContext) => Promise<void>,
  host: OperatorProcess,
  destination?: LoggerOptions['destination'],
): Promise<void> {
  let flags: OperatorFlags | undefined;
  try {
    flags = parseFlags(host.argv.slice(2), host.env);
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    host.stderr.write(`${printable(formatFindings(error.findings))}\n`);
    host.exitCode = exitCodeOf(error.findings.map(({ code }) => code));
    return;
  }
  if (flags === undefined) {
    host.stdout.write(flagsHelp());
    return;
  }
  const output = { format: flags.logFormat, ...(destination === undefined ? {} : { destination }) };
  const log = createLogger({ level: flags.logLevel, ...output });
  const stop = listenForStop(host);
  const crashes = listenForCrashes(host, stop, log);
  const end = new EndOfProcess(host, log);
  const handBack = processEnd.serve(end);
  let hasFailed = false;
  let callOff = (): void => undefined;
  onAbort(stop.signal, () => {
    // A manager that runs has a time of its own.
    if (!end.isRunning)
      callOff = end.endWithin(
        STOP_EXIT_MS,
        `Still running ${STOP_EXIT_MS / 1000} s after the stop was asked for`,
      );
  });
  try {
    await main({ flags, signal: stop.signal, log });
    // An exit code that main has set itself is kept.
    if (stop.forced) host.exitCode = 1;
    else host.exitCode ??= 0;
  } catch (error) {
    hasFailed = true;
    log.error({ error }, 'Problem running the operator');
    // For a person at a terminal; a log collector has the findings in the line above, and in a log for people they can be read.
    if (isOpSdkError(error) && host.stderr.isTTY === true && logFormatOf(output) === 'json')
      host.stderr.write(`${printable(formatFindings(error.findings))}\n`);
    host.exitCode = isOpSdkError(error) ? exitCodeOf(error.findings.map(({ code }) => code)) : 1;
  } finally {
    if (crashes.any) host.exitCode = 1;
    const isOver = hasFailed || stop.signal.aborted;
    stop.release();
    callOff();
    handBack();
    end.mainEnded(isOver);
  }
}

/** Time limit of the orderly stop after a crash, milliseconds, before it is forced. */
const STOP_MS = 30_000;

/** When the process exits if something keeps it alive even then, milliseconds after the crash. */
const EXIT_MS = 35_000;

type CrashEvent = 'uncaughtException' | 'unhandledRejection';

/** The part of `process` that reports errors which nobody caught. */
interface CrashSource {
  on(event: CrashEvent, listener: (error: unknown) => void): unknown;
  exit(code: number): unknown;
}

/** Errors outside `main`. */
interface Crashes {
  /** True after an error that nobody caught: the process ends with exit code 1. */
  readonly any: boolean;
}

/**
 * Listens to errors that nobody caught, for as long as the process lives: each is one line of the log. After the first one
 * nobody knows what still works, so the operator stops: in order for half a minute, and at once then.
 */
function listenForCrashes(source: CrashSource, stop: StopSignals, log: Logger): Crashes {
  let any = false;
  const listen = (event: CrashEvent, what: string): void => {
    source.on(event, (thrown) => {
      const error = thrown instanceof Error ? thrown : new Error(messageOf(thrown));
      log.fatal({ error }, any || stop.signal.aborted ? `${what} while stopping` : `${what}; stopping`);
      if (any) return;
      any = true;
      stop.request(`stopped by an ${what.toLowerCase()}`);
      // They do not keep a process alive that has nothing left to do.
      setTimeout(() => stop.force(`still running ${STOP_MS / 1000} s after an error`), STOP_MS).unref();
      setTimeout(() => source.exit(1), EXIT_MS).unref();
    });
  };
  listen('uncaughtException', 'Uncaught exception');
  listen('unhandledRejection', 'Unhandled rejection');
  return {
    get any() {
      return any;
    },
  };
}

/** The part of `process` that signals come from. */
interface SignalSource {
  on(event: 'SIGTERM' | 'SIGINT', listener: (signal: NodeJS.Signals) => void): unknown;
  off(event: 'SIGTERM' | 'SIGINT', listener: (signal: NodeJS.Signals) => void): unknown;
}

interface StopSignals {
  /** Aborted by the first SIGTERM or SIGINT, or `request`: end in order. */
  readonly signal: AbortSignal;
  /** True after a second one, or `force`: do not wait. */
  readonly forced: boolean;
  /** Aborts the signal as a process signal does, unless it is aborted already. */
  request(message: string): void;
  /** Ends the wait of an orderly stop. */
  force(message: string): void;
  /** Stops listening; a signal then ends the process as usual. */
  release(): void;
}

/** Listens to SIGTERM and SIGINT. After the second one the process is left to Node's own behaviour: a third kills it. */
function listenForStop(source: SignalSource): StopSignals {
  const stop = new AbortController();
  const force = new AbortController();
  const release = (): void => {
    source.off('SIGTERM', listener);
    source.off('SIGINT', listener);
  };
  const request = (message: string): void => {
    if (!stop.signal.aborted) stop.abort(new StopRequest(message, force.signal));
  };
  const listener = (signal: NodeJS.Signals): void => {
    if (!stop.signal.aborted) {
      request(`received ${signal}`);
      return;
    }
    release();
    force.abort(new Error(`received a second signal, ${signal}`));
  };
  source.on('SIGTERM', listener);
  source.on('SIGINT', listener);
  return {
    signal: stop.signal,
    get forced() {
      return force.signal.aborted;
    },
    request,
    force: (message) => force.abort(new Error(message)),
    release,
  };
}

/** Time for which handles that an author has left open may keep the process alive after the operator has ended, milliseconds. */
const LEFT_OPEN_MS = 2_000;

/** Time for which a request of the thread pool is watched before the process is killed for it, milliseconds. */
const POOL_LOOK_MS = 200;

/** Requests that run in a thread: `exit` waits for their ends, without end if a file server or a name server does not answer. */
const poolRequests = /^(FSReq|GetAddrInfo|GetNameInfo|QueryReq|RandomBytes|PBKDF2|Scrypt|Zlib|WorkReq)/;

/** The part of `process` that ends it. */
interface EndingProcess {
  exitCode?: number | string | null | undefined;
  exit(code: number): unknown;
  /** Absent in tests: nothing is named, and nothing is killed. */
  readonly pid?: number;
  getActiveResourcesInfo?(): readonly string[];
  kill?(pid: number, signal: string): unknown;
  abort?(): unknown;
}

/** Ends the process of an operator if it does not end by itself: at the time that a manager has set, and after `main` has ended. */
class EndOfProcess implements ProcessEnd {
  readonly #host: EndingProcess;
  readonly #log: Logger;
  readonly #deadlines = new Set<NodeJS.Timeout>();
  #running = 0;
  #hasRun = false;
  #mainEnded = false;
  #isEnding = false;
  #mustEnd = false;

  constructor(host: EndingProcess, log: Logger) {
    this.#host = host;
    this.#log = log;
  }

  get isRunning(): boolean {
    return this.#running > 0;
  }

  running(): () => void {
    this.#running += 1;
    this.#hasRun = true;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#running -= 1;
      this.#exitIfOver();
    };
  }

  endWithin(milliseconds: number, why: string): () => void {
    const timer = setTimeout(() => {
      this.#log.fatal({ open: this.#open() }, `${why}; exiting`);
      this.#exit(1);
    }, milliseconds).unref();
    this.#deadlines.add(timer);
    return () => {
      clearTimeout(timer);
      this.#deadlines.delete(timer);
    };
  }

  /**
   * `main` has ended. The process is to follow if that was asked for, if it failed, or if a manager has run; a manager that still runs,
   * because nobody waits for it, goes on.
   *
   * @param isOver it was asked to stop, or has failed
   */
  mainEnded(isOver: boolean): void {
    this.#mainEnded = true;
    this.#mustEnd = isOver;
    this.#exitIfOver();
  }

  #exitIfOver(): void {
    if (!this.#mainEnded || this.#running > 0 || this.#isEnding) return;
    if (!this.#mustEnd && !this.#hasRun) return;
    this.#isEnding = true;
    setTimeout(() => {
      this.#log.warn(
        { open: this.#open() },
        'The operator has ended, and something keeps the process alive: close timers, sockets and servers when `main` ends; exiting',
      );
      this.#exit(Number(this.#host.exitCode ?? 0));
    }, LEFT_OPEN_MS).unref();
  }

  /** Kinds of what keeps the process alive, with their numbers. */
  #open(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const kind of this.#host.getActiveResourcesInfo?.() ?? [])
      if (kind !== 'TTYWrap') counts[kind] = (counts[kind] ?? 0) + 1;
    // Stdout and stderr do not keep a process alive.
    const pipes = (counts['PipeWrap'] ?? 0) - [1, 2].filter((fd) => isPipe(fd)).length;
    const { PipeWrap: _, ...others } = counts;
    return pipes > 0 ? { ...others, PipeWrap: pipes } : others;
  }

  #exit(code: number): void {
    this.#host.exitCode = code;
    if (this.#poolRequests() === 0) {
      this.#host.exit(code);
      return;
    }
    setTimeout(() => {
      if (this.#poolRequests() > 0) {
        // A process that is the first of its container cannot be killed from within, but ends by abort.
        this.#host.kill?.(this.#host.pid ?? 0, 'SIGKILL');
        this.#host.abort?.();
      }
      this.#host.exit(code);
    }, POOL_LOOK_MS);
  }

  #poolRequests(): number {
    return (this.#host.getActiveResourcesInfo?.() ?? []).filter((kind) => poolRequests.test(kind)).length;
  }
}

function isPipe(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    return false;
  }
}
