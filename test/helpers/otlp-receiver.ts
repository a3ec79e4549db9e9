// A collector of OpenTelemetry in this process: OTLP over HTTP, as JSON and as protobuf.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { decodeTraces } from './otlp-protobuf.ts';

type Value = string | number | boolean;

/** A span as it arrived. Kinds: 1 INTERNAL, 2 SERVER, 3 CLIENT, 5 CONSUMER. Statuses: 0 UNSET, 2 ERROR. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the root of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly scope: string;
  /** The attribute `service.name` of its resource. */
  readonly service: Value | undefined;
  readonly attributes: Readonly<Record<string, Value>>;
  readonly status: { readonly code: number; readonly message: string };
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, Value>> }[];
}

export interface OtlpReceiver extends AsyncDisposable {
  /** The URL for exporters. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Content types of the requests so far. */
  readonly contentTypes: ReadonlySet<string>;
}

/** JSON of OTLP: numbers of 64 bits may be texts, and fields with their default are left out. */
interface Attribute {
  readonly key: string;
  readonly value: {
    readonly stringValue?: string;
    readonly boolValue?: boolean;
    readonly intValue?: number | string;
    readonly doubleValue?: number;
  };
}

interface JsonSpan extends Partial<Omit<ReceivedSpan, 'attributes' | 'events' | 'status'>> {
  readonly attributes?: readonly Attribute[];
  readonly events?: readonly { readonly name: string; readonly attributes?: readonly Attribute[] }[];
  readonly status?: { readonly code?: number; readonly message?: string };
}

export interface JsonTraces {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly Attribute[] };
    readonly scopeSpans?: readonly {
      readonly scope?: { readonly name?: string };
      readonly spans?: readonly JsonSpan[];
    }[];
  }[];
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const contentTypes = new Set<string>();
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const type = request.headers['content-type'] ?? '';
      contentTypes.add(type);
      const traces =
        type === 'application/json' ? (JSON.parse(body.toString('utf8')) as JsonTraces) : decodeTraces(body);
      spans.push(...spansOf(traces));
      response.setHeader('content-type', type);
      response.end(type === 'application/json' ? '{}' : '');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    spans,
    contentTypes,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function spansOf({ resourceSpans = [] }: JsonTraces): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans = [] }) => {
    const { 'service.name': service } = attributesOf(resource?.attributes);
    return scopeSpans.flatMap(({ scope, spans = [] }) =>
      spans.map((span) => received(span, scope?.name ?? '', service)),
    );
  });
}

function received(span: JsonSpan, scope: string, service: Value | undefined): ReceivedSpan {
  return {
    traceId: span.traceId ?? '',
    spanId: span.spanId ?? '',
    parentSpanId: span.parentSpanId ?? '',
    name: span.name ?? '',
    kind: span.kind ?? 0,
    scope,
    service,
    attributes: attributesOf(span.attributes),
    status: { code: span.status?.code ?? 0, message: span.status?.message ?? '' },
    events: (span.events ?? []).map(({ name, attributes }) => ({
      name,
      attributes: attributesOf(attributes),
    })),
  };
}

function attributesOf(attributes: readonly Attribute[] = []): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, boolValue, intValue, doubleValue } }) => [
      key,
      stringValue ??
        boolValue ??
        (intValue === undefined ? undefined : Number(intValue)) ??
        doubleValue ??
        '',
    ]),
  );
}
