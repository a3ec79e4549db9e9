import { exitCodeOf, formatFindings, isOpSdkError } from '../../../base/errors/index.ts';
import { createLogger, logFormatOf, type Logger, type LoggerOptions } from '../create-logger.ts';
import { onAbort } from '../../net/index.ts';
import { printable } from '../../../base/util/printable.ts';
import { processEnd } from '../manager/index.ts';
import { listenForCrashes, type CrashSource } from './crashes.ts';
import { EndOfProcess, type EndingProcess } from './end-process.ts';
import { flagsHelp, parseFlags, type OperatorFlags } from './flags.ts';
import { listenForStop, type SignalSource } from './stop-signals.ts';

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
