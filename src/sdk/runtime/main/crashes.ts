import { messageOf } from '../../../base/errors/index.ts';
import type { Logger } from '../create-logger.ts';
import type { StopSignals } from './stop-signals.ts';

/** Time limit of the orderly stop after a crash, milliseconds, before it is forced. */
const STOP_MS = 30_000;

/** When the process exits if something keeps it alive even then, milliseconds after the crash. */
const EXIT_MS = 35_000;

type CrashEvent = 'uncaughtException' | 'unhandledRejection';

/** The part of `process` that reports errors which nobody caught. */
export interface CrashSource {
  on(event: CrashEvent, listener: (error: unknown) => void): unknown;
  exit(code: number): unknown;
}

/** Errors outside `main`. */
export interface Crashes {
  /** True after an error that nobody caught: the process ends with exit code 1. */
  readonly any: boolean;
}

/**
 * Listens to errors that nobody caught, for as long as the process lives: each is one line of the log. After the first one
 * nobody knows what still works, so the operator stops: in order for half a minute, and at once then.
 */
export function listenForCrashes(source: CrashSource, stop: StopSignals, log: Logger): Crashes {
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
