// A deploy on a cluster without the Prometheus Operator leaves its objects out, and says so.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding } from '../../../src/base/errors/index.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import { ConfigMap } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../../helpers/control-plane.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { clientOf } from './helpers.ts';

const folder = mkdtempSync(join(tmpdir(), 'op-sdk-left-out-'));
let client: KubeClient;
let kubeconfig: string;
let namespace: string;
beforeAll(async () => {
  const plane = await sharedControlPlane();
  ({ kubeconfig } = plane);
  client = await clientOf(plane);
  namespace = await uniqueNamespace(plane, 'left-out');
});
afterAll(async () => {
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly code: number;
  readonly warnings: readonly Finding[];
  readonly errors: readonly Finding[];
  readonly titles: readonly string[];
}

async function opSdk(argv: readonly string[], ...objects: readonly object[]): Promise<Answer> {
  const stdin = objects.map((each) => JSON.stringify(each)).join('\n---\n');
  const run = await runCli([...argv, '-f', '-', '-o', 'json', '--kubeconfig', kubeconfig], {
    cwd: folder,
    stdin,
  });
  const {
    warnings = [],
    errors = [],
    result,
  } = JSON.parse(run.stdout) as {
    readonly warnings?: readonly Finding[];
    readonly errors?: readonly Finding[];
    readonly result?: { readonly objects?: readonly { readonly kind: string; readonly name: string }[] };
  };
  const titles = (result?.objects ?? []).map(({ kind, name }) => `${kind} ${name}`);
  return { code: run.code, warnings, errors, titles };
}

const object = (apiVersion: string, kind: string, name: string) => ({
  apiVersion,
  kind,
  metadata: { name, namespace },
});
const monitor = object('monitoring.coreos.com/v1', 'ServiceMonitor', 'metrics');
const alerts = object('monitoring.coreos.com/v1', 'PrometheusRule', 'alerts');
const podMonitor = object('monitoring.coreos.com/v1', 'PodMonitor', 'members');

test('AS6.3: deploy and diff leave them out with one warning, and deploy the rest', async () => {
  const name = uniqueName();
  const settings = object('v1', 'ConfigMap', name);
  for (const command of ['diff', 'deploy', 'deploy']) {
    const flags = command === 'deploy' ? ['--no-wait'] : [];
    const { code, warnings, errors } = await opSdk(
      [command, ...flags],
      monitor,
      settings,
      alerts,
      podMonitor,
    );
    expect(errors).toEqual([]);
    expect(code).toBe(command === 'diff' ? 1 : 0);
    expect(warnings).toMatchObject([
      {
        code: 'cluster/monitoring-left-out',
        message:
          'ServiceMonitor metrics and PrometheusRule alerts and PodMonitor members: left out, because the cluster does not have the Prometheus Operator',
        where: { line: 1 },
      },
    ]);
  }
  expect(await client.find(ConfigMap, { name, namespace })).toBeDefined();
});

test('undeploy passes over them', async () => {
  const name = uniqueName();
  const settings = object('v1', 'ConfigMap', name);
  expect(await opSdk(['deploy', '--no-wait'], monitor, settings, alerts)).toMatchObject({ code: 0 });
  expect(await opSdk(['undeploy'], monitor, settings, alerts)).toMatchObject({ code: 0, errors: [] });
  expect(await client.find(ConfigMap, { name, namespace })).toBeUndefined();
});

test('their definition in the same manifest is enough', async () => {
  const names = { plural: 'prometheusrules', singular: 'prometheusrule', kind: 'PrometheusRule' };
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: 'prometheusrules.monitoring.coreos.com',
      annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' },
    },
    spec: {
      group: 'monitoring.coreos.com',
      names: { ...names, listKind: 'PrometheusRuleList' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
  // The control plane is one for many tests, so that the definition must not stay there.
  const { warnings, errors, titles } = await opSdk(['deploy', '--no-wait', '--dry-run'], definition, alerts);
  expect(errors).toEqual([]);
  expect(warnings.map(({ code }) => code)).not.toContain('cluster/monitoring-left-out');
  expect(titles).toContain('PrometheusRule alerts');
});

test.each([
  ['example.org/v7', 'Gadget'],
  ['monitoring.coreos.com/v1', 'Alertmanager'],
  ['monitoring.coreos.com/v1', 'ServiceMonitr'],
])('an unknown kind of %s, %s, is refused', async (apiVersion, kind) => {
  const { code, errors } = await opSdk(['deploy', '--no-wait'], monitor, object(apiVersion, kind, 'x'));
  expect(code).toBe(1);
  expect(errors).toMatchObject([{ code: 'cluster/unknown-kind', message: expect.stringContaining(kind) }]);
});
