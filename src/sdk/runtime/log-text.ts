import { styleText } from 'node:util';
import { formatFindings, type Finding } from '../../base/errors/index.ts';
import { printable } from '../../base/util/printable.ts';

type Style = Parameters<typeof styleText>[0];

/** Styles by level; `error` and `fatal` must be seen. */
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
 * A line of the log, as JSON, for people: time, level, controller, message and `key=value` in one line, an error with its
 * stack below. Other text stays as it is.
 *
 * @param colors whether to paint it
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
  // What the error says as findings needs no other words; where it was thrown is below them.
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

/** The first digits are enough to see which lines belong together. */
function shortened(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { reconcileID } = fields;
  return typeof reconcileID === 'string' ? { ...fields, reconcileID: reconcileID.slice(0, 8) } : fields;
}

function pairs(fields: object): readonly (readonly [key: string, value: string])[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [valueText(key), valueText(value)] as const);
}

/** Words are bare, all else is JSON: whoever reads knows where a key or a value ends. */
function valueText(value: unknown): string {
  return typeof value === 'string' && /^[\w./:@%+-]+$/.test(value) ? value : printable(JSON.stringify(value));
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}

/** The time of day here: whoever watches knows the day. */
function timeOf(timestamp: unknown): string {
  const time = new Date(text(timestamp));
  if (Number.isNaN(time.getTime())) return '';
  const [hours, minutes, seconds] = [time.getHours(), time.getMinutes(), time.getSeconds()].map((each) =>
    String(each).padStart(2, '0'),
  );
  return `${hours}:${minutes}:${seconds}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}
