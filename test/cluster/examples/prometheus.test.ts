// The Prometheus operator as a Pod, with no rights but those of its inferred role. The real Prometheus, which it runs, scrapes the operator
// itself by the ServiceMonitor that op-sdk scaffolded and deployed with it.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  alertmanagerVersion,
  ensureAlertmanager,
  ensurePrometheus,
  prometheusVersion,
  reasonOf,
} from '../../../scripts/lib/test-programs.mjs';
import { Alertmanager } from '../../../examples/prometheus-operator/src/api/monitoring/v1/alertmanager.ts';
import { Probe } from '../../../examples/prometheus-operator/src/api/monitoring/v1/probe.ts';
import {
  Prometheus,
  type PrometheusSpec,
} from '../../../examples/prometheus-operator/src/api/monitoring/v1/prometheus.ts';
import { PrometheusRule } from '../../../examples/prometheus-operator/src/api/monitoring/v1/prometheus-rule.ts';
import { reloaderImage } from '../../../examples/prometheus-operator/src/workload/reloader.ts';
import { StatefulSet } from '../../../src/sdk/k8s/generated/apps/v1.ts';
import { Pod } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { ClusterRoleBinding } from '../../../src/sdk/k8s/generated/rbac/v1.ts';
import { eventually } from '../../../src/testing/index.ts';
import { grantDiscovery } from '../../helpers/prometheus/discovery-rights.ts';
import { PrometheusApi } from '../../helpers/prometheus/prometheus-api.ts';
import type { ClusterBed } from '../bed/cluster-bed.ts';
import { pushPrometheusImages } from '../bed/software-images.ts';
import { ExampleOperator, slow } from './example-operator.ts';

const bed = inject('cluster') as ClusterBed;
const reasons =
  bed === undefined
    ? ['no cluster']
    : await Promise.all([reasonOf(ensurePrometheus()), reasonOf(ensureAlertmanager())]);
const name = 'main';
const account = 'prometheus';
const operatorNamespace = 'prometheus-operator-system';
/** Labels of the ServiceMonitor that op-sdk has scaffolded. */
const scaffolded = { 'app.kubernetes.io/name': 'prometheus-operator' };
const metricsReader = { name: 'prometheus-of-the-example' };
const job = 'prometheus-operator-controller-manager-metrics-service';

describe.skipIf(reasons.some((reason) => reason !== undefined))('the Prometheus operator', () => {
  let operator: ExampleOperator;

  beforeAll(async () => {
    await pushPrometheusImages(bed, reloaderImage.slice(reloaderImage.lastIndexOf(':') + 1));
    operator = await ExampleOperator.deploy(bed, 'prometheus-operator');
    await grantRights();
  });
  afterAll(async () => {
    await operator?.client.delete(ClusterRoleBinding, metricsReader, { ignoreNotFound: true });
    await operator?.[Symbol.asyncDispose]();
  });

  const key = (name: string) => ({ name, namespace: operator.namespace });
  const addressOf = async (pod: string): Promise<string> =>
    (await operator.client.get(Pod, key(pod))).status?.podIP ?? '';
  const prometheus = async (): Promise<PrometheusApi> =>
    new PrometheusApi(`http://${await addressOf(`prometheus-${name}-0`)}:9090`);
  const change = (spec: PrometheusSpec) =>
    operator.client.patch(Prometheus, key(name), { type: 'merge', body: { spec } });
  const pools = async (): Promise<readonly string[]> =>
    (await (await prometheus()).targets())
      .filter(({ health }) => health === 'up')
      .map(({ scrapePool }) => scrapePool);

  test('runs Alertmanagers that find each other by their names', async () => {
    await operator.client.create(Alertmanager, {
      metadata: key(name),
      spec: { version: alertmanagerVersion, replicas: 2 },
    });
    // Meanwhile it starts, too.
    await operator.client.create(Prometheus, {
      metadata: key(name),
      spec: {
        version: prometheusVersion,
        serviceAccountName: account,
        scrapeInterval: '1s',
        evaluationInterval: '1s',
        serviceMonitorSelector: { matchLabels: scaffolded },
        serviceMonitorNamespaceSelector: {},
        // The scaffolded ServiceMonitor names the token of Prometheus's ServiceAccount.
        arbitraryFSAccessThroughSMs: { deny: false },
        probeSelector: {},
        ruleSelector: {},
        alerting: { alertmanagers: [{ name: `alertmanager-${name}`, port: 'web' }] },
        storage: {
          volumeClaimTemplate: {
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        },
      },
    });
    await eventually(async () => {
      const { status } = await operator.client.get(Alertmanager, key(name));
      expect(status, JSON.stringify(status)).toMatchObject({ availableReplicas: 2, unavailableReplicas: 0 });
      const answer = await fetch(`http://${await addressOf(`alertmanager-${name}-0`)}:9093/api/v2/status`);
      const { cluster } = (await answer.json()) as {
        readonly cluster: { readonly peers?: readonly object[] };
      };
      expect(cluster.peers).toHaveLength(2);
    }, slow);
  });

  test('has Prometheus scrape the metrics of an operator by its ServiceMonitor', async () => {
    await eventually(async () => {
      const { status } = await operator.client.get(Prometheus, key(name));
      expect(status, JSON.stringify(status)).toMatchObject({
        paused: false,
        replicas: 1,
        updatedReplicas: 1,
        availableReplicas: 1,
        unavailableReplicas: 0,
      });
    }, slow);
    await eventually(async () => {
      const api = await prometheus();
      const [target] = await api.targets();
      expect(target, JSON.stringify(target)).toMatchObject({
        health: 'up',
        lastError: '',
        labels: { job, namespace: operatorNamespace, service: job, endpoint: 'https' },
      });
      const reconciles = 'sum(controller_runtime_reconcile_total{controller="prometheus",result="success"})';
      expect([...(await api.query(reconciles)).values()][0]).toBeGreaterThan(0);
    }, slow);
  });

  test('has Prometheus look up names', async () => {
    await operator.client.create(Probe, {
      metadata: key('itself'),
      spec: {
        prober: { url: `prometheus-${name}.${operator.namespace}.svc:9090`, path: '/metrics' },
        targets: { staticConfig: { static: ['ignored'] } },
      },
    });
    await eventually(async () => expect(await pools()).toContain(`probe/${operator.namespace}/itself`), slow);
  });

  test('an alert reaches both Alertmanagers', async () => {
    await operator.client.create(PrometheusRule, {
      metadata: key('operator'),
      spec: {
        groups: [
          {
            name: 'operator',
            rules: [
              {
                alert: 'OperatorReconciles',
                expr: `sum by (job) (controller_runtime_reconcile_total{job="${job}"}) > 0`,
                labels: { severity: 'info' },
              },
            ],
          },
        ],
      },
    });
    await eventually(async () => {
      for (const index of [0, 1]) {
        const address = await addressOf(`alertmanager-${name}-${index}`);
        const alerts = await (await fetch(`http://${address}:9093/api/v2/alerts`)).json();
        expect(alerts).toMatchObject([
          { labels: { alertname: 'OperatorReconciles', job, severity: 'info' }, status: { state: 'active' } },
        ]);
      }
    }, slow);
  });

  test('forgets a ServiceMonitor that it selects no more, without a restart', async () => {
    const statefulSet = key(`prometheus-${name}`);
    const { metadata } = await operator.client.get(StatefulSet, statefulSet);
    await change({ serviceMonitorSelector: { matchLabels: { team: 'other' } } });
    await eventually(async () => expect(await pools()).toEqual([`probe/${operator.namespace}/itself`]), slow);
    expect((await operator.client.get(StatefulSet, statefulSet)).metadata.generation).toBe(
      metadata.generation,
    );
    const { status } = await operator.client.get(Pod, key(`prometheus-${name}-0`));
    expect(status?.containerStatuses?.map(({ restartCount }) => restartCount)).toEqual([0, 0]);
  });

  test('was never refused by the API server', () => operator.expectNothingForbidden());

  /** Lets Prometheus discover the endpoints of two namespaces, and read the metrics of operators. */
  async function grantRights(): Promise<void> {
    const { client, namespace } = operator;
    await grantDiscovery(client, { name: account, namespace }, [namespace, operatorNamespace]);
    await client.create(ClusterRoleBinding, {
      metadata: metricsReader,
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: 'prometheus-operator-metrics-reader',
      },
      subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
    });
  }
});
