// A real Prometheus with the alerts and the queries of the dashboard that `op-sdk create monitoring` writes, beside a deployed operator.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { root } from '../../scripts/lib/run.mjs';
import { parseYaml } from '../../src/kubernetes/yaml/index.ts';
import {
  alertExpressions,
  dashboardExpressions,
  prometheusRules,
  seriesOf,
} from '../helpers/monitoring-expressions.ts';
import {
  prometheusIsHere,
  startPrometheus,
  type RealPrometheus,
} from '../peers/prometheus/real-prometheus.ts';
import { clusterApi, eventuallyTrue, isReady, type ClusterApi } from './bed/cluster-api.ts';
import type { ClusterBed } from './bed/cluster-bed.ts';
import { createNginxProject, nginxKind, type OperatorProject } from './bed/operator-project.ts';

const bed = inject('cluster') as ClusterBed;
const name = 'nginx-operator';
const job = `${name}-controller-manager-metrics-service`;
const clusterRole = `/apis/rbac.authorization.k8s.io/v1/clusterroles/${name}-manager-role`;
const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const monitoringApi = '/apis/monitoring.coreos.com/v1';

/** Published CRDs of the Prometheus Operator. */
const crds = ['servicemonitors', 'prometheusrules'].map((plural) =>
  join(root, '..', 'shared', 'data', 'monitoring-crds', `${plural}.yaml`),
);
const crdsAreHere = crds.every((file) => existsSync(file));

const webhook = `import { defineWebhook } from 'opsdk';
import { NginxOperator } from '../../../api/operator/v1alpha1/nginx-operator.ts';

export const nginxOperatorWebhook = defineWebhook(NginxOperator, {
  default(nginx) {
    if (nginx.spec !== undefined) nginx.spec.replicas ??= 0;
  },
  validate: {
    create({ spec: { replicas = 0 } }) {
      return replicas < 5 ? [] : [{ path: '.spec.replicas', message: 'must be less than 5', value: replicas }];
    },
  },
});
`;

/** Metrics of the author's own, of each type. */
const ownMetrics = `import { metricsRegistry } from 'opsdk';
import { Counter, Gauge, Histogram, Summary } from 'prom-client';

const registers = [metricsRegistry];
const labelNames = ['namespace_of'] as const;
const applied = new Counter({ name: 'nginx_applied_total', help: 'Deployments applied', labelNames, registers });
const wanted = new Gauge({ name: 'nginx_wanted_replicas', help: 'Replicas of the last object', registers });
const ports = new Histogram({ name: 'nginx_port', help: 'Ports', buckets: [80, 8080], registers });
const names = new Summary({ name: 'nginx_name_length', help: 'Lengths of names', registers });

export function measure(namespace: string, object: string, replicas: number): void {
  applied.inc({ namespace_of: namespace });
  wanted.set(replicas);
  ports.observe(8080);
  names.observe(object.length);
}
`;

/** File for data of all panels, from which `scripts/draw-dashboard.mjs` draws a picture. */
const recording = process.env['OP_SDK_DASHBOARD_DATA'];

interface DashboardFile {
  readonly panels: readonly { readonly id: number }[];
}

interface Role {
  readonly rules: readonly { readonly apiGroups: readonly string[]; readonly resources: readonly string[] }[];
}

describe.skipIf(bed === undefined || !prometheusIsHere)('alerts and dashboard of a deployed operator', () => {
  let api: ClusterApi;
  let project: OperatorProject;
  let image: string;
  let prometheus: RealPrometheus;
  let rules: string;
  let dashboard: string;

  beforeAll(async () => {
    api = clusterApi(bed);
    project = await createNginxProject(bed);
    await project.opSdk(
      ...['create', 'webhook', ...nginxKind, '--defaulting', '--programmatic-validation'],
      ...['--cert-provider', 'self-signed'],
    );
    symlinkSync(
      join(root, 'node_modules', 'prom-client'),
      join(project.folder, 'node_modules', 'prom-client'),
    );
    const write = (path: string, change: (text: string) => string): void => {
      const file = join(project.folder, path);
      const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
      const after = change(before);
      expect(after, path).not.toBe(before);
      writeFileSync(file, after);
    };
    write('src/webhooks/operator/v1alpha1/nginx-operator.ts', () => webhook);
    write('src/own-metrics.ts', () => ownMetrics);
    write('src/controllers/operator/nginx-operator.ts', (text) =>
      text
        .replace('\n/** The', `import { measure } from '../../own-metrics.ts';\n\n/** The`)
        .replace(
          '    log.info(',
          '    measure(nginx.metadata.namespace, nginx.metadata.name, nginx.spec.replicas ?? 0);\n    log.info(',
        ),
    );
    await project.opSdk('generate', 'manifests');
    await project.opSdk('create', 'monitoring');
    await project.opSdk('create', 'monitoring', '--check');
    rules = readFileSync(join(project.folder, 'config/prometheus/rules.yaml'), 'utf8');
    dashboard = readFileSync(join(project.folder, `config/grafana/${name}.json`), 'utf8');
    image = await project.pushImage('monitoring');
  });
  afterAll(async () => {
    await prometheus?.[Symbol.asyncDispose]();
    await api?.request('DELETE', `${bindings}/prometheus-of-a-test`);
    await project?.opSdk('undeploy', '--yes');
    for (const plural of ['servicemonitors', 'prometheusrules'])
      await api?.request(
        'DELETE',
        `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.monitoring.coreos.com`,
      );
    project?.[Symbol.dispose]();
  });

  test('deploy leaves out what the cluster does not serve, and says so', async () => {
    const { code, stdout, stderr } = await project.try('deploy', '--image', image, '--timeout', '3m');
    expect(code, stderr).toBe(0);
    expect(`${stdout}${stderr}`).toMatch(/ServiceMonitor[^]*PrometheusRule|PrometheusRule[^]*ServiceMonitor/);
    await eventuallyTrue('a ready operator', async () => {
      const [pod] = await api.pods(project.namespace, 'control-plane=controller-manager');
      return pod !== undefined && isReady(pod) ? true : undefined;
    });
  });

  test.skipIf(!crdsAreHere)('deploy creates them once their CRDs are installed', async () => {
    for (const file of crds) await api.apply(parseYaml(readFileSync(file, 'utf8'), file).value);
    const path = `${monitoringApi}/namespaces/${project.namespace}`;
    await eventuallyTrue('the CRDs', async () =>
      (await api.request('GET', `${path}/prometheusrules`)).status === 200 ? true : undefined,
    );
    await project.opSdk('deploy', '--image', image, '--timeout', '3m');
    for (const plural of ['servicemonitors', 'prometheusrules'])
      expect(
        (await api.call<{ items: readonly object[] }>('GET', `${path}/${plural}`)).items,
        plural,
      ).toHaveLength(1);
  });

  const create = (object: string, replicas: number): ReturnType<ClusterApi['request']> =>
    api.request(
      'POST',
      '/apis/operator.example.com/v1alpha1/namespaces/default/nginxoperators',
      JSON.stringify({
        apiVersion: 'operator.example.com/v1alpha1',
        kind: 'NginxOperator',
        metadata: { name: object },
        spec: { replicas },
      }),
    );

  test('a failing operator fires its alert', async () => {
    await startMonitoring();
    expect((await create('measured', 0)).status).toBe(201);
    expect((await create('denied', 7)).status).toBe(422);
    const firing = async (): Promise<readonly string[]> =>
      (await prometheus.alerts())
        .filter(({ state }) => state === 'firing')
        .map(({ labels }) => labels['alertname'] ?? '');
    await eventuallyTrue('a reconcile', async () => {
      const counts = await prometheus.query('sum(controller_runtime_reconcile_total{result="success"})');
      return [...counts.values()].some((count) => count > 0) ? true : undefined;
    });
    expect(await firing()).toEqual([]);

    // Somebody takes a right away.
    const role = await api.call<Role>('GET', clusterRole);
    const without = role.rules.filter(({ resources }) => !resources.includes('deployments'));
    expect(without.length).toBe(role.rules.length - 1);
    await api.call('PUT', clusterRole, { ...role, rules: without });
    try {
      for (const object of ['one', 'two', 'three']) expect((await create(object, 0)).status).toBe(201);
      await eventuallyTrue('the alert', async () =>
        (await firing()).includes('OperatorReconcilesFailing') ? true : undefined,
      );
      const alert = (await prometheus.alerts()).find(
        ({ labels }) => labels['alertname'] === 'OperatorReconcilesFailing',
      );
      expect(alert?.labels).toMatchObject({ controller: 'nginxoperator', severity: 'warning', job });
      expect(alert?.annotations['description']).toContain('nginxoperator');
    } finally {
      const current = await api.call<Role>('GET', clusterRole);
      await api.call('PUT', clusterRole, { ...current, rules: role.rules });
    }
  });

  test('every query names series that Prometheus has', async () => {
    const missing = new Set<string>();
    for (const { name, expr } of [...alertExpressions(rules), ...dashboardExpressions(dashboard, { job })])
      for (const { metric } of seriesOf(expr))
        if (!(await prometheus.knows(metric))) missing.add(`${name}: ${metric}`);
    expect([...missing]).toEqual([]);
  });

  test('after the failure each panel and variable has data', async () => {
    const variables = { job, namespace: project.namespace, pod: `${name}-.*`, rateInterval: '1m' };
    const empty: string[] = [];
    for (const { name, expr } of dashboardExpressions(dashboard, variables))
      if ((await prometheus.query(expr)).size === 0) empty.push(`${name}: ${expr}`);
    expect(empty).toEqual([]);
  });

  test.skipIf(recording === undefined)('record data for a picture of the dashboard', async () => {
    // Long enough that rates are lines.
    for (let round = 0; round < 180; round += 1) {
      await create(`busy-${round}`, round % 30 === 7 ? 7 : 0);
      await setTimeout(1000);
    }
    const { panels } = JSON.parse(dashboard) as DashboardFile;
    const variables = { job, namespace: project.namespace, pod: `${name}-.*`, rateInterval: '30s' };
    const recorded: Record<string, readonly unknown[]> = {};
    for (const panel of panels)
      for (const [index, { expr }] of dashboardExpressions(
        JSON.stringify({ panels: [panel], templating: { list: [] } }),
        variables,
      ).entries())
        recorded[`${panel.id}/${index}`] = await prometheus.history(expr, 170);
    writeFileSync(recording ?? '', JSON.stringify(recorded));
    writeFileSync(`${recording}.dashboard.json`, dashboard);
  });

  /** Starts Prometheus, as the ServiceMonitor would configure it, with the rules; they need not hold for long. */
  async function startMonitoring(): Promise<void> {
    const accounts = `/api/v1/namespaces/${project.namespace}/serviceaccounts`;
    await api.call('POST', accounts, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'prometheus' },
    });
    await api.call('POST', bindings, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'prometheus-of-a-test' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `${name}-metrics-reader` },
      subjects: [{ kind: 'ServiceAccount', name: 'prometheus', namespace: project.namespace }],
    });
    const { status } = await api.call<{ status: { token: string } }>('POST', `${accounts}/prometheus/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {},
    });
    const service = await api.call<{ spec: { clusterIP: string } }>(
      'GET',
      `/api/v1/namespaces/${project.namespace}/services/${job}`,
    );
    const [pod] = await api.pods(project.namespace, 'control-plane=controller-manager');
    const soon = JSON.parse(
      JSON.stringify(prometheusRules(rules), (key, value: unknown) => (key === 'for' ? '1s' : value)),
    ) as unknown;
    prometheus = await startPrometheus(`${service.spec.clusterIP}:8443`, status.token, {
      job,
      labels: { namespace: project.namespace, pod: pod?.metadata.name ?? '' },
      rules: soon,
    });
    await eventuallyTrue('a scrape', async () =>
      (await prometheus.targets()).some(({ health }) => health === 'up') ? true : undefined,
    );
  }
});
