// Spans of reconciles and of the requests in them, from the controller to a collector of OTLP.
import { setTimeout as sleep } from 'node:timers/promises';
import { trace } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import {
  defineController,
  requeueAfter,
  terminalError,
  type ControllerOptions,
  type ReconcileContext,
} from '../../../../src/index.ts';
import { ConfigMap } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { createTestApi } from '../../../../src/testing.ts';
import type { ReceivedSpan } from '../../../helpers/otlp-receiver.ts';
import { Site, site, siteCrd } from '../../testing/api/fixtures.ts';
import { memoryLog } from '../runtime/memory-log.ts';
import { exportTraces, keepTraces } from './tracing-setup.ts';

const start = async (options: Partial<ControllerOptions<Site>>, names = ['a']) => {
  const { log, lines } = memoryLog();
  const objects = names.map((name) => site(name));
  const api = await createTestApi({ kinds: [Site, ConfigMap], crds: [siteCrd], objects, log });
  const controller = defineController({
    for: Site,
    backoff: { base: '1m' },
    reconcile: () => undefined,
    ...options,
  });
  api.add(controller);
  return { api, lines };
};

const configMap = ({ namespace, name }: ReconcileContext['key']) => ({
  apiVersion: 'v1' as const,
  kind: 'ConfigMap' as const,
  metadata: { name, namespace },
});

const only = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const found = spans.filter((span) => span.name === name);
  expect(found, name).toHaveLength(1);
  return found[0]!;
};

test.each(['json', 'protobuf'] as const)(
  'a reconcile and its requests arrive as one trace, as %s',
  async (format) => {
    await using traces = await exportTraces(format);
    const { api, lines } = await start({
      owns: [ConfigMap],
      async reconcile(found, { client, key, log }) {
        log.info('begins');
        await trace.getTracer('mine').startActiveSpan('my step', async (span) => {
          await client.apply(ConfigMap, configMap(key));
          log.info('applied');
          span.end();
        });
        await client.mergePatch(Site, key, { status: { conditions: [] } }, { subresource: 'status' });
        await client.find(Site, key);
        return requeueAfter('1h');
      },
    });
    await using _ = api;
    await api.settle();
    const spans = await traces.spans();
    expect([...traces.contentTypes]).toEqual([
      format === 'json' ? 'application/json' : 'application/x-protobuf',
    ]);
    const [root] = spans.filter(({ name }) => name === 'reconcile site');
    const { traceId, spanId } = root!;
    const ofTrace = spans.filter((span) => span.traceId === traceId);
    const step = only(ofTrace, 'my step');
    const apply = only(ofTrace, 'apply configmaps');
    const status = only(ofTrace, 'patch sites.web.example.com/status');
    // A read of the cache sends nothing.
    expect(ofTrace).toHaveLength(4);
    expect(root).toMatchObject({
      parentSpanId: '',
      kind: 5,
      scope: 'opsdk',
      status: { code: 0 },
      events: [],
    });
    expect(root!.attributes).toMatchObject({
      'opsdk.controller': 'site',
      'opsdk.reconcile.attempt': 1,
      'opsdk.reconcile.result': 'requeue_after',
      'opsdk.reconcile.requeue_after': 3600,
      'opsdk.reconcile.trigger.type': 'for',
      'opsdk.reconcile.trigger.source': 'Site',
      'opsdk.reconcile.trigger.event': 'create',
      'opsdk.reconcile.trigger.object': 'default/a',
      'opsdk.reconcile.queue_duration': expect.any(Number),
      'opsdk.object.group': 'web.example.com',
      'opsdk.object.version': 'v1',
      'opsdk.object.kind': 'Site',
      'opsdk.object.name': 'a',
      'k8s.namespace.name': 'default',
    });
    expect(step).toMatchObject({ parentSpanId: spanId, scope: 'mine' });
    expect(apply).toMatchObject({ parentSpanId: step.spanId, kind: 3, status: { code: 0 } });
    expect(apply.attributes).toEqual({
      'http.request.method': 'PATCH',
      'http.response.status_code': 201,
      'url.full': expect.stringContaining(
        '/api/v1/namespaces/default/configmaps/a?fieldManager=test-operator%2Fsite',
      ),
      'server.address': expect.any(String),
      'server.port': 443,
      'opsdk.request.verb': 'apply',
      'opsdk.request.resource': 'configmaps',
      'opsdk.object.name': 'a',
      'k8s.namespace.name': 'default',
    });
    expect(status).toMatchObject({
      parentSpanId: spanId,
      attributes: {
        'opsdk.request.subresource': 'status',
        'opsdk.request.resource': 'sites.web.example.com',
      },
    });
    const [begins] = lines.filter(({ msg }) => msg === 'begins');
    const [applied] = lines.filter(({ msg }) => msg === 'applied');
    const ids = { trace_id: traceId, trace_flags: '01', reconcileID: root!.attributes['opsdk.reconcile.id'] };
    expect(begins).toMatchObject({ ...ids, span_id: spanId });
    expect(applied).toMatchObject({ ...ids, span_id: step.spanId });
  },
);

test('errors are recorded: those of requests, of reconciles, and terminal ones', async () => {
  await using traces = await exportTraces();
  const { api, lines } = await start({
    async reconcile(_, { client, key, attempt }) {
      if (attempt === 1) await client.create(ConfigMap, configMap(key));
      const cause = new Error('the disk is full: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl');
      throw terminalError(new TypeError('cannot write', { cause }));
    },
  });
  await using _ = api;
  api.intercept({ verb: 'create', resource: ConfigMap }, { code: 409, reason: 'Conflict' });
  await api.advance('10s').catch(() => undefined);
  await api.advance('2m').catch(() => undefined);
  const spans = await traces.spans();
  const create = only(spans, 'create configmaps');
  expect(create).toMatchObject({
    status: { code: 2 },
    attributes: { 'http.response.status_code': 409, 'error.type': '409' },
  });
  const [first, second, ...others] = spans.filter(({ name }) => name === 'reconcile site');
  expect(others).toEqual([]);
  expect(create.parentSpanId).toBe(first!.spanId);
  expect(first).toMatchObject({
    status: { code: 2, message: 'create configmaps default/a: Conflict' },
    attributes: {
      'opsdk.reconcile.result': 'error',
      'opsdk.reconcile.terminal': false,
      'opsdk.reconcile.requeue_after': 60,
      'error.type': 'kube/conflict',
    },
    events: [{ name: 'exception', attributes: { 'exception.type': 'ApiError' } }],
  });
  expect(second).toMatchObject({
    status: { code: 2, message: 'cannot write' },
    attributes: {
      'opsdk.reconcile.attempt': 2,
      'opsdk.reconcile.trigger.type': 'retry',
      'opsdk.reconcile.terminal': true,
      'error.type': 'TypeError',
    },
    events: [{ name: 'exception', attributes: { 'exception.message': 'cannot write' } }],
  });
  expect(second!.attributes).not.toHaveProperty('opsdk.reconcile.requeue_after');
  const stack = second!.events[0]?.attributes['exception.stacktrace'];
  expect(stack).toMatch(/cannot write[^]*\nCaused by: Error: the disk is full: \*\*\*\n/);
  const failures = lines.filter(({ msg }) => msg === 'Reconciler error' || msg.startsWith('Conflict'));
  expect(failures.map((line) => line['span_id'])).toEqual([first!.spanId, second!.spanId]);
});

test('reconciles that run at once keep to their own traces', async () => {
  await using traces = keepTraces();
  const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
  const seen = new Map<string, string[]>();
  const { api, lines } = await start(
    {
      concurrency: 10,
      async reconcile(_, { client, key, log, reconcileID }) {
        for (let step = 0; step < 5; step += 1) {
          seen.set(key.name, [
            ...(seen.get(key.name) ?? []),
            trace.getActiveSpan()?.spanContext().traceId ?? '',
          ]);
          log.info({ step }, 'step');
          await sleep(Math.random() * 3);
          await client.apply(ConfigMap, { ...configMap(key), data: { step: String(step), reconcileID } });
        }
      },
    },
    names,
  );
  await using _ = api;
  await api.settle();
  for (const name of names) {
    const own = traces.ended.filter(({ attributes }) => attributes['opsdk.object.name'] === name);
    const roots = own.filter((span) => span.name === 'reconcile site');
    expect(own.filter((span) => span.name === 'apply configmaps')).toHaveLength(5 * roots.length);
    const traceIds = new Set(own.map((span) => span.spanContext().traceId));
    expect(traceIds.size).toBe(roots.length);
    expect(new Set(seen.get(name))).toEqual(traceIds);
    const logged = lines.filter((line) => line['name'] === name && line.msg === 'step');
    expect(new Set(logged.map((line) => line['trace_id']))).toEqual(traceIds);
  }
});

test('background work of the runtime belongs to no reconcile', async () => {
  await using traces = keepTraces();
  const { api, lines } = await start({
    reconcile: (_, { events }) => events.normal('Seen', 'an Event is written later, with those of others'),
  });
  await using _ = api;
  await api.settle();
  expect(api.events).toHaveLength(1);
  expect(traces.ended.map(({ name }) => name)).toEqual(['reconcile site']);
  expect(lines.filter((line) => 'trace_id' in line && !('reconcileID' in line))).toEqual([]);
});
