// A real Prometheus scrapes the operator's Pod through its Service, with a token that may read metrics and with one that may not.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { eventually } from '../../src/testing/index.ts';
import { prometheusIsHere, startPrometheus } from '../peers/prometheus/real-prometheus.ts';
import { clusterApi, type ClusterApi } from './bed/cluster-api.ts';
import type { ClusterBed } from './bed/cluster-bed.ts';
import { createNginxProject, type OperatorProject } from './bed/operator-project.ts';

const bed = inject('cluster') as ClusterBed;
const slow = { timeout: 150_000, interval: 500 };
const name = 'nginx-operator';

describe.skipIf(bed === undefined || !prometheusIsHere)('a Prometheus beside a deployed operator', () => {
  let api: ClusterApi;
  let project: OperatorProject;
  let target: string;

  beforeAll(async () => {
    api = clusterApi(bed);
    project = await createNginxProject(bed);
    // The section marked [METRICS], as the guide says.
    const file = join(project.folder, 'config/default/kustomization.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^#(- \.\.\/metrics)$/m, '$1'));
    await project.opSdk('deploy', '--image', await project.pushImage('metrics'), '--timeout', '3m');
    const service = await api.call<{ spec: { clusterIP: string } }>(
      'GET',
      `/api/v1/namespaces/${project.namespace}/services/${name}-controller-manager-metrics-service`,
    );
    target = `${service.spec.clusterIP}:8443`;
  });
  afterAll(async () => {
    await project?.opSdk('undeploy', '--yes');
    project?.[Symbol.dispose]();
  });

  /** The token of a ServiceAccount of the operator's namespace. */
  const tokenOf = async (account: string): Promise<string> => {
    const path = `/api/v1/namespaces/${project.namespace}/serviceaccounts`;
    await api.call('POST', path, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account } });
    const { status } = await api.call<{ status: { token: string } }>('POST', `${path}/${account}/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {},
    });
    return status.token;
  };

  test('AS6.4: reads its metrics with the role that the scaffold has for it', async () => {
    const token = await tokenOf('prometheus');
    await api.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'prometheus-of-a-test' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `${name}-metrics-reader` },
      subjects: [{ kind: 'ServiceAccount', name: 'prometheus', namespace: project.namespace }],
    });
    await using prometheus = await startPrometheus(target, token);
    await eventually(async () => {
      expect(await prometheus.targets()).toMatchObject([{ health: 'up', lastError: '' }]);
    }, slow);
    await api.apply({
      apiVersion: 'operator.example.com/v1alpha1',
      kind: 'NginxOperator',
      metadata: { name: 'measured', namespace: 'default' },
      spec: { replicas: 0 },
    });
    await eventually(async () => {
      const [total] = (
        await prometheus.query('sum(controller_runtime_reconcile_total{result="success"})')
      ).values();
      expect(total).toBeGreaterThan(0);
    }, slow);
    await api.call('DELETE', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/prometheus-of-a-test');
  });

  test('is refused without that role', async () => {
    await using prometheus = await startPrometheus(target, await tokenOf('curious'));
    await eventually(async () => {
      const [found] = await prometheus.targets();
      expect(found).toMatchObject({ health: 'down', lastError: expect.stringContaining('403') });
    }, slow);
  });
});
