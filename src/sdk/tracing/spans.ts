import { inspect } from 'node:util';
import { context, SpanStatusCode, type Context, type Span, type TextMapPropagator } from '@opentelemetry/api';
import { isOpSdkError, messageOf } from '../../base/errors/index.ts';
import { secrets } from '../net/index.ts';

/** Maximum number of characters of an attribute whose value comes from outside: the longest name of an object. */
const LONGEST = 253;

/** Maximum number of causes in the stack of a recorded error. */
const MOST_CAUSES = 10;

/** The methods of a propagator that are used; the global one has them, too. */
export type Propagation = Pick<TextMapPropagator, 'inject' | 'extract'>;

/** Message of a channel that is published before the work begins. */
interface Work<T> {
  run: () => Promise<T>;
}

/** A span that has begun, and the context in which its work runs. */
export interface OpenSpan {
  readonly span: Span;
  readonly context: Context;
}

/** Adds the result of the work to a span. */
interface Ending<T> {
  readonly resolved: (value: T) => void;
  readonly rejected: (error: unknown) => void;
}

/**
 * Makes published work run in the context of a span, which ends with the work. The work runs once and keeps its result, whatever fails in
 * the tracing.
 */
export function runInSpan<T>(work: Work<T>, open: OpenSpan, ending: Ending<T>): void {
  const { run } = work;
  work.run = () => {
    let running: Promise<T> | undefined;
    // Async, so that an error that `run` throws at once is a rejection, too.
    const once = (): Promise<T> => (running ??= (async () => run())());
    safely(() => void context.with(open.context, once));
    const result = once();
    const end = (add: () => void): void => {
      safely(add);
      safely(() => open.span.end());
    };
    // Ends the span before callers that wait for the result continue.
    void result.then(
      (value) => end(() => ending.resolved(value)),
      (error: unknown) => end(() => ending.rejected(error)),
    );
    return result;
  };
}

/** Records an error in a span, and sets the status of the span to it. Secrets in the error are redacted. */
export function recordError(span: Span, error: unknown): void {
  const name = error instanceof Error ? error.name : typeof error;
  const message = redactedMessage(error);
  span.setStatus({ code: SpanStatusCode.ERROR, message });
  span.setAttribute('error.type', isOpSdkError(error) ? error.code : name);
  span.recordException({ name, message, stack: stackOf(error) });
}

/** Returns the message of an error without secrets. Code without types may have set a message of another type. */
function redactedMessage(error: unknown): string {
  const message: unknown = messageOf(error);
  return secrets.redact(typeof message === 'string' ? message : inspect(message));
}

/** Returns the stack of an error, followed by those of its causes. */
function stackOf(error: unknown): string {
  const stacks: string[] = [];
  for (let each = error; each instanceof Error && stacks.length <= MOST_CAUSES; each = each.cause)
    stacks.push(each.stack ?? messageOf(each));
  return secrets.redact(stacks.join('\nCaused by: '));
}

/** Returns the beginning of an untrusted text; undefined for an empty text, and for other values. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, LONGEST) : undefined;
}

const warned = new Set<string>();

/** Prints a warning, once in the process for each code. The log belongs to managers, which tracing does not know. */
export function warnOnce(code: `runtime/${string}`, message: string): void {
  if (warned.has(code)) return;
  warned.add(code);
  process.emitWarning(message, { type: 'OpSdkWarning', code });
}

/**
 * Calls a function of tracing. An error in it, such as one of a span processor, becomes a warning, because tracing must not disturb the
 * operator.
 *
 * @returns undefined after an error
 */
export function safely<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    warnOnce(
      'runtime/tracing-failed',
      `opsdk/tracing: a part of OpenTelemetry failed, so that spans are missing: ${secrets.redact(messageOf(error))}`,
    );
    return undefined;
  }
}
