import { exitCodeOf, formatFindings, isOpSdkError } from '../../errors/index.ts';
import { createLogger, type Logger, type LoggerOptions } from '../create-logger.ts';
import { listenForCrashes, type CrashSource } from './crashes.ts';
import { flagsHelp, parseFlags, type OperatorFlags } from './flags.ts';
import { listenForStop, type SignalSource } from './stop-signals.ts';

/** What the main function of an operator works with. */
export interface OperatorContext {
  /** The command line, in the words of `createManager`: spread it. */
  readonly flags: OperatorFlags;
  /** Aborted by SIGTERM or SIGINT, and by an error that nobody caught. */
  readonly signal: AbortSignal;
  /** JSON lines on stdout, at the level of `--log-level`. */
  readonly log: Logger;
}

/** The process as `runMain` sees it; tests give their own. */
export type OperatorProcess = SignalSource &
  CrashSource & {
    readonly argv: readonly string[];
    exitCode?: number | string | null | undefined;
    readonly stdout: { write(text: string): unknown };
    readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean };
  };

/**
 * The main function of an operator's binary: reads its flags, turns SIGTERM and SIGINT into an abort (a second one into a
 * hasty end), logs what goes wrong and sets the exit code: 0 after an orderly end, 1 after an error, 2 for the command line.
 * Uncaught exceptions and unhandled rejections of the process are logged and end it in the same orderly way, with exit code 1.
 * The process ends when nothing is left to do; it exits by itself only when it is still there 35 seconds after such an error.
 * Never rejects; `--help` prints the flags and does not call `main`.
 *
 * @example
 * await operatorMain(async ({ flags, signal }) => {
 *   const manager = await createManager({ name: 'nginx-operator', ...flags });
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
    flags = parseFlags(host.argv.slice(2));
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    host.stderr.write(`${formatFindings(error.findings)}\n`);
    host.exitCode = exitCodeOf(error.findings.map(({ code }) => code));
    return;
  }
  if (flags === undefined) {
    host.stdout.write(flagsHelp());
    return;
  }
  const log = createLogger({ level: flags.logLevel, ...(destination === undefined ? {} : { destination }) });
  const stop = listenForStop(host);
  const crashes = listenForCrashes(host, stop, log);
  try {
    await main({ flags, signal: stop.signal, log });
    // An exit code that main has set itself is kept.
    if (stop.forced) host.exitCode = 1;
    else host.exitCode ??= 0;
  } catch (error) {
    log.error({ error }, 'Problem running the operator');
    // For a person at a terminal; a log collector has the findings in the line above.
    if (isOpSdkError(error) && host.stderr.isTTY === true)
      host.stderr.write(`${formatFindings(error.findings)}\n`);
    host.exitCode = isOpSdkError(error) ? exitCodeOf(error.findings.map(({ code }) => code)) : 1;
  } finally {
    if (crashes.any) host.exitCode = 1;
    stop.release();
  }
}
