// Traces that go through a real API server, from a request to the webhook that it causes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SpanKind, trace } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defineController, defineWebhook } from '../../../../src/index.ts';
import { ConfigMap } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { Event } from '../../../../src/sdk/k8s/generated/events/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../../../src/sdk/kube/index.ts';
import { eventually, startControlPlane } from '../../../../src/testing/index.ts';
import {
  sharedControlPlane,
  uniqueName,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../helpers/control-plane.ts';
import { isServerOlderThan } from '../../../helpers/server-version.ts';
import { serviceAccountToken, tokenKubeconfig } from '../../../helpers/service-account.ts';
import { keepTraces } from '../../../unit/sdk/tracing/tracing-setup.ts';
import { runManager } from './running-manager.ts';
import { installMemcached, installWebhooks } from './webhook/installed-webhooks.ts';

const slow = { timeout: 60_000 };

let plane: SharedControlPlane;
let client: KubeClient;
beforeAll(async () => {
  plane = await sharedControlPlane();
  client = createClient({
    cluster: await loadCluster({ kubeconfig: plane.kubeconfig }),
    fieldManager: 'test',
    onWarning: () => undefined,
  });
}, 120_000);
afterAll(() => client.close());

test('a reconcile, its request and the webhook that the request causes are one trace', async () => {
  const { kubeconfig } = plane;
  const namespace = await uniqueNamespace(plane);
  const { beta: kind } = await installMemcached(client);
  await using installed = await installWebhooks(
    kubeconfig,
    client,
    namespace,
    defineWebhook(kind, {
      default: ({ spec }, { log }) => {
        spec.image ??= 'memcached:1.6';
        log.info('defaulted');
      },
    }),
  );
  // The API server asks new webhooks a moment after it was told of them.
  await eventually(async () => {
    const object = { metadata: { name: 'probe', namespace }, spec: { size: 3 } };
    expect((await client.create(kind, object, { dryRun: true })).spec.image).toBeDefined();
  }, slow);

  await using traces = keepTraces();
  await using operator = await runManager(
    { kubeconfig, namespaces: [namespace], health: '0', metrics: '0' },
    defineController({
      for: ConfigMap,
      name: 'causes',
      async reconcile({ metadata: { name } }, { client: own, events, log }) {
        if (name !== 'cause') return;
        events.normal('Seen', 'written later, by a writer that all reconciles share');
        await own.live.find(kind, { namespace, name });
        await own.create(kind, { metadata: { name, namespace }, spec: { size: 3 } });
        log.info('created');
      },
    }),
  );
  await client.create(ConfigMap, { metadata: { name: 'cause', namespace } });
  const ended = (name: string): ReadableSpan[] =>
    traces.ended.filter((span) => span.name === name && span.attributes['opsdk.object.name'] === 'cause');
  await eventually(() => expect(ended('reconcile causes').length).toBeGreaterThan(0), slow);
  await eventually(async () => {
    const { items } = await client.list(Event, { namespace });
    expect(items.map(({ reason }) => reason)).toContain('Seen');
  }, slow);

  const [reconcile] = ended('reconcile causes');
  const { traceId, spanId } = reconcile!.spanContext();
  const [create] = ended(`create memcacheds.${kind.group}`);
  const [find] = ended(`get memcacheds.${kind.group}`);
  const [webhook] = traces.ended.filter(
    (span) => span.kind === SpanKind.SERVER && span.spanContext().traceId === traceId,
  );
  expect(reconcile?.parentSpanContext).toBeUndefined();
  expect(reconcile?.attributes).toMatchObject({
    'opsdk.reconcile.trigger.type': 'for',
    'k8s.namespace.name': namespace,
  });
  expect(find).toMatchObject({ parentSpanContext: { traceId, spanId }, attributes: { 'error.type': '404' } });
  expect(create).toMatchObject({
    parentSpanContext: { traceId, spanId },
    attributes: { 'http.response.status_code': 201, 'server.address': '127.0.0.1' },
  });
  expect(webhook).toMatchObject({
    parentSpanContext: { traceId, spanId: create?.spanContext().spanId, isRemote: true },
    attributes: { 'opsdk.admission.operation': 'CREATE', 'opsdk.admission.allowed': true },
  });
  const line = (lines: readonly object[], msg: string) =>
    lines.findLast((each) => (each as { msg: string }).msg === msg);
  expect(line(operator.lines, 'created')).toMatchObject({ trace_id: traceId, span_id: spanId });
  expect(line(installed.running.lines, 'defaulted')).toMatchObject({
    trace_id: traceId,
    span_id: webhook?.spanContext().spanId,
  });
  // Neither lists and watches of caches nor writes of Events are traced.
  const others = traces.ended.filter(({ kind: of }) => of === SpanKind.CLIENT).map(({ name }) => name);
  expect([...new Set(others)].sort()).toEqual([create?.name, find?.name]);
  expect(traces.ended.filter((span) => span.parentSpanContext === undefined).map(({ name }) => name)).toEqual(
    traces.ended.filter(({ kind: of }) => of === SpanKind.CONSUMER).map(({ name }) => name),
  );
}, 240_000);

test('an API server that traces begins a trace for a ServiceAccount, and continues that of a privileged user', async () => {
  using files = temporaryFolder();
  const config = join(files.path, 'tracing.yaml');
  // Nobody listens there: the spans of the API server are lost, its context is not.
  writeFileSync(
    config,
    JSON.stringify({
      ...{ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'TracingConfiguration' },
      ...{ endpoint: '127.0.0.1:9', samplingRatePerMillion: 1_000_000 },
    }),
  );
  await using own = await startControlPlane({ apiServerFlags: [`--tracing-config-file=${config}`] });
  const clientOf = async (kubeconfigText: string): Promise<KubeClient> => {
    const path = join(files.path, uniqueName('kubeconfig'));
    writeFileSync(path, kubeconfigText);
    return createClient({ cluster: await loadCluster({ kubeconfig: path }), fieldManager: 'test' });
  };
  const admin = await clientOf(own.kubeconfigText);
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }];
  const account = await clientOf(tokenKubeconfig(own, await serviceAccountToken(admin, 'default', rules)));
  await using _closing = {
    [Symbol.asyncDispose]: () => Promise.all([admin.close(), account.close()]).then(() => undefined),
  };
  await using _installed = await installWebhooks(
    own.kubeconfig,
    admin,
    'default',
    defineWebhook(ConfigMap, { default: (draft) => void (draft.data = { defaulted: 'yes' }) }),
  );
  const create = (client: KubeClient, name: string) =>
    client.create(ConfigMap, { metadata: { name, namespace: 'default' } });
  await eventually(async () => {
    expect((await create(admin, uniqueName())).data).toBeDefined();
    // The role of the ServiceAccount takes a moment, too.
    await create(account, uniqueName());
  }, slow);

  await using traces = keepTraces();
  const outcomes: unknown[] = [];
  for (const [name, each] of Object.entries({ admin, account })) {
    await trace.getTracer('test').startActiveSpan(name, async (span) => {
      await create(each, name);
      span.end();
    });
    const of = (kind: SpanKind) =>
      traces.ended.find((span) => span.kind === kind && span.attributes['opsdk.object.name'] === name)!;
    const [request, webhook] = [of(SpanKind.CLIENT), of(SpanKind.SERVER)];
    outcomes.push({
      name,
      isSameTrace: webhook.spanContext().traceId === request.spanContext().traceId,
      isRemote: webhook.parentSpanContext?.isRemote,
      isChild: webhook.parentSpanContext?.spanId === request.spanContext().spanId,
    });
  }
  expect(outcomes).toEqual([
    // Earlier releases may trust nobody.
    {
      name: 'admin',
      isSameTrace: isServerOlderThan('1.37') ? (expect.any(Boolean) as unknown) : true,
      isRemote: true,
      isChild: false,
    },
    { name: 'account', isSameTrace: false, isRemote: true, isChild: false },
  ]);
}, 240_000);

function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'opsdk-tracing-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
