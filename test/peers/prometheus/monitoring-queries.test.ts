// Every query of the dashboard has data of a running operator, and the alerts that Prometheus evaluates are silent.
import { Histogram } from 'prom-client';
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
import { renderMonitoring } from '../../../src/project/monitoring/render-monitoring.ts';
import { sharedControlPlane, uniqueNamespace, type SharedControlPlane } from '../../helpers/control-plane.ts';
import { alertExpressions, dashboardExpressions, seriesOf } from '../../helpers/monitoring-expressions.ts';
import { serviceAccountToken } from '../../helpers/service-account.ts';
import { runManager } from '../../control-plane/sdk/runtime/running-manager.ts';
import { prometheusIsHere, startPrometheus } from './real-prometheus.ts';

const slow = { timeout: 120_000, interval: 1000 };

const sizes = new Histogram({
  name: 'dashboard_sizes_bytes',
  help: 'Sizes',
  labelNames: ['kind'],
  registers: [metricsRegistry],
});

const controller = defineController({
  name: 'shown',
  for: ConfigMap,
  reconcile: () => sizes.observe({ kind: 'ConfigMap' }, 1),
});

describe.skipIf(!prometheusIsHere)('a Prometheus with the queries of create monitoring', () => {
  let plane: SharedControlPlane;
  let client: ClusterClient;
  beforeAll(async () => {
    plane = await sharedControlPlane();
    const cluster = await loadCluster({ kubeconfig: plane.kubeconfig });
    client = createClusterClient({ cluster, fieldManager: 'test' });
  });
  afterAll(() => client.close());

  test('has data for each of the dashboard, and no alert', async () => {
    const namespace = await uniqueNamespace(plane);
    const rules = [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }];
    const token = await serviceAccountToken(client, namespace, rules);
    await using running = await runManager(
      {
        kubeconfig: plane.kubeconfig,
        namespaces: [namespace],
        leaderElection: { id: 'shown.example.com', namespace },
        metrics: { address: '127.0.0.1:0' },
      },
      controller,
    );
    await eventually(() => expect(running.ports.metrics).toBeGreaterThan(0), slow);
    await using prometheus = await startPrometheus(`127.0.0.1:${running.ports.metrics}`, token);
    await client.create(ConfigMap, { metadata: { name: 'a', namespace } });

    const files = await renderMonitoring(
      {
        ...{ projectName: 'shown', job: 'operator', controllers: ['shown'], runbooks: undefined },
        ...{ admission: false, conversion: false },
        metrics: [{ name: 'dashboard_sizes_bytes', type: 'histogram', help: 'Sizes', labels: ['kind'] }],
      },
      undefined,
    );
    const queries = dashboardExpressions(files.dashboard, { job: 'operator', rateInterval: '10s' });
    // A process without a memory limit has no such series.
    const expected = queries.filter(({ expr }) =>
      seriesOf(expr).every(({ metric }) => metric !== 'opsdk_memory_limit_bytes'),
    );
    expect(expected.length).toBeGreaterThan(35);
    await eventually(async () => {
      const empty: string[] = [];
      for (const { name, expr } of expected) {
        const found = await prometheus.query(expr);
        if (found.size === 0) empty.push(`${name}: ${expr}`);
      }
      expect(empty).toEqual([]);
    }, slow);
    for (const { name, expr } of alertExpressions(files.rules))
      expect([...(await prometheus.query(expr))], name).toEqual([]);
  });
});
