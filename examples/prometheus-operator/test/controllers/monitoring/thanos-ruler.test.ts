// Unit tests on an API server in memory; they need no cluster and no binaries.
import { StatefulSet } from 'opsdk/k8s/apps/v1';
import { ConfigMap, Namespace, Service } from 'opsdk/k8s/core/v1';
import { createTestApi, type TestApi } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { PrometheusRule } from '../../../src/api/monitoring/v1/prometheus-rule.ts';
import { ThanosRuler } from '../../../src/api/monitoring/v1/thanos-ruler.ts';
import { thanosRulerController } from '../../../src/controllers/monitoring/thanos-ruler.ts';
import { namespace, prometheusRule } from '../../fixtures/objects.ts';
import { crds } from '../../fixtures/prometheus-fixture.ts';

expect.extend(kubernetesMatchers);

const key = { name: 'main', namespace };
const ownKey = { name: 'thanos-ruler-main', namespace };
const rules = { name: 'thanos-ruler-main-rulefiles-0', namespace };
let api: TestApi;
beforeEach(async () => {
  api = await createTestApi({
    kinds: [ThanosRuler, PrometheusRule, StatefulSet, Service, ConfigMap, Namespace],
    crds,
  });
  api.add(thanosRulerController);
});
afterEach(() => api[Symbol.asyncDispose]());

async function create(spec: Partial<ThanosRuler['spec']> = {}): Promise<void> {
  await api.client.create(ThanosRuler, {
    metadata: key,
    spec: { queryEndpoints: ['thanos-query:10902'], ruleSelector: {}, ...spec },
  });
  await api.settle();
}

it('evaluates rules by queriers', async () => {
  await create({ labels: { zone: 'a' }, alertmanagersUrl: ['http://alertmanager-main:9093'] });
  const { spec } = await api.client.get(StatefulSet, ownKey);
  const [container, reloader] = spec?.template.spec?.containers ?? [];
  expect(container?.args).toEqual(
    expect.arrayContaining([
      'rule',
      '--query=thanos-query:10902',
      '--label=thanos_ruler_replica="$(POD_NAME)"',
      '--label=zone="a"',
      '--alertmanagers.url=http://alertmanager-main:9093',
      '--rule-file=/etc/thanos/rules/*/*.yaml',
    ]),
  );
  expect(reloader?.args).toContain('--watched-dir=/etc/thanos/rules/thanos-ruler-main-rulefiles-0');
});

it('has the configuration of queriers from a Secret', async () => {
  await create({ queryConfig: { name: 'thanos', key: 'query.yaml' } });
  const [container] = (await api.client.get(StatefulSet, ownKey)).spec?.template.spec?.containers ?? [];
  expect(container?.args).toContain('--query.config=$(QUERY_CONFIG)');
  expect(container?.args?.join()).not.toContain('--query=');
  expect(container?.env).toContainEqual({
    name: 'QUERY_CONFIG',
    valueFrom: { secretKeyRef: { name: 'thanos', key: 'query.yaml' } },
  });
});

it('has the rules that it selects, with the strategy that only it knows', async () => {
  await create();
  await api.client.create(
    PrometheusRule,
    prometheusRule('up', [
      { name: 'a', partial_response_strategy: 'warn', rules: [{ record: 'one', expr: 1 }] },
    ]),
  );
  await api.settle();
  const [text = ''] = Object.values((await api.client.get(ConfigMap, rules)).data ?? {});
  expect(parse(text)).toEqual({
    groups: [{ name: 'a', partial_response_strategy: 'warn', rules: [{ record: 'one', expr: '1' }] }],
  });
  await api.client.delete(PrometheusRule, { name: 'up', namespace });
  await api.settle();
  expect((await api.client.get(ConfigMap, rules)).data ?? {}).toEqual({});
});

it('does not start without a querier', async () => {
  await expect(create({ queryEndpoints: [] })).rejects.toThrow(
    'expected one of queryEndpoints and queryConfig',
  );
  expect(await api.client.find(StatefulSet, ownKey)).toBeUndefined();
  expect(await api.client.get(ThanosRuler, key)).toHaveCondition('Reconciled', 'False', {
    reason: 'ReconcileFailed',
  });
});

it('is left alone while it is paused', async () => {
  await create();
  await api.client.mergePatch(ThanosRuler, key, { spec: { paused: true, replicas: 2 } });
  await api.client.delete(ConfigMap, rules);
  await api.settle();
  expect(await api.client.find(ConfigMap, rules)).toBeUndefined();
  expect((await api.client.get(ThanosRuler, key)).status).toMatchObject({ paused: true });
  await api.client.mergePatch(ThanosRuler, key, { spec: { paused: false } });
  await api.settle();
  expect((await api.client.get(StatefulSet, ownKey)).spec?.replicas).toBe(2);
});
