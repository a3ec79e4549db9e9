import { channel } from 'node:diagnostics_channel';
import { isatty } from 'node:tty';
import { styleText } from 'node:util';
import { pino, stdTimeFunctions, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { isOpSdkError, messageOf, formatFindings, type Finding } from '../../base/errors/index.ts';
import { secrets } from '../net/index.ts';
import { printable, colorsAllowed } from '../../base/util/terminal-words.ts';

/** Log levels in order of increasing verbosity: `fatal`, `error`, `warn`, `info` (the default), `debug`, `trace`. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** A pino logger: `log.info({ replicas: 3 }, 'Deployment applied')`; `log.child({ … })` adds fields to each line. */
export type Logger = PinoLogger;

/** Importance of a log line; see {@link LoggerOptions.level}. */
export type LogLevel = (typeof logLevels)[number];

/** `json`: one object per line, for machines. `text`: one short line per entry, for people. */
export const logFormats = ['json', 'text'] as const;

/** Format of the log lines; see {@link LoggerOptions.format}. */
export type LogFormat = (typeof logFormats)[number];

const logLines = channel('opsdk:log');

/** Options of `createLogger`. */
export interface LoggerOptions {
  /** The least important level to write: `fatal`, `error`, `warn`, `info`, `debug`, `trace`. Default: `info`. */
  readonly level?: LogLevel;
  /**
   * `json` or `text`. Default: `text` if stdout is a terminal and no other destination is given, otherwise `json`. Text is coloured on a
   * terminal, unless the environment variable NO_COLOR is set.
   */
  readonly format?: LogFormat | undefined;
  /** Stream that receives the lines. Default: stdout, written synchronously, so that the last lines before an exit are not lost. */
  readonly destination?: DestinationStream | undefined;
}

/**
 * Creates a logger. In JSON format, it writes one object per line: `level`, `ts`, `msg`, `error`, and the caller's fields. In text format,
 * it writes one short line per entry, followed by the stack if the entry has an error. Uses pino without transports, because they would
 * require a thread and a second file in the bundle.
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  return pino(
    {
      level: options.level ?? 'info',
      base: null,
      errorKey: 'error',
      timestamp: () => stdTimeFunctions.isoTime().replace('"time"', '"ts"'),
      formatters: { level: (level) => ({ level }), log: withFields },
      serializers: { error: serializeError },
      // Redacts the complete line: messages, errors and the caller's fields.
      hooks: { streamWrite: (line) => secrets.redact(line) },
    },
    destinationOf(options),
  );
}

/**
 * Returns the fields of a line, and the fields that subscribers of the channel `opsdk:log` add to the published object. Fields of the
 * caller take precedence.
 */
function withFields(given: Record<string, unknown>): Record<string, unknown> {
  if (!logLines.hasSubscribers) return given;
  const added = {};
  logLines.publish(added);
  return { ...added, ...given };
}

/** Returns the log format of the options, or the default if they do not set one. */
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

/**
 * Returns a stream to stdout. If stdout is a terminal that was closed, the stream drops further lines, so that the operator can still stop
 * in order; pino does the same for a closed pipe.
 */
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
 * Serializes an error to JSON with its findings (if any), its causes and, for an AggregateError, the contained errors. Never throws,
 * because the callers are already handling an error.
 */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  try {
    const { stack, ...fields } = pino.stdSerializers.err(error) as { readonly stack?: string };
    return {
      ...fields,
      // pino uses the name of the constructor, which a bundler may have changed.
      type: error.name,
      ...(isOpSdkError(error)
        ? // The findings already contain the places and fixes of the message: the stack gets only its summary.
          { stack: stack?.replace(error.message, () => error.summary), findings: error.findings }
        : { stack }),
    };
  } catch (unreadable) {
    // A property of a foreign error can be a getter that throws.
    return { type: 'Error', message: `unreadable error: ${messageOf(unreadable)}` };
  }
}

type Style = Parameters<typeof styleText>[0];

/** Styles by level; `error` and `fatal` must stand out. */
const levels: Readonly<Record<string, Style>> = {
  fatal: ['bold', 'red'],
  error: 'red',
  warn: 'yellow',
  info: 'green',
  debug: 'gray',
  trace: 'gray',
};

/** An error as `createLogger` serializes it. */
interface LoggedError {
  readonly type?: unknown;
  readonly message?: unknown;
  readonly stack?: unknown;
  readonly findings?: readonly Finding[];
  readonly aggregateErrors?: readonly LoggedError[];
}

/**
 * Formats a JSON line of the log for people: time, level, controller, message and `key=value` in one line, followed by the stack of an
 * error. Returns text that is not JSON unchanged.
 *
 * @param colors true to colour the text
 */
export function logText(json: string, colors: boolean): string {
  const paint = (style: Style, text: string): string =>
    colors ? styleText(style, text, { validateStream: false }) : text;
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(json) as Record<string, unknown>;
  } catch {
    return json;
  }
  const { level, ts, msg, error, controller, runnable, ...rest } = fields;
  const name = text(level);
  const actor = controller ?? runnable;
  const head = [
    paint('dim', timeOf(ts)),
    paint(levels[name] ?? 'bold', printable(name).toUpperCase().padEnd(5)),
    ...(actor === undefined ? [] : [paint('cyan', `[${printable(text(actor))}]`)]),
    printable(text(msg)).replaceAll('\n', '\n  '),
    ...pairs(shortened(rest)).map(([key, value]) => `${paint('dim', `${key}=`)}${value}`),
  ];
  return [head.join(' '), ...errorLines(error).map((line) => `  ${line}`), ''].join('\n');
}

function errorLines(error: unknown): readonly string[] {
  if (error === undefined || error === null) return [];
  if (typeof error !== 'object') return printable(text(error)).split('\n');
  const { type, message, stack, findings, aggregateErrors, ...rest } = error as LoggedError;
  const title = `${text(type) || 'Error'}: ${text(message)}`;
  const trace = text(stack) || title;
  // The findings are printed instead of the error message; the stack frames follow below them.
  const found = findings === undefined || findings.length === 0 ? undefined : formatFindings(findings);
  const frames = trace.slice(Math.max(0, trace.search(/\n {4}at /)));
  const said = found === undefined ? trace : `${found}${frames.startsWith('\n') ? frames : ''}`;
  const more = pairs(rest).map(([key, value]) => `${key}=${value}`);
  return [
    ...printable(said).split('\n'),
    ...(more.length === 0 || found !== undefined ? [] : [more.join(' ')]),
    ...(aggregateErrors ?? []).flatMap((each) => errorLines(each).map((line) => `  ${line}`)),
  ];
}

/** Shortens the ID of a reconcile: its first 8 digits suffice to recognize the lines of one reconcile. */
function shortened(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { reconcileID } = fields;
  return typeof reconcileID === 'string' ? { ...fields, reconcileID: reconcileID.slice(0, 8) } : fields;
}

function pairs(fields: object): readonly (readonly [key: string, value: string])[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [valueText(key), valueText(value)] as const);
}

/** Writes words without quotes and everything else as JSON, so that the end of a key or value is unambiguous. */
function valueText(value: unknown): string {
  return typeof value === 'string' && /^[\w./:@%+-]+$/.test(value) ? value : printable(JSON.stringify(value));
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}

/** Returns the local time without the date. */
function timeOf(timestamp: unknown): string {
  const time = new Date(text(timestamp));
  if (Number.isNaN(time.getTime())) return '';
  const [hours, minutes, seconds] = [time.getHours(), time.getMinutes(), time.getSeconds()].map((each) =>
    String(each).padStart(2, '0'),
  );
  return `${hours}:${minutes}:${seconds}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}
