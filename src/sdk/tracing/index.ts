/**
 * `opsdk/tracing`: OpenTelemetry spans of reconciles, of the requests in them, and of webhooks. Subscribes to the diagnostics channels of
 * the runtime, which imports nothing of this room: an operator that does not import it has neither this code nor the package
 * `@opentelemetry/api`, an optional peer dependency.
 */
export { traceOperator, type TraceOptions } from './trace-operator.ts';
