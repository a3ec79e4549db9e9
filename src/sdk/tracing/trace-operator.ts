import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import {
  isSpanContextValid,
  propagation,
  trace,
  type TextMapPropagator,
  type Tracer,
  type TracerProvider,
} from '@opentelemetry/api';
import { OpSdkError } from '../../base/errors/index.ts';
import type { RequestMessage } from '../kube/index.ts';
import type { RunMessage, WebhookMessage } from '../runtime/index.ts';
import { traceRun } from './reconcile-span.ts';
import { traceRequest } from './request-span.ts';
import { safely } from './spans.ts';
import { traceWebhook } from './webhook-span.ts';

/** Options of `traceOperator`. */
export interface TraceOptions {
  /** Provider of the tracer. Default: the global one of `@opentelemetry/api`, also if it is registered later. */
  readonly tracerProvider?: TracerProvider | undefined;
  /**
   * Writes the context of a trace into the headers of requests, and reads it from those to webhooks. Default: the global one of
   * `@opentelemetry/api`, also if it is registered later. Without one, no context is sent or read.
   */
  readonly propagator?: TextMapPropagator | undefined;
}

/** Tracing that has been started in this process. */
interface Started {
  readonly options: TraceOptions;
  readonly stop: () => void;
}

/** The place of {@link Started}: global, because a bundled operator and a file loaded with `--import` have a copy of this module each. */
const place = Symbol.for('opsdk.tracing');

/**
 * Creates OpenTelemetry spans of each reconcile, of the requests to the API server in it, and of each request to a webhook or conversion.
 * Adds `trace_id`, `span_id` and `trace_flags` to the lines of the log that are written within a span. Call it once, before
 * `createManager`, or in a file that `node --import` loads. It serves all managers of the process. Without an SDK of OpenTelemetry that is
 * registered with `@opentelemetry/api`, it has no visible effect. Errors of tracing become warnings of the process.
 *
 * @returns a function that stops it; spans that have begun still end. A further call with the same options returns the same function
 * @throws OpSdkError `runtime/already-traced` after a call with other options
 *
 * @example
 * const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });
 * provider.register();
 * traceOperator();
 */
export function traceOperator(options: TraceOptions = {}): () => void {
  const global = globalThis as { [place]?: Started };
  const started = global[place];
  if (started === undefined) {
    const unsubscribeAll = subscribeAll(options);
    const stop = (): void => {
      if (global[place]?.stop !== stop) return;
      delete global[place];
      unsubscribeAll();
    };
    global[place] = { options, stop };
    return stop;
  }
  if (
    started.options.tracerProvider !== options.tracerProvider ||
    started.options.propagator !== options.propagator
  )
    throw new OpSdkError({
      code: 'runtime/already-traced',
      message: 'traceOperator: expected the options of the first call in this process, got others',
      fix: ['call traceOperator once', 'or stop the first one: it returns the function for that'],
    });
  return started.stop;
}

function subscribeAll({ tracerProvider = trace, propagator = propagation }: TraceOptions): () => void {
  // Requested for each span, because a tracer of the global provider stays bound to the first provider that is registered.
  const tracer = (): Tracer => tracerProvider.getTracer('opsdk');
  const listeners: Readonly<Record<string, (message: unknown) => void>> = {
    'opsdk:run': (message) => safely(() => traceRun(tracer(), message as RunMessage)),
    'opsdk:request': (message) => safely(() => traceRequest(tracer(), propagator, message as RequestMessage)),
    'opsdk:webhook': (message) => safely(() => traceWebhook(tracer(), propagator, message as WebhookMessage)),
    'opsdk:log': (message) => safely(() => addTraceFields(message as Record<string, string>)),
  };
  for (const [name, listener] of Object.entries(listeners)) subscribe(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) unsubscribe(name, listener);
  };
}

/**
 * Adds the active span to a line of the log.
 * @see https://opentelemetry.io/docs/specs/otel/compatibility/logging_trace_context/
 */
function addTraceFields(fields: Record<string, string>): void {
  const active = trace.getActiveSpan()?.spanContext();
  if (active === undefined || !isSpanContextValid(active)) return;
  fields['trace_id'] = active.traceId;
  fields['span_id'] = active.spanId;
  fields['trace_flags'] = active.traceFlags.toString(16).padStart(2, '0');
}
