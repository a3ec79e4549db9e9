// HTTPS metrics with a real API server that says who reads, and who may.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Counter } from 'prom-client';
import {
  createClusterClient,
  defineController,
  loadCluster,
  metricsRegistry,
  terminalError,
  type ClusterClient,
} from '../../../../src/index.ts';
import { Deployment } from '../../../../src/sdk/k8s/generated/apps/v1.ts';
import { ConfigMap } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import type { ClusterRole } from '../../../../src/sdk/k8s/generated/rbac/v1.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { createCertificateAuthority } from '../../../../src/sdk/x509/certificate-authority.ts';
import {
  sharedControlPlane,
  uniqueName,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../helpers/control-plane.ts';
import { bearer, httpsGet } from '../../../helpers/https-get.ts';
import { serviceAccountToken, tokenKubeconfig } from '../../../helpers/service-account.ts';
import { runManager } from './running-manager.ts';
import { Site } from './site.ts';

const slow = { timeout: 60_000 };
const listed = { address: '127.0.0.1:0' };

let plane: SharedControlPlane;
let client: ClusterClient;
let folder: string;
let namespace: string;

beforeAll(async () => {
  plane = await sharedControlPlane();
  client = createClusterClient({
    cluster: await loadCluster({ kubeconfig: plane.kubeconfig }),
    fieldManager: 'test',
  });
  folder = mkdtempSync(join(tmpdir(), 'opsdk-metrics-'));
  namespace = await uniqueNamespace(plane);
}, 120_000);
afterAll(async () => {
  await client.close();
  rmSync(folder, { recursive: true });
});

/** The token of a new ServiceAccount that has these rules. */
const tokenWith = async (rules: ClusterRole['rules'] = []): Promise<string> =>
  serviceAccountToken(client, namespace, rules, uniqueName('reader'));

const mayRead = [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }];

/** Names of controller-runtime's, client-go's and the certificate watcher's metrics, and the type of each. */
const names = {
  controller_runtime_reconcile_total: 'counter',
  controller_runtime_reconcile_errors_total: 'counter',
  controller_runtime_terminal_reconcile_errors_total: 'counter',
  controller_runtime_reconcile_panics_total: 'counter',
  controller_runtime_reconcile_timeouts_total: 'counter',
  controller_runtime_reconcile_time_seconds: 'histogram',
  controller_runtime_max_concurrent_reconciles: 'gauge',
  controller_runtime_active_workers: 'gauge',
  controller_runtime_webhook_latency_seconds: 'histogram',
  controller_runtime_webhook_requests_total: 'counter',
  controller_runtime_webhook_requests_in_flight: 'gauge',
  controller_runtime_webhook_panics_total: 'counter',
  controller_runtime_conversion_webhook_panics_total: 'counter',
  workqueue_depth: 'gauge',
  workqueue_adds_total: 'counter',
  workqueue_queue_duration_seconds: 'histogram',
  workqueue_work_duration_seconds: 'histogram',
  workqueue_unfinished_work_seconds: 'gauge',
  workqueue_longest_running_processor_seconds: 'gauge',
  workqueue_retries_total: 'counter',
  rest_client_requests_total: 'counter',
  rest_client_request_duration_seconds: 'histogram',
  rest_client_request_size_bytes: 'histogram',
  rest_client_response_size_bytes: 'histogram',
  rest_client_rate_limiter_duration_seconds: 'histogram',
  rest_client_request_retries_total: 'counter',
  certwatcher_read_certificate_total: 'counter',
  certwatcher_read_certificate_errors_total: 'counter',
  process_cpu_seconds_total: 'counter',
};

test('the metrics are for those who have the right to read them; every series of a controller is there from the start', async () => {
  const [reader, stranger] = await Promise.all([tokenWith(mayRead), tokenWith()]);
  await using running = await runManager(
    { kubeconfig: plane.kubeconfig, namespaces: [await uniqueNamespace(plane)], metrics: listed },
    // There are none in a new namespace.
    defineController({ name: 'secured', for: Deployment, reconcile: async () => undefined }),
  );
  await eventually(() => expect(running.ports.metrics).toBeGreaterThan(0), slow);
  const { metrics: port } = running.ports;
  expect(await httpsGet(port, '/metrics')).toMatchObject({
    status: 401,
    text: 'Unauthorized\n',
    headers: { 'www-authenticate': 'Bearer' },
  });
  expect((await httpsGet(port, '/metrics', bearer('made-up'))).status).toBe(401);
  expect(await httpsGet(port, '/metrics', bearer(stranger))).toMatchObject({
    status: 403,
    text: expect.stringMatching(/^Authorization denied for user system:serviceaccount:.*:reader-/),
  });
  expect((await httpsGet(port, '/', bearer(reader))).status).toBe(404);
  const { status, text, headers } = await httpsGet(port, '/metrics', bearer(reader));
  expect(status).toBe(200);
  expect(headers['content-type']).toContain('text/plain; version=0.0.4');
  const missing = Object.entries(names).filter(([name, type]) => !text.includes(`# TYPE ${name} ${type}\n`));
  expect(missing).toEqual([]);
  for (const result of ['success', 'error', 'requeue', 'requeue_after'])
    expect(text).toContain(`controller_runtime_reconcile_total{controller="secured",result="${result}"} 0\n`);
  for (const name of Object.keys(names).filter((each) =>
    /reconcile_\w*(errors|panics|timeouts)_total/.test(each),
  ))
    expect(text).toContain(`${name}{controller="secured"} 0\n`);
  expect(text).toContain('controller_runtime_reconcile_time_seconds_count{controller="secured"} 0\n');
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
  expect(running.lines.filter(({ level }) => level === 'error')).toEqual([]);
});

test('AS6.1: a counter of its author is served beside them and counts the same reconciles', async () => {
  const own = await uniqueNamespace(plane);
  const reconciles = new Counter({
    name: 'reconciles_total',
    help: 'Number of total reconciliation attempts',
    registers: [metricsRegistry],
  });
  const controller = defineController({
    name: 'counted',
    for: ConfigMap,
    reconcile: ({ metadata }) => {
      reconciles.inc();
      if (metadata.name === 'broken') throw terminalError(new Error('broken'));
    },
  });
  await using running = await runManager(
    { kubeconfig: plane.kubeconfig, namespaces: [own], metrics: listed },
    controller,
  );
  const reader = await tokenWith(mayRead);
  for (const name of ['a', 'b', 'broken'])
    await client.create(ConfigMap, { metadata: { name, namespace: own } });
  const sample = (text: string, name: string): number =>
    Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\d+)$`, 'm').exec(text)?.[1]);
  await eventually(async () => {
    const { text } = await httpsGet(running.ports.metrics, '/metrics', bearer(reader));
    expect(text).toContain(
      '# HELP reconciles_total Number of total reconciliation attempts\n# TYPE reconciles_total counter\n',
    );
    const of = (result: string): number =>
      sample(text, `controller_runtime_reconcile_total{controller="counted",result="${result}"}`);
    expect(of('error')).toBe(1);
    expect(of('success')).toBeGreaterThanOrEqual(2);
    expect(sample(text, 'reconciles_total')).toBe(of('success') + of('error'));
    expect(sample(text, 'controller_runtime_reconcile_errors_total{controller="counted"}')).toBe(1);
    expect(sample(text, 'controller_runtime_reconcile_time_seconds_count{controller="counted"}')).toBe(
      of('success') + 1,
    );
  }, slow);
});

test('an operator that may not ask who reads says so at its start, with the rules to add, and works on', async () => {
  const [reader, own] = await Promise.all([
    tokenWith(mayRead),
    tokenWith([
      { apiGroups: [Site.group], resources: [Site.plural], verbs: ['*'] },
      { apiGroups: ['apps'], resources: ['deployments'], verbs: ['*'] },
    ]),
  ]);
  const kubeconfig = join(folder, 'weak');
  writeFileSync(kubeconfig, tokenKubeconfig(plane, own));
  await using running = await runManager({ kubeconfig, metrics: listed });
  await eventually(() => {
    const findings = running.lines
      .filter(({ msg }) => msg === 'Cannot check who may read the metrics')
      .flatMap(({ error }) => (error as { findings: { code: string; fix: string[] }[] }).findings);
    expect(findings.map(({ code }) => code)).toEqual([
      'runtime/metrics-reviews-forbidden',
      'runtime/metrics-reviews-forbidden',
    ]);
    expect(findings[0]?.fix[0]).toContain(
      "{ apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] }",
    );
  }, slow);
  expect(await httpsGet(running.ports.metrics, '/metrics', bearer(reader))).toMatchObject({
    status: 500,
    text: expect.stringContaining("the operator's log says why"),
  });
  // The reason is in the log already.
  expect(running.lines.filter(({ level }) => level === 'error')).toHaveLength(2);
});

test('a certificate from files is served, without them nothing', async () => {
  const authority = createCertificateAuthority('test');
  const pair = authority.issue({ commonName: 'metrics', usage: 'server', ipAddresses: ['127.0.0.1'] });
  writeFileSync(join(folder, 'tls.crt'), pair.certificate);
  writeFileSync(join(folder, 'tls.key'), pair.key);
  const reader = await tokenWith(mayRead);
  {
    await using running = await runManager({
      kubeconfig: plane.kubeconfig,
      metrics: { ...listed, certificate: { folder } },
    });
    await eventually(() => expect(running.ports.metrics).toBeGreaterThan(0), slow);
    const checked = { ...bearer(reader), rejectUnauthorized: true, ca: authority.certificate };
    expect((await httpsGet(running.ports.metrics, '/metrics', checked)).status).toBe(200);
    expect(await metricsRegistry.getSingleMetricAsString('certwatcher_read_certificate_total')).toMatch(
      / [1-9]\d*$/,
    );
  }
  await using running = await runManager({
    kubeconfig: plane.kubeconfig,
    metrics: { ...listed, certificate: { folder: join(folder, 'absent') } },
  });
  await expect(running.ended).rejects.toThrow('runtime/certificate-unreadable');
});
