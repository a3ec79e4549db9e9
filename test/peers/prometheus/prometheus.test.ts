// The metrics of a running operator, read by a real Prometheus over HTTPS with a bearer token.
import { Counter } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createClusterClient,
  defineController,
  loadCluster,
  metricsRegistry,
  type ClusterClient,
} from '../../../src/index.ts';
import { ConfigMap } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { eventually } from '../../../src/testing/index.ts';
import { sharedControlPlane, uniqueNamespace, type SharedControlPlane } from '../../helpers/control-plane.ts';
import { serviceAccountToken } from '../../helpers/service-account.ts';
import { runManager } from '../../control-plane/sdk/runtime/running-manager.ts';
import { prometheusIsHere, startPrometheus } from './real-prometheus.ts';

const slow = { timeout: 120_000, interval: 500 };

/** A metric of the operator's author, beside ours. */
const reconciles = new Counter({
  name: 'reconciles_total',
  help: 'Number of total reconciliation attempts',
  registers: [metricsRegistry],
});

const controller = defineController({
  name: 'scraped',
  for: ConfigMap,
  reconcile: ({ metadata }) => {
    reconciles.inc();
    if (metadata.name === 'broken') throw new Error('broken');
  },
});

describe.skipIf(!prometheusIsHere)('AS6.4: a Prometheus that scrapes an operator', () => {
  let plane: SharedControlPlane;
  let client: ClusterClient;
  beforeAll(async () => {
    plane = await sharedControlPlane();
    const cluster = await loadCluster({ kubeconfig: plane.kubeconfig });
    client = createClusterClient({ cluster, fieldManager: 'test' });
  });
  afterAll(() => client.close());

  test('finds it up, with the reconciles of its controllers, and the metrics of its author', async () => {
    const namespace = await uniqueNamespace(plane);
    const rules = [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }];
    const token = await serviceAccountToken(client, namespace, rules);
    await using running = await runManager(
      { kubeconfig: plane.kubeconfig, namespaces: [namespace], metrics: { address: '127.0.0.1:0' } },
      controller,
    );
    await eventually(() => expect(running.ports.metrics).toBeGreaterThan(0), slow);
    await using prometheus = await startPrometheus(`127.0.0.1:${running.ports.metrics}`, token);
    await eventually(async () => {
      expect(await prometheus.targets()).toMatchObject([{ health: 'up', lastError: '' }]);
    }, slow);

    for (const name of ['a', 'b']) await client.create(ConfigMap, { metadata: { name, namespace } });
    const only = async (query: string): Promise<number | undefined> =>
      [...(await prometheus.query(query)).values()][0];
    const total = 'sum(controller_runtime_reconcile_total{controller="scraped"})';
    await eventually(async () => {
      expect(await only('up{job="operator"}')).toBe(1);
      // The namespace may hold others, such as kube-root-ca.crt.
      expect(await only('reconciles_total')).toBeGreaterThanOrEqual(2);
      expect(await only(total)).toBe(await only('reconciles_total'));
    }, slow);
    const errors = 'sum(controller_runtime_reconcile_errors_total{controller="scraped"})';
    await eventually(async () => expect(await only(errors)).toBe(0), slow);

    await client.create(ConfigMap, { metadata: { name: 'broken', namespace } });
    const rate = 'rate(controller_runtime_reconcile_errors_total{controller="scraped"}[1m])';
    await eventually(async () => expect(await only(rate)).toBeGreaterThan(0), slow);
    const p99 =
      'histogram_quantile(0.99, rate(controller_runtime_reconcile_time_seconds_bucket{controller="scraped"}[1m]))';
    await eventually(async () => expect(await only(p99)).toBeGreaterThan(0), slow);
  });

  test('with a token that has no right finds it down, and says why', async () => {
    const namespace = await uniqueNamespace(plane);
    const token = await serviceAccountToken(client, namespace);
    await using running = await runManager({
      kubeconfig: plane.kubeconfig,
      metrics: { address: '127.0.0.1:0' },
    });
    await eventually(() => expect(running.ports.metrics).toBeGreaterThan(0), slow);
    await using prometheus = await startPrometheus(`127.0.0.1:${running.ports.metrics}`, token);
    await eventually(async () => {
      const [target] = await prometheus.targets();
      expect(target).toMatchObject({ health: 'down', lastError: expect.stringContaining('403') });
    }, slow);
  });
});
