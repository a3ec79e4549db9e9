/**
 * `opsdk/tracing`: spans of OpenTelemetry for an operator. Requires the package `@opentelemetry/api`, and an SDK of OpenTelemetry that
 * exports the spans.
 */
export { traceOperator, type TraceOptions } from './sdk/tracing/index.ts';
