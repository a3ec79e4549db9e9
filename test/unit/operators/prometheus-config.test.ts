import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Namespace, Pod, Service } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { readCrdDefinitions } from '../../../src/testing/index.ts';
import { withOperatorCrds } from '../../helpers/operator-crds.ts';
import { Prometheus } from '../../operators/prometheus/api/prometheus.ts';
import { ServiceMonitor } from '../../operators/prometheus/api/service-monitor.ts';
import { key, namespace, PrometheusFixture, team } from './prometheus-fixture.ts';

describe('Configuration of Prometheus', () => {
  let crds: readonly object[];
  let prometheus: PrometheusFixture;
  beforeAll(async () => {
    crds = await withOperatorCrds('prometheus', (folder) => readCrdDefinitions([folder]));
  });
  beforeEach(async () => {
    prometheus = await PrometheusFixture.start(crds);
  });
  afterEach(() => prometheus[Symbol.asyncDispose]());

  describe('selects ServiceMonitors', () => {
    beforeEach(async () => {
      await prometheus.createMonitor('web');
      await prometheus.createMonitor('api', { team: 'api' });
    });

    test('by their labels', async () => {
      await prometheus.create();
      expect(await prometheus.jobs()).toEqual(['serviceMonitor/default/web/0']);
    });

    test('by expressions', async () => {
      await prometheus.create({
        serviceMonitorSelector: { matchExpressions: [{ key: 'team', operator: 'Exists' }] },
      });
      expect(await prometheus.jobs()).toEqual([
        'serviceMonitor/default/api/0',
        'serviceMonitor/default/web/0',
      ]);
    });

    test('all with an empty selector, and none without one', async () => {
      await prometheus.api.client.create(Prometheus, { metadata: key, spec: {} });
      await prometheus.api.settle();
      expect(await prometheus.jobs()).toEqual([]);
      await prometheus.change({ serviceMonitorSelector: {} });
      expect(await prometheus.jobs()).toHaveLength(2);
    });

    test('of its namespace', async () => {
      await prometheus.api.client.create(Namespace, { metadata: { name: 'elsewhere' } });
      await prometheus.createMonitor('other', team, {}, 'elsewhere');
      await prometheus.create();
      expect(await prometheus.jobs()).toEqual(['serviceMonitor/default/web/0']);
    });

    test('as long as they have the labels', async () => {
      await prometheus.create();
      await prometheus.relabel(ServiceMonitor, 'web', { team: 'other' });
      expect(await prometheus.jobs()).toEqual([]);
      await prometheus.relabel(ServiceMonitor, 'web', { team: 'web' });
      expect(await prometheus.jobs()).toEqual(['serviceMonitor/default/web/0']);
      await prometheus.api.client.delete(ServiceMonitor, { name: 'web', namespace });
      await prometheus.api.settle();
      expect(await prometheus.jobs()).toEqual([]);
    });

    test('apart from other Prometheuses of the namespace', async () => {
      await prometheus.create();
      await prometheus.create({ serviceMonitorSelector: { matchLabels: { team: 'api' } } }, 'other');
      expect(await prometheus.jobs()).toEqual(['serviceMonitor/default/web/0']);
      expect(await prometheus.jobs('prometheus-other')).toEqual(['serviceMonitor/default/api/0']);
      const { items } = await prometheus.api.client.list(Service, { namespace });
      expect(items.map(({ metadata }) => metadata.ownerReferences?.map(({ name }) => name))).toEqual([
        ['other'],
        ['sample'],
      ]);
    });
  });

  test('has a job for each endpoint, in the order of the names', async () => {
    await prometheus.createMonitor('b');
    await prometheus.createMonitor('a', team, {
      endpoints: [{ port: 'web' }, { port: 'admin', path: '/stats', interval: '5s' }],
    });
    await prometheus.create();
    expect((await prometheus.config()).scrape_configs).toMatchObject([
      { job_name: 'serviceMonitor/default/a/0', metrics_path: '/metrics' },
      { job_name: 'serviceMonitor/default/a/1', metrics_path: '/stats', scrape_interval: '5s' },
      { job_name: 'serviceMonitor/default/b/0', metrics_path: '/metrics' },
    ]);
    expect((await prometheus.config()).scrape_configs[0]).not.toHaveProperty('scrape_interval');
  });

  describe('has targets', () => {
    beforeEach(async () => {
      await prometheus.createMonitor('web');
      await prometheus.create();
    });

    test('of the port of a Service, or its target port', async () => {
      await prometheus.createPod('a', { podIP: '10.0.0.1' });
      await prometheus.createService('plain', [{ name: 'web', port: 80 }]);
      await prometheus.createService('mapped', [{ name: 'web', port: 80, targetPort: 8081 }]);
      expect((await prometheus.config()).scrape_configs[0]?.static_configs).toEqual([
        { targets: ['10.0.0.1:8081'], labels: { service: 'mapped' } },
        { targets: ['10.0.0.1:80'], labels: { service: 'plain' } },
      ]);
    });

    test('of ports that containers name, of the Pods that have them', async () => {
      await prometheus.createPod('a', { podIP: '10.0.0.1', ports: { http: 8080 } });
      await prometheus.createPod('b', { podIP: '10.0.0.2', ports: { http: 9090 } });
      await prometheus.createPod('c', { podIP: '10.0.0.3', ports: { other: 8080 } });
      await prometheus.createService('web', [{ name: 'web', port: 80, targetPort: 'http' }]);
      expect(await prometheus.targets()).toEqual([['10.0.0.1:8080', '10.0.0.2:9090']]);
    });

    test('in Pods that run and that the Service selects', async () => {
      await prometheus.createService('web', [{ name: 'web', port: 80 }]);
      await prometheus.createPod('running', { podIP: '10.0.0.1' });
      await prometheus.createPod('pending', { phase: 'Pending' });
      await prometheus.createPod('done', { phase: 'Succeeded', podIP: '10.0.0.2' });
      await prometheus.createPod('failed', { phase: 'Failed', podIP: '10.0.0.3' });
      await prometheus.createPod('other', { podIP: '10.0.0.4', labels: { app: 'other' } });
      expect(await prometheus.targets()).toEqual([['10.0.0.1:80']]);
      await prometheus.api.client.delete(Pod, { name: 'running', namespace }, { gracePeriodSeconds: 0 });
      await prometheus.api.settle();
      expect(await prometheus.targets()).toEqual([[]]);
    });

    test('in no Service without a selector or the port', async () => {
      await prometheus.createPod('a', { podIP: '10.0.0.1', ports: { http: 8080 } });
      await prometheus.createService('manual', [{ name: 'web', port: 80 }], null);
      await prometheus.createService('unnamed', [{ name: 'admin', port: 80 }]);
      expect(await prometheus.targets()).toEqual([[], []]);
    });

    test('in the Services that the ServiceMonitor selects', async () => {
      await prometheus.createPod('a', { podIP: '10.0.0.1' });
      await prometheus.createService('web', [{ name: 'web', port: 80 }]);
      await prometheus.relabel(Service, 'web', { app: 'other' });
      expect(await prometheus.targets()).toEqual([]);
    });
  });
});
