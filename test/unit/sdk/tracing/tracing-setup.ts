import { context, propagation, trace } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  BatchSpanProcessor,
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type NodeTracerConfig,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import { traceOperator } from '../../../../src/tracing.ts';
import { startOtlpReceiver, type ReceivedSpan } from '../../../helpers/otlp-receiver.ts';

/** Registers an SDK, and traces operators, until the end of the test. */
export function traceBy(config: NodeTracerConfig): AsyncDisposable & NodeTracerProvider {
  const provider = new NodeTracerProvider(config);
  provider.register();
  const stop = traceOperator();
  return Object.assign(provider, {
    [Symbol.asyncDispose]: async () => {
      stop();
      await provider.shutdown().catch(() => undefined);
      unregister();
    },
  });
}

/** Removes what an SDK has registered: the files of a worker share it. */
export function unregister(): void {
  trace.disable();
  context.disable();
  propagation.disable();
}

export interface ExportedTraces extends AsyncDisposable {
  readonly contentTypes: ReadonlySet<string>;
  /** The spans that the collector has got. */
  spans(): Promise<readonly ReceivedSpan[]>;
}

/** Traces operators with an exporter of OTLP over HTTP, whose collector is this process. */
export async function exportTraces(format: 'json' | 'protobuf' = 'json'): Promise<ExportedTraces> {
  const receiver = await startOtlpReceiver();
  const { url, spans, contentTypes } = receiver;
  const exporter: SpanExporter =
    format === 'json' ? new JsonExporter({ url }) : new ProtobufExporter({ url });
  const provider = traceBy({ spanProcessors: [new BatchSpanProcessor(exporter)] });
  return {
    contentTypes,
    spans: async () => {
      await provider.forceFlush();
      return spans;
    },
    [Symbol.asyncDispose]: async () => {
      await provider[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

/** Traces operators, and keeps the spans that have ended. */
export function keepTraces(): AsyncDisposable & { readonly ended: readonly ReadableSpan[] } {
  const exporter = new InMemorySpanExporter();
  const provider = traceBy({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return {
    get ended() {
      return exporter.getFinishedSpans();
    },
    [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose](),
  };
}
