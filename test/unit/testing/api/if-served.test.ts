import { expect, test } from 'vitest';
import {
  defineController,
  externalResource,
  ifServed,
  isTypeNotServed,
  ownedBy,
  type ControllerOptions,
  type KubeObject,
} from '../../../../src/index.ts';
import { ConfigMap } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { createTestApi } from '../../../../src/testing.ts';
import { Site, siteCrd } from './fixtures.ts';

const key = { name: 'a', namespace: 'default' };
const options: ControllerOptions<ConfigMap> = {
  for: ConfigMap,
  predicates: [({ object }) => object.metadata.name === key.name],
  owns: [ifServed(Site)],
  async reconcile(map, { client, log }) {
    log.info({ sites: (await client.list(Site)).items.length }, 'Listed');
    if (client.isServed(Site))
      await client.apply(Site, { metadata: { name: 'a', ...ownedBy(map) }, spec: {} });
  },
};
const objects = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: key }];

test('a controller works without an optional kind, if the test gives no definition of it', async () => {
  await using api = await createTestApi({ kinds: [], objects });
  api.add(defineController(options));
  await api.settle();
  await api.advance('10m');
  expect(api.requests).toEqual([]);
});

test('a controller uses an optional kind, if the test gives its definition', async () => {
  await using api = await createTestApi({ kinds: [Site], crds: [siteCrd], objects });
  api.add(defineController(options));
  await api.settle();
  expect(await api.client.find(Site, key)).toBeDefined();
});

test('a kind that one controller requires needs its definition', async () => {
  await using api = await createTestApi({ kinds: [], objects });
  api.add(defineController(options));
  const strict = defineController({ ...options, name: 'strict', owns: [Site] });
  expect(() => api.add(strict)).toThrow('the test API has no schema of web.example.com/v1 Site');
});

test('metrics of Pods are not served, as in a cluster without a server of them', async () => {
  const PodMetrics = externalResource<KubeObject<'metrics.k8s.io/v1beta1', 'PodMetrics'>>({
    group: 'metrics.k8s.io',
    version: 'v1beta1',
    kind: 'PodMetrics',
    plural: 'pods',
    scope: 'Namespaced',
  });
  await using api = await createTestApi({ kinds: [ConfigMap] });
  const refusal = await api.client.live.list(PodMetrics).catch((error: unknown) => error);
  expect(isTypeNotServed(refusal)).toBe(true);
});
