// Unit tests on an API server in memory; they need no cluster and no binaries.
import { metricsRegistry } from 'opsdk';
import { StatefulSet } from 'opsdk/k8s/apps/v1';
import { ConfigMap, Namespace, Secret, Service } from 'opsdk/k8s/core/v1';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PodMonitor } from '../../../src/api/monitoring/v1/pod-monitor.ts';
import { PrometheusRule } from '../../../src/api/monitoring/v1/prometheus-rule.ts';
import { Prometheus } from '../../../src/api/monitoring/v1/prometheus.ts';
import { ServiceMonitor } from '../../../src/api/monitoring/v1/service-monitor.ts';
import { namespace, podMonitor, prometheus, prometheusRule, serviceMonitor } from '../../fixtures/objects.ts';
import { key, ownKey, PrometheusFixture, web } from '../../fixtures/prometheus-fixture.ts';

expect.extend(kubernetesMatchers);

let fixture: PrometheusFixture;
beforeEach(async () => {
  fixture = await PrometheusFixture.start();
});
afterEach(() => fixture[Symbol.asyncDispose]());

it('runs Pods with a configuration from a Secret', async () => {
  await fixture.create({ replicas: 2, retention: '7d' });
  const { client } = fixture.api;
  const { spec } = await client.get(StatefulSet, ownKey);
  expect(spec).toMatchObject({
    replicas: 2,
    serviceName: 'prometheus-sample',
    podManagementPolicy: 'Parallel',
  });
  const [container, reloader] = spec?.template.spec?.containers ?? [];
  expect(container?.image).toBe('quay.io/prometheus/prometheus:v3.5.0');
  expect(container?.args).toContain('--storage.tsdb.retention.time=7d');
  expect(reloader?.args).toContain('--reload-url=http://$(POD_IP):9090/-/reload');
  expect(await fixture.config()).toMatchObject({
    global: { external_labels: { prometheus: 'default/sample', prometheus_replica: '$(POD_NAME)' } },
    scrape_configs: [],
  });
  expect(await client.get(Service, ownKey)).toBeOwnedBy(await fixture.get());
});

describe('selects ServiceMonitors', () => {
  it('by their labels, and forgets those that lose them', async () => {
    const { client } = fixture.api;
    await fixture.create();
    await client.create(ServiceMonitor, serviceMonitor('web', {}, { labels: web }));
    await client.create(ServiceMonitor, serviceMonitor('other'));
    await fixture.api.settle();
    expect(await fixture.jobs()).toEqual(['serviceMonitor/default/web/0']);
    await client.mergePatch(
      ServiceMonitor,
      { name: 'web', namespace },
      { metadata: { labels: { app: 'shop' } } },
    );
    await fixture.api.settle();
    expect(await fixture.jobs()).toEqual([]);
  });

  it('that are deleted no longer', async () => {
    await fixture.create();
    await fixture.api.client.create(ServiceMonitor, serviceMonitor('web', {}, { labels: web }));
    await fixture.api.settle();
    await fixture.api.client.delete(ServiceMonitor, { name: 'web', namespace });
    await fixture.api.settle();
    expect(await fixture.jobs()).toEqual([]);
  });

  it('in namespaces by their labels, and follows those', async () => {
    const { client } = fixture.api;
    await client.create(Namespace, { metadata: { name: 'shop' } });
    await client.create(ServiceMonitor, serviceMonitor('web', {}, { namespace: 'shop', labels: web }));
    await fixture.create({ serviceMonitorNamespaceSelector: { matchLabels: { team: 'web' } } });
    expect(await fixture.jobs()).toEqual([]);
    await client.mergePatch(Namespace, { name: 'shop' }, { metadata: { labels: { team: 'web' } } });
    await fixture.api.settle();
    expect(await fixture.jobs()).toEqual(['serviceMonitor/shop/web/0']);
  });

  it.for([
    ['none without a selector', { serviceMonitorSelector: null }, []],
    [
      'all of its namespace with an empty one',
      { serviceMonitorSelector: {} },
      ['default/web', 'default/other'],
    ],
    [
      'all of all namespaces',
      { serviceMonitorSelector: {}, serviceMonitorNamespaceSelector: {} },
      ['default/web', 'default/other', 'shop/web'],
    ],
  ] as const)('%s', async ([, change, expected]) => {
    const { client } = fixture.api;
    await client.create(Namespace, { metadata: { name: 'shop' } });
    await client.create(ServiceMonitor, serviceMonitor('web', {}, { namespace: 'shop', labels: web }));
    await client.create(ServiceMonitor, serviceMonitor('web', {}, { labels: web }));
    await client.create(ServiceMonitor, serviceMonitor('other'));
    await fixture.create();
    await fixture.api.client.patch(Prometheus, key, {
      type: 'merge',
      body: { spec: { serviceMonitorSelector: null } },
    });
    await fixture.change(change);
    expect(await fixture.jobs()).toEqual([...expected].sort().map((each) => `serviceMonitor/${each}/0`));
  });
});

it('is configured apart from others of its namespace', async () => {
  const { client } = fixture.api;
  const endpoints = [{ port: 'http' }, { port: 'admin' }];
  await client.create(ServiceMonitor, serviceMonitor('web', { endpoints }, { labels: web }));
  await client.create(ServiceMonitor, serviceMonitor('api', {}, { labels: { app: 'api' } }));
  const spec = { serviceMonitorSelector: { matchLabels: { app: 'api' } } };
  await client.create(Prometheus, prometheus(spec, 'other'));
  await fixture.create();
  expect(await fixture.jobs()).toEqual(['serviceMonitor/default/web/0', 'serviceMonitor/default/web/1']);
  expect(await fixture.jobs('prometheus-other')).toEqual(['serviceMonitor/default/api/0']);
});

it('selects PodMonitors', async () => {
  await fixture.create({ podMonitorSelector: {} });
  await fixture.api.client.create(PodMonitor, podMonitor('pods'));
  await fixture.api.settle();
  expect(await fixture.jobs()).toEqual(['podMonitor/default/pods/0']);
});

it('gives rules to Prometheus without a change of its Pods', async () => {
  await fixture.create();
  const { client } = fixture.api;
  const before = (await client.get(StatefulSet, ownKey)).metadata.generation;
  const { metadata } = await client.create(PrometheusRule, prometheusRule('up', undefined, { labels: web }));
  await fixture.api.settle();
  expect(Object.keys(await fixture.rules())).toEqual([`default-up-${metadata.uid}.yaml`]);
  // One for each folder: Prometheus knows no `*` before the last part of a path.
  expect(await fixture.config()).toMatchObject({
    rule_files: ['/etc/prometheus/rules/prometheus-sample-rulefiles-0/*.yaml'],
  });
  expect((await client.get(StatefulSet, ownKey)).metadata.generation).toBe(before);
});

it('distributes rules that are too large for one ConfigMap, and takes the second one back', async () => {
  await fixture.create();
  const { client } = fixture.api;
  const large = 'x'.repeat(400 * 1024);
  for (const name of ['a', 'b'])
    await client.create(
      PrometheusRule,
      prometheusRule(name, [{ name, rules: [{ alert: 'A', expr: 'up', annotations: { large } }] }], {
        labels: web,
      }),
    );
  await fixture.api.settle();
  const second = { ...ownKey, name: 'prometheus-sample-rulefiles-1' };
  expect(await client.find(ConfigMap, second)).toBeDefined();
  await client.delete(PrometheusRule, { name: 'a', namespace });
  await fixture.api.settle();
  expect(await client.find(ConfigMap, second)).toBeUndefined();
  expect(Object.keys(await fixture.rules())).toHaveLength(1);
});

it('puts right what somebody edits or deletes', async () => {
  await fixture.create();
  const { client } = fixture.api;
  await client.create(ServiceMonitor, serviceMonitor('web', {}, { labels: web }));
  await fixture.api.settle();
  const before = await fixture.config();
  await client.patch(Secret, ownKey, { type: 'merge', body: { data: { 'prometheus.yaml': 'e30=' } } });
  await fixture.api.settle();
  expect(await fixture.config()).toEqual(before);
  await client.delete(Secret, ownKey);
  await fixture.api.settle();
  expect(await fixture.config()).toEqual(before);
  await client.delete(StatefulSet, ownKey);
  await fixture.api.settle();
  expect(await fixture.shards()).toEqual(['prometheus-sample']);
});

it('has a StatefulSet for each shard, and removes those of former shards', async () => {
  await fixture.create({ shards: 3 });
  expect(await fixture.shards()).toEqual([
    'prometheus-sample',
    'prometheus-sample-shard-1',
    'prometheus-sample-shard-2',
  ]);
  const last = await fixture.api.client.get(StatefulSet, { ...ownKey, name: 'prometheus-sample-shard-2' });
  expect(last.spec?.template.spec?.containers[1]?.env).toContainEqual({ name: 'SHARD', value: '2' });
  await fixture.change({ shards: 1 });
  expect(await fixture.shards()).toEqual(['prometheus-sample']);
  expect((await fixture.get()).status).toMatchObject({ shards: 1 });
});

describe('while it is paused', () => {
  it('is left alone, and goes on afterwards', async () => {
    await fixture.create();
    await fixture.change({ paused: true, replicas: 3 });
    const { client } = fixture.api;
    await client.create(ServiceMonitor, serviceMonitor('web', {}, { labels: web }));
    await client.delete(Secret, ownKey);
    await fixture.api.settle();
    expect(await client.find(Secret, ownKey)).toBeUndefined();
    expect((await client.get(StatefulSet, ownKey)).spec?.replicas).toBe(1);
    expect((await fixture.get()).status).toMatchObject({ paused: true });
    expect(await fixture.get()).toHaveCondition('Reconciled', 'Unknown', { reason: 'Paused' });
    await fixture.change({ paused: false });
    expect(await fixture.jobs()).toEqual(['serviceMonitor/default/web/0']);
    expect((await client.get(StatefulSet, ownKey)).spec?.replicas).toBe(3);
    expect((await fixture.get()).status).toMatchObject({ paused: false });
  });

  it('has nothing if it was created so', async () => {
    await fixture.create({ paused: true });
    expect(await fixture.shards()).toEqual([]);
    expect((await fixture.get()).status).toMatchObject({ paused: true, replicas: 0, availableReplicas: 0 });
  });

  it('shows its Pods', async () => {
    await fixture.create({ paused: false });
    await fixture.change({ paused: true });
    await fixture.setPods('prometheus-sample', 1, 1);
    expect((await fixture.get()).status).toMatchObject({ paused: true, replicas: 1, availableReplicas: 1 });
  });
});

it('counts the Pods of all shards', async () => {
  await fixture.create({ shards: 2, replicas: 2 });
  expect(await fixture.get()).toHaveCondition('Available', 'False', { reason: 'NoPodAvailable' });
  await fixture.setPods('prometheus-sample', 2, 2);
  await fixture.setPods('prometheus-sample-shard-1', 2, 1);
  expect((await fixture.get()).status).toMatchObject({
    paused: false,
    replicas: 4,
    updatedReplicas: 4,
    availableReplicas: 3,
    unavailableReplicas: 1,
    shards: 2,
    shardStatuses: [
      { shardID: '0', replicas: 2, updatedReplicas: 2, availableReplicas: 2, unavailableReplicas: 0 },
      { shardID: '1', replicas: 2, updatedReplicas: 2, availableReplicas: 1, unavailableReplicas: 1 },
    ],
  });
  expect(await fixture.get()).toHaveCondition('Available', 'False', { reason: 'SomePodsNotAvailable' });
  await fixture.setPods('prometheus-sample-shard-1', 2, 2);
  expect(await fixture.get()).toHaveCondition('Available', 'True');
  expect(await fixture.get()).toHaveCondition('Reconciled', 'True');
});

describe('a broken object', () => {
  it('is left out with an Event and a condition, and comes back', async () => {
    await fixture.create();
    const { client } = fixture.api;
    await client.create(ServiceMonitor, serviceMonitor('web', {}, { labels: web }));
    const endpoints = [{ port: 'http', relabelings: [{ regex: '(', targetLabel: 'a' }] }];
    await client.create(ServiceMonitor, serviceMonitor('broken', { endpoints }, { labels: web }));
    await fixture.api.settle();
    expect(await fixture.jobs()).toEqual(['serviceMonitor/default/web/0']);
    const found = (await fixture.get()).status?.conditions?.find(
      ({ type }) => type === 'ConfigurationComplete',
    );
    expect(found).toMatchObject({ status: 'False', reason: 'ObjectsLeftOut' });
    expect(found?.message).toContain(
      'ServiceMonitor default/broken: spec.endpoints[0].relabelings[0].regex: ',
    );
    expect(fixture.api.events).toMatchObject([
      {
        type: 'Warning',
        reason: 'InvalidConfiguration',
        regarding: { kind: 'ServiceMonitor', name: 'broken' },
      },
    ]);
    await client.mergePatch(
      ServiceMonitor,
      { name: 'broken', namespace },
      { spec: { endpoints: [{ port: 'http' }] } },
    );
    await fixture.api.settle();
    expect(await fixture.jobs()).toEqual(['serviceMonitor/default/broken/0', 'serviceMonitor/default/web/0']);
    expect(await fixture.get()).toHaveCondition('ConfigurationComplete', 'True');
  });

  it('that waits for a Secret is there as soon as that is, and follows it', async () => {
    await fixture.create();
    const { client } = fixture.api;
    const endpoints = [{ port: 'http', authorization: { credentials: { name: 'token', key: 'token' } } }];
    await client.create(ServiceMonitor, serviceMonitor('web', { endpoints }, { labels: web }));
    await fixture.api.settle();
    expect(await fixture.jobs()).toEqual([]);
    await client.create(Secret, { metadata: { name: 'token', namespace }, stringData: { token: 'a' } });
    await fixture.api.settle();
    expect(await fixture.config()).toMatchObject({
      scrape_configs: [{ authorization: { credentials: 'a' } }],
    });
    await client.mergePatch(Secret, { name: 'token', namespace }, { stringData: { token: 'b' } });
    await fixture.api.settle();
    expect(await fixture.config()).toMatchObject({
      scrape_configs: [{ authorization: { credentials: 'b' } }],
    });
  });

  it('is a PrometheusRule, too, where no webhook has refused it', async () => {
    await fixture.create();
    const { client } = fixture.api;
    await client.create(PrometheusRule, prometheusRule('empty', [{ name: 'a', rules: [] }], { labels: web }));
    const { metadata } = await client.create(
      PrometheusRule,
      prometheusRule('up', undefined, { labels: web }),
    );
    await fixture.api.settle();
    expect(Object.keys(await fixture.rules())).toEqual([`default-up-${metadata.uid}.yaml`]);
    expect(await fixture.get()).toHaveCondition('ConfigurationComplete', 'False');
  });
});

it('shows a selector that is invalid, keeps the configuration, and does not try again', async () => {
  await fixture.api.client.create(ServiceMonitor, serviceMonitor('web', {}, { labels: web }));
  await fixture.create();
  const wrong = fixture.change({
    serviceMonitorSelector: { matchExpressions: [{ key: 'team', operator: 'Is' }] },
  });
  await expect(wrong).rejects.toThrow('invalid label selector');
  expect(await fixture.get()).toHaveCondition('Reconciled', 'False', { reason: 'ReconcileFailed' });
  expect(await fixture.jobs()).toEqual(['serviceMonitor/default/web/0']);
  const before = fixture.api.requests.length;
  await expect(fixture.api.advance('1h')).rejects.toThrow('invalid label selector');
  expect(fixture.api.requests).toHaveLength(before);
  await fixture.change({ serviceMonitorSelector: { matchExpressions: null } });
  expect(await fixture.get()).toHaveCondition('Reconciled', 'True');
});

it('writes nothing that Prometheus would refuse as a whole', async () => {
  await fixture.create();
  const before = await fixture.config();
  await expect(fixture.change({ scrapeInterval: '10s', scrapeTimeout: '20s' })).rejects.toThrow(
    'spec.scrapeTimeout',
  );
  expect(await fixture.config()).toEqual(before);
  expect(await fixture.get()).toHaveCondition('Reconciled', 'False');
});

it('takes over nothing that belongs to somebody else', async () => {
  await fixture.api.client.create(Secret, { metadata: ownKey, stringData: { mine: 'a' } });
  const message = 'Secret prometheus-sample exists and does not belong to Prometheus sample';
  await expect(fixture.create()).rejects.toThrow(message);
  expect((await fixture.api.client.get(Secret, ownKey)).data).toEqual({ mine: 'YQ==' });
  expect(await fixture.shards()).toEqual([]);
  expect(await fixture.get()).toHaveCondition('Reconciled', 'False', { reason: 'ReconcileFailed' });
});

it('shows a refusal of the API server until it is over', async () => {
  await fixture.create();
  fixture.api.intercept(
    { verb: 'apply', resource: Secret, times: 8 },
    { code: 403, message: 'quota is used up' },
  );
  await expect(fixture.change({ replicas: 2 })).rejects.toThrow('quota is used up');
  expect(await fixture.get()).toHaveCondition('Reconciled', 'False', { reason: 'ReconcileFailed' });
  await fixture.api.settle({ within: '10s' });
  expect(await fixture.get()).toHaveCondition('Reconciled', 'True');
});

it('counts what it selects, and forgets the numbers with the Prometheus', async () => {
  await fixture.create();
  await fixture.api.client.create(ServiceMonitor, serviceMonitor('web', {}, { labels: web }));
  await fixture.api.settle();
  const series = async (): Promise<readonly string[]> =>
    (await metricsRegistry.metrics())
      .split('\n')
      .filter(
        (line) => line.startsWith('prometheus_operator_managed_resources{') && line.includes('name="sample"'),
      );
  expect((await series()).find((line) => line.includes('"ServiceMonitor",state="selected"'))).toMatch(/ 1$/);
  await fixture.api.client.delete(Prometheus, key);
  await fixture.api.settle();
  expect(await series()).toEqual([]);
  expect(await fixture.shards()).toEqual([]);
});

it('changes nothing in a second run', async () => {
  await fixture.create({ shards: 2 });
  await fixture.setPods('prometheus-sample', 1, 1);
  const { client } = fixture.api;
  const versions = async (): Promise<readonly unknown[]> => [
    (await client.get(Secret, ownKey)).metadata.resourceVersion,
    (await client.get(StatefulSet, ownKey)).metadata.resourceVersion,
    (await fixture.get()).metadata.resourceVersion,
  ];
  const before = await versions();
  await client.create(Namespace, { metadata: { name: 'new', labels: { a: 'b' } } });
  await fixture.api.settle();
  expect(await versions()).toEqual(before);
});
