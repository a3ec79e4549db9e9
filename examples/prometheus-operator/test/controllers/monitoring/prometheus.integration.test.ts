// The manager with all of its controllers on a real API server, with the rights of its own role.
import { join } from 'node:path';
import { createClusterClient, createManager, loadCluster, type ClusterClient } from 'opsdk';
import { StatefulSet } from 'opsdk/k8s/apps/v1';
import { ConfigMap, Namespace, Secret, Service } from 'opsdk/k8s/core/v1';
import { eventually, startControlPlane, type ControlPlane } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Alertmanager } from '../../../src/api/monitoring/v1/alertmanager.ts';
import { PodMonitor } from '../../../src/api/monitoring/v1/pod-monitor.ts';
import { Probe } from '../../../src/api/monitoring/v1/probe.ts';
import { PrometheusRule } from '../../../src/api/monitoring/v1/prometheus-rule.ts';
import { Prometheus } from '../../../src/api/monitoring/v1/prometheus.ts';
import { ServiceMonitor } from '../../../src/api/monitoring/v1/service-monitor.ts';
import { ThanosRuler } from '../../../src/api/monitoring/v1/thanos-ruler.ts';
import { AlertmanagerConfig } from '../../../src/api/monitoring/v1alpha1/alertmanager-config.ts';
import { alertmanagerController } from '../../../src/controllers/monitoring/alertmanager.ts';
import { prometheusController } from '../../../src/controllers/monitoring/prometheus.ts';
import { thanosRulerController } from '../../../src/controllers/monitoring/thanos-ruler.ts';
import { prometheusRuleWebhook } from '../../../src/webhooks/monitoring/v1/prometheus-rule.ts';
import {
  alertmanager,
  alertmanagerConfig,
  namespace,
  podMonitor,
  probe,
  prometheusRule,
  serviceMonitor,
} from '../../fixtures/objects.ts';

expect.extend(kubernetesMatchers);

const config = join(import.meta.dirname, '../../../config');
const key = { name: 'sample', namespace };
const ownKey = { name: 'prometheus-sample', namespace };
/** More than a busy machine needs. */
const slow = { timeout: 30_000 };
const stop = new AbortController();
let controlPlane: ControlPlane | undefined;
let client: ClusterClient;
let running: Promise<void> | undefined;

// The first start downloads or builds the control plane.
beforeAll(async () => {
  controlPlane = await startControlPlane({
    crds: [join(config, 'crd/bases')],
    webhooks: { paths: [join(config, 'webhook')] },
  });
  const cluster = await loadCluster({ kubeconfig: controlPlane.kubeconfig });
  client = createClusterClient({ cluster, fieldManager: 'test' });
  const manager = await createManager({
    name: 'prometheus-operator',
    kubeconfig: controlPlane.operatorKubeconfig,
    health: '0',
    logLevel: 'fatal',
    webhooks: controlPlane.webhooks,
  });
  manager.add(prometheusController);
  manager.add(alertmanagerController);
  manager.add(thanosRulerController);
  manager.add(prometheusRuleWebhook);
  running = manager.run({ signal: stop.signal });
  await eventually(() => expect(manager.ports.webhooks).toBeDefined(), slow);
  await client.create(Namespace, { metadata: { name: 'shop', labels: { team: 'web' } } });
  await client.create(Prometheus, {
    metadata: key,
    spec: {
      serviceMonitorSelector: {},
      serviceMonitorNamespaceSelector: { matchLabels: { team: 'web' } },
      podMonitorSelector: {},
      probeSelector: {},
      ruleSelector: {},
      shards: 2,
    },
  });
}, 900_000);

afterAll(async () => {
  stop.abort();
  await running;
  await client?.close();
  await controlPlane?.stop();
});

async function jobs(): Promise<readonly string[]> {
  const { data } = await client.get(Secret, ownKey);
  const text = Buffer.from(data?.['prometheus.yaml'] ?? '', 'base64').toString('utf8');
  return (parse(text) as { scrape_configs: readonly { job_name: string }[] }).scrape_configs.map(
    ({ job_name }) => job_name,
  );
}

it('makes a configuration of objects in several namespaces, and follows them', async () => {
  const credentials = { name: 'token', key: 'token' };
  await client.create(ServiceMonitor, serviceMonitor('web', {}, { namespace: 'shop' }));
  await client.create(
    ServiceMonitor,
    serviceMonitor(
      'secured',
      { endpoints: [{ port: 'http', authorization: { credentials } }] },
      { namespace: 'shop' },
    ),
  );
  await client.create(PodMonitor, podMonitor('pods'));
  await client.create(Probe, probe('sites'));
  await client.create(PrometheusRule, prometheusRule('up'));
  await eventually(
    async () =>
      expect(await jobs()).toEqual([
        'serviceMonitor/shop/web/0',
        'podMonitor/default/pods/0',
        'probe/default/sites',
      ]),
    slow,
  );
  await eventually(
    async () =>
      expect(await client.get(Prometheus, key)).toHaveCondition('ConfigurationComplete', 'False', {
        reason: 'ObjectsLeftOut',
      }),
    slow,
  );
  await client.create(Secret, { metadata: { name: 'token', namespace: 'shop' }, stringData: { token: 'a' } });
  await eventually(async () => expect(await jobs()).toContain('serviceMonitor/shop/secured/0'), slow);
  await client.mergePatch(Namespace, { name: 'shop' }, { metadata: { labels: { team: 'other' } } });
  await eventually(
    async () => expect(await jobs()).toEqual(['podMonitor/default/pods/0', 'probe/default/sites']),
    slow,
  );
  await eventually(
    async () => expect(await client.get(Prometheus, key)).toHaveCondition('ConfigurationComplete', 'True'),
    slow,
  );
});

it('has a StatefulSet for each shard, and puts them right', async () => {
  const second = { namespace, name: 'prometheus-sample-shard-1' };
  await eventually(async () => expect(await client.find(StatefulSet, second)).toBeDefined(), slow);
  expect(await client.find(Service, ownKey)).toBeDefined();
  const { metadata } = await client.get(StatefulSet, ownKey);
  await client.delete(StatefulSet, ownKey);
  await eventually(async () => {
    const found = await client.find(StatefulSet, ownKey);
    expect(found?.metadata.uid).toBeDefined();
    expect(found?.metadata.uid).not.toBe(metadata.uid);
  }, slow);
  await client.mergePatch(Prometheus, key, { spec: { shards: 1 } });
  await eventually(async () => expect(await client.find(StatefulSet, second)).toBeUndefined(), slow);
});

it('leaves out what refers to a ConfigMap that is missing', async () => {
  const ca = { configMap: { name: 'missing', key: 'ca.crt' } };
  await client.create(
    PodMonitor,
    podMonitor('secured', { podMetricsEndpoints: [{ port: 'a', tlsConfig: { ca } }] }),
  );
  await eventually(
    async () => expect(await client.get(Prometheus, key)).toHaveCondition('ConfigurationComplete', 'False'),
    slow,
  );
  await client.delete(PodMonitor, { name: 'secured', namespace });
  await eventually(
    async () => expect(await client.get(Prometheus, key)).toHaveCondition('ConfigurationComplete', 'True'),
    slow,
  );
});

it('has as many ConfigMaps as its rules need', async () => {
  const second = { namespace, name: 'prometheus-sample-rulefiles-1' };
  const annotations = { large: 'x'.repeat(400 * 1024) };
  for (const name of ['large-a', 'large-b'])
    await client.create(
      PrometheusRule,
      prometheusRule(name, [{ name, rules: [{ alert: 'A', expr: 'up', annotations }] }]),
    );
  await eventually(async () => expect(await client.find(ConfigMap, second)).toBeDefined(), slow);
  for (const name of ['large-a', 'large-b']) await client.delete(PrometheusRule, { name, namespace });
  await eventually(async () => expect(await client.find(ConfigMap, second)).toBeUndefined(), slow);
});

it('refuses rules that Prometheus would refuse', async () => {
  const refused = client.create(
    PrometheusRule,
    prometheusRule('broken', [
      { name: 'a', rules: [{ alert: 'A', record: 'a-b', expr: 'up' }] },
      { name: 'b', rules: [] },
    ]),
  );
  await expect(refused).rejects.toThrow('spec.groups[0].rules[0].record');
  await expect(refused).rejects.toThrow('spec.groups[1].rules');
});

it('configures an Alertmanager and a ThanosRuler', async () => {
  await client.create(Alertmanager, alertmanager({ alertmanagerConfigSelector: {} }));
  await client.create(AlertmanagerConfig, alertmanagerConfig('team'));
  const generated = { namespace, name: 'alertmanager-main-generated' };
  await eventually(async () => {
    const data = (await client.get(Secret, generated)).data?.['alertmanager.yaml'] ?? '';
    expect(Buffer.from(data, 'base64').toString('utf8')).toContain('default/team/team');
  }, slow);
  await client.create(ThanosRuler, {
    metadata: key,
    spec: { queryEndpoints: ['thanos-query:10902'], ruleSelector: {} },
  });
  await eventually(async () => {
    const { data = {} } = await client.get(ConfigMap, { namespace, name: 'thanos-ruler-sample-rulefiles-0' });
    expect(Object.keys(data)).toHaveLength(1);
  }, slow);
  await eventually(
    async () => expect(await client.get(ThanosRuler, key)).toHaveCondition('Reconciled', 'True'),
    slow,
  );
});
