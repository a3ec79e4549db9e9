import { fstatSync } from 'node:fs';
import { exitCodeOf, formatFindings, isOpSdkError, messageOf } from '../../../base/errors/index.ts';
import { createLogger, logFormatOf, type Logger, type LoggerOptions } from '../create-logger.ts';
import { onAbort } from '../../net/index.ts';
import { printable } from '../../../base/util/terminal-words.ts';
import { processEnd, StopRequest, type ProcessEnd } from '../manager/index.ts';
import { flagSpecs, parseFlags, type OperatorFlags } from './flags.ts';

/** Milliseconds after a requested stop until the process exits, if no manager sets a time limit. */
const STOP_EXIT_MS = 35_000;

/** Argument of an operator's main function. */
export interface OperatorContext {
  /** The values of the command line as options of `createManager`: pass them as `...flags`. */
  readonly flags: OperatorFlags;
  /** Aborted by SIGTERM or SIGINT, and by an uncaught error. */
  readonly signal: AbortSignal;
  /**
   * Logs to stdout, at the level of `--log-level`. The format is that of `--log-format`; by default text on a terminal, and JSON lines
   * otherwise.
   */
  readonly log: Logger;
}

/** Argument of a command of an operator's image. */
export interface CommandContext extends Pick<OperatorContext, 'signal' | 'log'> {
  /** Arguments after the name of the command, unchanged. */
  readonly args: readonly string[];
}

/** Options of `operatorMain`. */
export interface OperatorMainOptions {
  /**
   * Further programs of the operator's image, by their names. `node main.mjs backup --to=x` calls `backup` in place of `main`, with
   * `['--to=x']`: a container with `args: ['backup', '--to=x']`, such as that of a Job which the operator creates. A name begins with a
   * letter. Let a command import its module itself, so that the operator does not load it.
   *
   * @example { backup: ({ args, signal }) => saveBackup(args, signal) }
   */
  readonly commands?: Readonly<Record<string, (context: CommandContext) => Promise<void>>>;
}

/** The part of `process` that `runMain` uses; tests pass a replacement. */
export type OperatorProcess = SignalSource &
  CrashSource &
  EndingProcess & {
    readonly argv: readonly string[];
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly stdout: { write(text: string): unknown };
    readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean };
  };

/**
 * Runs the main function of an operator's binary. Parses the flags, aborts the signal on SIGTERM and SIGINT (a second one forces the stop),
 * logs errors and sets the exit code: 0 after an orderly end, 1 after an error, 2 for an invalid command line. Uncaught exceptions and
 * unhandled rejections of the process are logged and cause the same orderly stop, with exit code 1.
 *
 * The process ends within 2 seconds after `main`, even if handles are still open; a warning lists these handles. It also exits if a manager
 * has not ended 5 seconds after its `gracefulShutdownTimeout` or after it has lost the lead, and 35 seconds after an uncaught error. If a
 * request to a file server or a name server blocks the process at that time, so that it cannot exit, the process is killed. Never rejects;
 * `--help` prints the flags and does not call `main`.
 *
 * @param options programs that run in place of `main` when the first argument is their name
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
export function operatorMain(
  main: (context: OperatorContext) => Promise<void>,
  options?: OperatorMainOptions,
): Promise<void> {
  return runMain(main, process, options);
}

/** Runs `operatorMain` on a given process, optionally with a log destination other than stdout. */
export async function runMain(
  main: (context: OperatorContext) => Promise<void>,
  host: OperatorProcess,
  { commands = {}, destination }: OperatorMainOptions & Pick<LoggerOptions, 'destination'> = {},
): Promise<void> {
  const given = host.argv.slice(2);
  const command = new Map<string | undefined, NonNullable<OperatorMainOptions['commands']>[string]>(
    Object.entries(commands),
  ).get(given[0]);
  let flags: OperatorFlags | undefined;
  try {
    // A command has the flags of the environment alone.
    flags = parseFlags(command ? [] : given, host.env);
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    host.stderr.write(`${printable(formatFindings(error.findings))}\n`);
    host.exitCode = exitCodeOf(error.findings.map(({ code }) => code));
    return;
  }
  if (flags === undefined) {
    const { flagsHelp } = await import('./flags-help.ts');
    host.stdout.write(flagsHelp(flagSpecs, commands));
    return;
  }
  const output = { format: flags.logFormat, destination };
  const log = createLogger({ level: flags.logLevel, ...output });
  const stop = listenForStop(host);
  const crashes = listenForCrashes(host, stop, log);
  const end = new EndOfProcess(host, log);
  const handBack = processEnd.serve(end);
  let hasFailed = false;
  let callOff = (): void => undefined;
  onAbort(stop.signal, () => {
    // A running manager sets the time limit for the stop itself.
    if (!end.isRunning)
      callOff = end.endWithin(
        STOP_EXIT_MS,
        `Still running ${STOP_EXIT_MS / 1000} s after the operator was asked to stop`,
      );
  });
  try {
    await (command ?? main)({ args: given.slice(1), flags, signal: stop.signal, log });
    // Keeps an exit code that `main` has set.
    if (stop.forced) host.exitCode = 1;
    else host.exitCode ??= 0;
  } catch (error) {
    hasFailed = true;
    log.error({ error }, 'Problem running the operator');
    // Prints the findings for users at a terminal. A log collector gets them in the log line, and the text format already shows them.
    if (isOpSdkError(error) && host.stderr.isTTY === true && logFormatOf(output) === 'json')
      host.stderr.write(`${printable(formatFindings(error.findings))}\n`);
    host.exitCode = isOpSdkError(error) ? exitCodeOf(error.findings.map(({ code }) => code)) : 1;
  } finally {
    if (crashes.any) host.exitCode = 1;
    const isOver = hasFailed || stop.signal.aborted || !!command;
    stop.release();
    callOff();
    handBack();
    end.mainEnded(isOver);
  }
}

/** Milliseconds that an orderly stop may take after a crash; afterwards the stop is forced. */
const STOP_MS = 30_000;

/** Milliseconds after the crash until the process exits, if it still runs despite the forced stop. */
const EXIT_MS = 35_000;

type CrashEvent = 'uncaughtException' | 'unhandledRejection';

/** The part of `process` that reports uncaught errors. */
interface CrashSource {
  on(event: CrashEvent, listener: (error: unknown) => void): unknown;
  exit(code: number): unknown;
}

/** Uncaught errors that occurred outside `main`. */
interface Crashes {
  /** True after an uncaught error, so that the process ends with exit code 1. */
  readonly any: boolean;
}

/**
 * Listens to uncaught errors for the lifetime of the process, and logs each of them. After the first error the state of the process is
 * undefined, so the operator stops: in order within half a minute; after that, the stop is forced.
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
      // The timers do not keep an otherwise finished process alive.
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

/** The part of `process` that delivers signals. */
interface SignalSource {
  on(event: 'SIGTERM' | 'SIGINT', listener: (signal: NodeJS.Signals) => void): unknown;
  off(event: 'SIGTERM' | 'SIGINT', listener: (signal: NodeJS.Signals) => void): unknown;
}

interface StopSignals {
  /** Aborted by the first SIGTERM or SIGINT, or by `request`, to request an orderly stop. */
  readonly signal: AbortSignal;
  /** True after a second signal, or after `force`: the stop must not wait for anything. */
  readonly forced: boolean;
  /** Requests an orderly stop, as SIGTERM does. Does nothing if the stop was already requested. */
  request(message: string): void;
  /** Forces the stop: ends all waiting of an orderly stop. */
  force(message: string): void;
  /** Stops listening, so that a later signal ends the process immediately, as in Node by default. */
  release(): void;
}

/** Listens to SIGTERM and SIGINT until the second signal. Then Node's default applies, so that a third signal kills the process. */
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

/** Milliseconds for which open handles may keep the process alive after the operator has ended. */
const LEFT_OPEN_MS = 2_000;

/** Milliseconds to wait for pending requests of the thread pool before the process is killed. */
const POOL_LOOK_MS = 200;

/**
 * Resource names of requests that run in a thread. `exit` waits until they end, which is indefinitely if a file server or a name server
 * does not answer.
 */
const poolRequests = /^(FSReq|GetAddrInfo|GetNameInfo|QueryReq|RandomBytes|PBKDF2|Scrypt|Zlib|WorkReq)/;

/** The part of `process` that is used to end the process. */
interface EndingProcess {
  exitCode?: number | string | null | undefined;
  exit(code: number): unknown;
  /** Absent in tests, where no handles are listed and no process is killed. */
  readonly pid?: number;
  getActiveResourcesInfo?(): readonly string[];
  kill?(pid: number, signal: string): unknown;
  abort?(): unknown;
}

/** Ends the process of an operator if it does not end by itself: at a time that a manager sets, or after `main` has ended. */
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
   * Called when `main` has ended. Exits the process if the stop was requested, if `main` failed, or if a manager has run. If a manager is
   * still running, because `main` did not await it, the process continues.
   *
   * @param isOver true if the stop was requested, or `main` failed
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

  /** Returns how many handles of each kind keep the process alive. */
  #open(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const kind of this.#host.getActiveResourcesInfo?.() ?? [])
      if (kind !== 'TTYWrap') counts[kind] = (counts[kind] ?? 0) + 1;
    // Pipes of stdout and stderr are not counted, because they do not keep a process alive.
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
        // The first process of a container cannot be killed from within the container, so it aborts itself.
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
