import { isatty } from 'node:tty';
import { pino, stdTimeFunctions, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { isOpSdkError, messageOf } from '../../base/errors/index.ts';
import { secrets } from '../net/index.ts';
import { colorsAllowed } from '../../base/util/colors-allowed.ts';
import { logText } from './log-text.ts';

/** From the quietest: `fatal`, `error`, `warn`, `info` (the default), `debug`, `trace`. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** A pino logger: `log.info({ replicas: 3 }, 'Deployment applied')`; `log.child({ … })` adds fields to each line. */
export type Logger = PinoLogger;

/** Importance of a line; see {@link LoggerOptions.level}. */
export type LogLevel = (typeof logLevels)[number];

/** `json`: one object a line, for machines. `text`: one short line, for people. */
export const logFormats = ['json', 'text'] as const;

/** Form of the lines; see {@link LoggerOptions.format}. */
export type LogFormat = (typeof logFormats)[number];

/** Options of `createLogger`. */
export interface LoggerOptions {
  /** The least important level that is written: `fatal`, `error`, `warn`, `info`, `debug`, `trace`. Default: `info`. */
  readonly level?: LogLevel;
  /**
   * `json` or `text`. Default: `text` if stdout is a terminal and no other destination is given, else `json`. Text is coloured on a terminal,
   * unless the environment variable NO_COLOR is set.
   */
  readonly format?: LogFormat | undefined;
  /** Default: stdout, written synchronously, so that the last lines before an exit are not lost. */
  readonly destination?: DestinationStream;
}

/**
 * A logger that writes one JSON object a line: `level`, `ts`, `msg`, `error`, and what the caller adds; or the same for people, in one short
 * line with the error's stack below. By pino, without transports: one would be a thread and a second file in the bundle.
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  return pino(
    {
      level: options.level ?? 'info',
      base: null,
      errorKey: 'error',
      timestamp: () => stdTimeFunctions.isoTime().replace('"time"', '"ts"'),
      formatters: { level: (level) => ({ level }) },
      serializers: { error: serializeError },
      // The whole line: messages, errors and whatever the caller adds.
      hooks: { streamWrite: (line) => secrets.redact(line) },
    },
    destinationOf(options),
  );
}

/** The format of a logger with these options. */
export function logFormatOf({
  format,
  destination,
}: Pick<LoggerOptions, 'format' | 'destination'>): LogFormat {
  return format ?? (destination === undefined && isatty(1) ? 'text' : 'json');
}

function destinationOf(options: LoggerOptions): DestinationStream {
  const destination = options.destination ?? standardOutput();
  if (logFormatOf(options) === 'json') return destination;
  const isTTY = options.destination === undefined && isatty(1);
  const colors = colorsAllowed({ isTTY }, process.env);
  return { write: (line) => destination.write(logText(line, colors)) };
}

/** An operator must end in order after its terminal was closed: what it logs from then on is dropped, as pino does for a closed pipe. */
function standardOutput(): DestinationStream {
  const destination = pino.destination({ fd: 1, sync: true });
  if (!isatty(1)) return destination;
  let isClosed = false;
  destination.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EIO' && error.code !== 'EPIPE') throw error;
    isClosed = true;
  });
  return {
    write(line) {
      if (!isClosed) destination.write(line);
    },
  };
}

/**
 * An error as JSON, with its findings if it has some, its causes, and for an AggregateError all its errors. Never throws:
 * whoever logs an error is dealing with one already.
 */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  try {
    const { stack, ...fields } = pino.stdSerializers.err(error) as { readonly stack?: string };
    return {
      ...fields,
      // pino takes the name of the constructor, which a bundler may have changed.
      type: error.name,
      ...(isOpSdkError(error)
        ? // The message has places and fixes: once in a line is enough.
          { stack: stack?.replace(error.message, () => error.summary), findings: error.findings }
        : { stack }),
    };
  } catch (unreadable) {
    // A property of a foreign error can be a getter that throws.
    return { type: 'Error', message: `unreadable error: ${messageOf(unreadable)}` };
  }
}
