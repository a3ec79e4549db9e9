import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { StatefulSet } from '../../../src/sdk/k8s/generated/apps/v1.ts';
import { Secret, Service } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { readCrdDefinitions } from '../../../src/testing/index.ts';
import { withOperatorCrds } from '../../helpers/operator-crds.ts';
import { ownKey, PrometheusFixture, team } from './prometheus-fixture.ts';

describe('Prometheus', () => {
  let crds: readonly object[];
  let prometheus: PrometheusFixture;
  beforeAll(async () => {
    crds = await withOperatorCrds('prometheus', (folder) => readCrdDefinitions([folder]));
  });
  beforeEach(async () => {
    prometheus = await PrometheusFixture.start(crds);
  });
  afterEach(() => prometheus[Symbol.asyncDispose]());

  test('runs Pods with a configuration in a Secret', async () => {
    await prometheus.create({
      replicas: 2,
      retention: '7d',
      scrapeInterval: '15s',
      externalLabels: { zone: 'a' },
    });
    expect(await prometheus.config()).toEqual({
      global: {
        scrape_interval: '15s',
        external_labels: { zone: 'a', prometheus: 'default/sample', prometheus_replica: '$(POD_NAME)' },
      },
      scrape_configs: [],
    });
    const { spec } = await prometheus.api.client.get(StatefulSet, ownKey);
    expect(spec).toMatchObject({ replicas: 2, serviceName: 'prometheus-sample' });
    const [container] = spec?.template.spec?.containers ?? [];
    expect(container?.image).toBe('quay.io/prometheus/prometheus:v3.5.0');
    expect(container?.args).toContain('--storage.tsdb.retention.time=7d');
    expect(spec?.template.spec?.volumes).toMatchObject([
      { name: 'config', secret: { secretName: 'prometheus-sample' } },
      {},
      {},
    ]);
    expect((await prometheus.api.client.get(Service, ownKey)).spec).toMatchObject({
      clusterIP: 'None',
      selector: spec?.template.metadata?.labels,
    });
  });

  test('restores a Secret that was edited or deleted', async () => {
    await prometheus.createMonitor('web');
    await prometheus.create();
    const before = await prometheus.config();
    await prometheus.api.client.patch(Secret, ownKey, {
      type: 'merge',
      body: { data: { 'prometheus.yaml': 'e30=' } },
    });
    await prometheus.api.settle();
    expect(await prometheus.config()).toEqual(before);
    await prometheus.api.client.delete(Secret, ownKey);
    await prometheus.api.settle();
    expect(await prometheus.config()).toEqual(before);
  });

  test('is left alone while it is paused', async () => {
    await prometheus.create();
    await prometheus.change({ paused: true, replicas: 3 });
    await prometheus.createMonitor('web');
    await prometheus.api.client.delete(Secret, ownKey);
    await prometheus.api.settle();
    expect(await prometheus.api.client.find(Secret, ownKey)).toBeUndefined();
    expect((await prometheus.api.client.get(StatefulSet, ownKey)).spec?.replicas).toBe(1);
    expect(await prometheus.status()).toMatchObject({ paused: true });
    expect(await prometheus.condition('Reconciled')).toMatchObject({ status: 'Unknown', reason: 'Paused' });
    await prometheus.change({ paused: false });
    expect(await prometheus.jobs()).toEqual(['serviceMonitor/default/web/0']);
    expect((await prometheus.api.client.get(StatefulSet, ownKey)).spec?.replicas).toBe(3);
    expect(await prometheus.status()).toMatchObject({ paused: false });
    expect(await prometheus.condition('Reconciled')).toMatchObject({ status: 'True', reason: 'Done' });
  });

  test('makes nothing if it is created paused', async () => {
    await prometheus.create({ paused: true });
    expect(await prometheus.api.client.find(StatefulSet, ownKey)).toBeUndefined();
    expect(await prometheus.status()).toMatchObject({ paused: true, replicas: 0, availableReplicas: 0 });
    expect(await prometheus.condition('Available')).toMatchObject({ status: 'False' });
  });

  test('is available when all of its Pods are', async () => {
    await prometheus.create({ replicas: 2 });
    const setAvailable = async (availableReplicas: number): Promise<void> => {
      await prometheus.api.client.applyStatus(StatefulSet, ownKey, {
        replicas: 2,
        readyReplicas: 2,
        availableReplicas,
      });
      await prometheus.api.settle();
    };
    expect(await prometheus.condition('Available')).toMatchObject({
      status: 'False',
      reason: 'SomePodsNotReady',
    });
    await setAvailable(1);
    const message = '1 of 2 Pods are available';
    expect(await prometheus.condition('Available')).toMatchObject({ status: 'False', message });
    await setAvailable(2);
    expect(await prometheus.status()).toMatchObject({ replicas: 2, availableReplicas: 2 });
    expect(await prometheus.condition('Available')).toMatchObject({ status: 'True', reason: 'AllReplicas' });
    expect(await prometheus.condition('Reconciled')).toMatchObject({ status: 'True', reason: 'Done' });
  });

  test('shows a refusal of the API server in its status until it is over', async () => {
    await prometheus.create();
    await prometheus.api.client.applyStatus(StatefulSet, ownKey, {
      replicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
    });
    await prometheus.api.settle();
    prometheus.api.intercept(
      { verb: 'apply', resource: Secret, times: 8 },
      { code: 403, message: 'quota is used up' },
    );
    await expect(prometheus.createMonitor('web')).rejects.toThrow('quota is used up');
    expect(await prometheus.condition('Reconciled')).toMatchObject({
      status: 'False',
      reason: 'ReconcileFailed',
      message: expect.stringContaining('quota is used up') as string,
    });
    expect(await prometheus.condition('Available')).toMatchObject({ status: 'True' });
    await prometheus.api.settle({ within: '10s' });
    expect(await prometheus.condition('Reconciled')).toMatchObject({ status: 'True', message: '' });
    expect(await prometheus.jobs()).toEqual(['serviceMonitor/default/web/0']);
  });

  test('shows a selector that is wrong, and does not try it again', async () => {
    await prometheus.createMonitor('web');
    await prometheus.create();
    const wrong = prometheus.change({
      serviceMonitorSelector: { matchExpressions: [{ key: 'team', operator: 'Is' }] },
    });
    await expect(wrong).rejects.toThrow('invalid label selector');
    expect(await prometheus.condition('Reconciled')).toMatchObject({
      status: 'False',
      message: expect.stringContaining('invalid label selector') as string,
    });
    expect(await prometheus.jobs()).toEqual(['serviceMonitor/default/web/0']);
    const before = prometheus.api.requests.length;
    await expect(prometheus.api.advance('1h')).rejects.toThrow('invalid label selector');
    expect(prometheus.api.requests).toHaveLength(before);
    await prometheus.change({ serviceMonitorSelector: { matchLabels: team, matchExpressions: [] } });
    expect(await prometheus.condition('Reconciled')).toMatchObject({ status: 'True' });
  });
});
