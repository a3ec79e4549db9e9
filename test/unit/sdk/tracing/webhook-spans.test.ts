// Spans of webhooks and conversions, which continue what the headers of a request say, whatever that is.
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defineConversion, defineWebhook } from '../../../../src/index.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { NginxV1, NginxV2 } from '../runtime/conversion/versions.ts';
import { Memcached, reviewOf, type Json } from '../runtime/webhook/kinds.ts';
import { post, serve, type Posted, type Served } from '../runtime/webhook/serving.ts';
import { keepTraces } from './tracing-setup.ts';

const path = '/validate-cache-example-com-v1alpha1-memcached';
const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${spanId}-01`;

let validate: () => unknown = () => [];
let served: Served;
let traces: ReturnType<typeof keepTraces>;

beforeAll(async () => {
  traces = keepTraces();
  const webhook = defineWebhook(Memcached, {
    validate: {
      create: (_, { log }) => {
        log.info('validating');
        return validate() as [];
      },
    },
  });
  const conversion = defineConversion(NginxV2).spoke(NginxV1, {
    to: () => {
      throw new Error('cannot convert');
    },
    from: () => {
      throw new Error('cannot convert');
    },
  });
  served = await serve([webhook, conversion]);
});
beforeEach(() => (validate = () => []));
afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await traces[Symbol.asyncDispose]();
});

const ask = (body: unknown = reviewOf(), headers: Record<string, string> = {}): Promise<Posted> =>
  post(served.port, path, body, { headers });

/** The latest span that has ended. */
const last = (): ReadableSpan => traces.ended.at(-1)!;

test('a review continues the trace of the API server', async () => {
  const { status } = await ask(reviewOf({ dryRun: true }), { traceparent, tracestate: 'a=b' });
  expect(status).toBe(200);
  const span = last();
  expect(span).toMatchObject({
    name: `POST ${path}`,
    kind: SpanKind.SERVER,
    status: { code: SpanStatusCode.UNSET },
  });
  expect(span.parentSpanContext).toMatchObject({ traceId, spanId, isRemote: true });
  expect(span.spanContext().traceId).toBe(traceId);
  expect(span.attributes).toEqual({
    'http.request.method': 'POST',
    'http.response.status_code': 200,
    'http.route': path,
    'url.path': path,
    'url.scheme': 'https',
    'opsdk.review.uid': 'abc',
    'opsdk.admission.operation': 'CREATE',
    'opsdk.admission.allowed': true,
    'opsdk.admission.code': 200,
    'opsdk.admission.dry_run': true,
    'opsdk.object.group': 'cache.example.com',
    'opsdk.object.version': 'v1alpha1',
    'opsdk.object.kind': 'Memcached',
    'opsdk.object.name': 'x',
    'k8s.namespace.name': 'default',
  });
  const line = served.lines.findLast(({ msg }) => msg === 'validating');
  expect(line).toMatchObject({ trace_id: traceId, span_id: span.spanContext().spanId, trace_flags: '01' });
});

test('spans of the webhook are its children, and requests of several do not mix', async () => {
  validate = () => trace.getTracer('mine').startActiveSpan('check', (span) => span.end());
  const ids = Array.from({ length: 10 }, (_, index) => `${index}`.padStart(32, 'a'));
  await Promise.all(ids.map((id) => ask(reviewOf(), { traceparent: `00-${id}-${spanId}-01` })));
  for (const id of ids) {
    const [check, root] = traces.ended.filter((span) => span.spanContext().traceId === id);
    expect(check).toMatchObject({ name: 'check', parentSpanContext: { spanId: root?.spanContext().spanId } });
  }
});

test('a refusal is an answer, a failure is an error', async () => {
  validate = () => [{ path: '.spec.size', message: 'must be odd' }];
  await ask();
  expect(last()).toMatchObject({
    status: { code: SpanStatusCode.UNSET },
    attributes: {
      'opsdk.admission.allowed': false,
      'opsdk.admission.code': 422,
      'opsdk.admission.reason': 'Invalid',
    },
    events: [],
  });
  validate = () => (undefined as unknown as { size: number }).size;
  await ask();
  expect(last()).toMatchObject({
    status: { code: SpanStatusCode.ERROR },
    attributes: { 'opsdk.admission.allowed': false, 'error.type': 'TypeError' },
    events: [{ name: 'exception' }],
  });
});

test('a conversion that fails has its error', async () => {
  const object = { apiVersion: NginxV1.apiVersion, kind: 'Nginx', metadata: { name: 'a' }, spec: {} };
  await post(served.port, '/convert', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    request: { uid: 'u', desiredAPIVersion: NginxV2.apiVersion, objects: [object] },
  });
  expect(last()).toMatchObject({
    name: 'POST /convert',
    status: { code: SpanStatusCode.ERROR },
    attributes: {
      'opsdk.review.uid': 'u',
      'opsdk.conversion.desired_api_version': NginxV2.apiVersion,
      'opsdk.conversion.objects': 1,
      'opsdk.conversion.result': 'Failure',
      'opsdk.object.kind': 'Nginx',
    },
    events: [{ name: 'exception' }],
  });
});

test('a body that is not a review has a span with its status', async () => {
  expect((await ask('no JSON', { traceparent })).status).toBe(400);
  expect(last().attributes).toMatchObject({ 'http.response.status_code': 400 });
  expect(last().spanContext().traceId).toBe(traceId);
  expect(last().status.code).toBe(SpanStatusCode.UNSET);
});

test('the span of a client that leaves ends, once', async () => {
  let release: (() => void) | undefined;
  const before = traces.ended.length;
  validate = () => new Promise((resolve) => (release = () => resolve([])));
  const abort = new AbortController();
  const asked = post(served.port, path, reviewOf(), { signal: abort.signal }).catch(() => 'gone');
  await eventually(() => expect(release).toBeDefined());
  abort.abort();
  expect(await asked).toBe('gone');
  await eventually(() => expect(traces.ended.length).toBe(before + 1));
  expect(last()).toMatchObject({
    status: { code: SpanStatusCode.ERROR },
    attributes: { 'http.response.status_code': 499, 'error.type': '499' },
  });
  release?.();
  validate = () => [];
  await ask();
  expect(traces.ended.length).toBe(before + 2);
});

describe('hostile input', () => {
  const hex = (length: number) =>
    fc.string({
      unit: fc.constantFrom(...'0123456789abcdefABCDEFxyz-'),
      minLength: 0,
      maxLength: length + 2,
    });
  const printable = fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    maxLength: 600,
  });
  const header = fc.oneof(
    printable,
    fc.tuple(hex(2), hex(32), hex(16), hex(2)).map((parts) => parts.join('-')),
    fc.constantFrom(
      `00-${'0'.repeat(32)}-${spanId}-01`,
      `00-${traceId}-${'0'.repeat(16)}-01`,
      `ff-${traceId}-${spanId}-01`,
      `${traceparent}, ${traceparent}`,
      `${traceparent}-more`,
    ),
  );

  test('no header breaks a webhook', async () => {
    await fc.assert(
      fc.asyncProperty(header, printable, printable, async (parent, state, baggage) => {
        const before = traces.ended.length;
        const { status, json } = await ask(reviewOf(), { traceparent: parent, tracestate: state, baggage });
        expect(status).toBe(200);
        expect(json.response?.allowed).toBe(true);
        expect(traces.ended.length).toBe(before + 1);
        const { traceId: id } = last().spanContext();
        expect(id).toMatch(/^[\da-f]{32}$/);
        expect(id).not.toMatch(/^0+$/);
      }),
      { numRuns: 60 },
    );
  });

  test('no review makes attributes that are large or no text', async () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.string({ minLength: 300, maxLength: 2000 }),
      fc.constant(['a']),
    );
    const request = fc.dictionary(
      fc.constantFrom(
        'uid',
        'kind',
        'name',
        'namespace',
        'operation',
        'subResource',
        'dryRun',
        'objects',
        'desiredAPIVersion',
        '__proto__',
      ),
      value,
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          value,
          request.map((each): Json => ({ request: each })),
        ),
        async (review) => {
          const before = traces.ended.length;
          await ask(JSON.stringify(review) ?? '');
          expect(traces.ended.length).toBe(before + 1);
          for (const each of Object.values(last().attributes)) {
            expect(['string', 'number', 'boolean']).toContain(typeof each);
            expect(String(each).length).toBeLessThanOrEqual(253);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
