// Spans and headers of requests, on a server that shows what it gets.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createClient, noCredentials, type KubeClient } from '../../../../src/sdk/kube/index.ts';
import { traceOperator } from '../../../../src/tracing.ts';
import { ConfigMap } from '../runtime/kinds.ts';
import { keepTraces, traceBy, unregister } from './tracing-setup.ts';

let answer: (request: IncomingMessage, response: ServerResponse) => void;
const received: IncomingMessage[] = [];
const server = createServer((request, response) => {
  received.push(request);
  request.resume();
  answer(request, response);
});
let client: KubeClient;

const traceparents = () => received.map(({ headers }) => headers['traceparent']);

const ok = (_: IncomingMessage, response: ServerResponse): void => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', uid: '1' } }));
};

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  client = createClient({
    cluster: {
      source: 'test',
      server: new URL(`http://127.0.0.1:${port}/prefix/`),
      tls: () => Promise.resolve({}),
      proxy: undefined,
      credentials: noCredentials,
      namespace: 'default',
    },
    fieldManager: 'test',
    wait: () => Promise.resolve(),
  });
});
beforeEach(() => {
  received.length = 0;
  answer = ok;
});
afterAll(async () => {
  await client.close();
  server.closeAllConnections();
  server.close();
});

const key = { namespace: 'default', name: 'a' };
const inSpan = async <T>(work: () => Promise<T>): Promise<T> =>
  trace.getTracer('test').startActiveSpan('test', async (span) => work().finally(() => span.end()));

test('the headers of a request name its span', async () => {
  await using traces = keepTraces();
  await inSpan(() => client.get(ConfigMap, key));
  const span = traces.ended.find(({ name }) => name === 'get configmaps')!;
  const { traceId, spanId } = span.spanContext();
  expect(received.map(({ url }) => url)).toEqual(['/prefix/api/v1/namespaces/default/configmaps/a']);
  expect(traceparents()).toEqual([`00-${traceId}-${spanId}-01`]);
  const { port } = server.address() as AddressInfo;
  expect(span.attributes).toMatchObject({
    'url.full': `http://127.0.0.1:${port}/prefix/api/v1/namespaces/default/configmaps/a`,
    'server.address': '127.0.0.1',
    'server.port': port,
  });
  expect(span.parentSpanContext?.spanId).toBe(
    traces.ended.find(({ name }) => name === 'test')?.spanContext().spanId,
  );
});

test('a trace that is not sampled says so to the API server', async () => {
  const exporter = new InMemorySpanExporter();
  const processor = new SimpleSpanProcessor(exporter);
  await using provider = traceBy({ spanProcessors: [processor], sampler: new AlwaysOffSampler() });
  await inSpan(() => client.get(ConfigMap, key));
  expect(traceparents()[0]).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-00$/);
  await provider.forceFlush();
  expect(exporter.getFinishedSpans()).toEqual([]);
});

test('each try of a request has a span of its own, and a header of its own', async () => {
  await using traces = keepTraces();
  const statuses = [429, 503, 200];
  answer = (request, response) => {
    response.statusCode = statuses.shift() ?? 500;
    if (response.statusCode !== 200) response.setHeader('retry-after', '1');
    ok(request, response);
  };
  await inSpan(() => client.get(ConfigMap, key));
  const tries = traces.ended.filter(({ name }) => name === 'get configmaps');
  expect(
    tries.map(({ attributes, status }) => [
      attributes['http.response.status_code'],
      attributes['http.request.resend_count'],
      attributes['error.type'],
      status.code,
    ]),
  ).toEqual([
    [429, undefined, '429', SpanStatusCode.ERROR],
    [503, 1, '503', SpanStatusCode.ERROR],
    [200, 2, undefined, SpanStatusCode.UNSET],
  ]);
  expect(traceparents()).toEqual(
    tries.map(
      (span) => `00-${span.spanContext().traceId}-${span.spanContext().spanId}-0${TraceFlags.SAMPLED}`,
    ),
  );
});

test('a request without an answer has the error', async () => {
  await using traces = keepTraces();
  answer = (request) => request.socket.destroy();
  await expect(inSpan(() => client.create(ConfigMap, { metadata: key }))).rejects.toThrow();
  const span = traces.ended.find(({ name }) => name === 'create configmaps');
  expect(span).toMatchObject({
    status: { code: SpanStatusCode.ERROR },
    attributes: { 'error.type': 'kube/connection-lost' },
    events: [{ name: 'exception', attributes: { 'exception.type': 'TransportError' } }],
  });
});

test('outside of a span nothing is traced, nor is a watch within one', async () => {
  await using traces = keepTraces();
  await client.get(ConfigMap, key);
  answer = (_, response) => response.end();
  await inSpan(async () => {
    for await (const event of client.watch(ConfigMap, { resourceVersion: '1' })) void event;
  }).catch(() => undefined);
  expect(received.length).toBeGreaterThan(1);
  expect(new Set(traceparents())).toEqual(new Set([undefined]));
  expect(traces.ended.map(({ name }) => name)).toEqual(['test']);
});

test('a raw request is named by its method, and shows no values of its query', async () => {
  await using traces = keepTraces();
  const path = '/api/v1/namespaces/a/services/b/proxy/login?user=ann&token=s3cret';
  await inSpan(() => client.raw.request({ path }));
  const span = traces.ended.find(({ name }) => name === 'GET')!;
  expect(received[0]?.url).toBe(`/prefix${path}`);
  expect(span.attributes['url.full']).toMatch(/\/b\/proxy\/login\?user=REDACTED&token=REDACTED$/);
  expect(span.attributes).not.toHaveProperty('opsdk.request.verb');
  await inSpan(() => client.raw.request({ path: path.replace('?user=ann&token=', '?') }));
  const other = traces.ended.findLast(({ name }) => name === 'GET')!;
  expect(other.attributes['url.full']).toMatch(/\/b\/proxy\/login\?REDACTED$/);
});

test('the command of exec is redacted', async () => {
  await using traces = keepTraces();
  answer = (_, response) => {
    response.statusCode = 403;
    response.end('{}');
  };
  const command = ['psql', 'postgres://ann:secret@db'];
  await inSpan(() => client.exec({ namespace: 'default', name: 'a' }, { command })).catch(() => undefined);
  const span = traces.ended.find(({ name }) => name.endsWith('pods/exec'))!;
  expect(span.attributes['url.full']).toMatch(/exec\?.*command=REDACTED&command=REDACTED/);
  expect(JSON.stringify(span.attributes)).not.toContain('secret');
});

test('a propagator breaks no request: neither by its errors nor by its headers', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const provider = new NodeTracerProvider();
  provider.register();
  const stop = traceOperator({
    propagator: {
      inject: (_, carrier, setter) => {
        setter.set(carrier, 'x-good', 'good');
        setter.set(carrier, 'x-bad', 'two\r\nlines');
        setter.set(carrier, 'no name', 'bad');
        setter.set(carrier, 'x-none', undefined as unknown as string);
        throw new Error('broken propagator');
      },
      extract: (given) => given,
      fields: () => [],
    },
  });
  await inSpan(() => client.get(ConfigMap, key));
  expect(received.map(({ headers }) => [headers['x-good'], headers['x-bad'], headers['x-none']])).toEqual([
    ['good', undefined, undefined],
  ]);
  stop();
  await provider.shutdown();
  unregister();
  warn.mockRestore();
});
