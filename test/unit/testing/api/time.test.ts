import { expect, it } from 'vitest';
import {
  conditionsOf,
  defineController,
  durationMs,
  every,
  isNotFound,
  requeueAfter,
  watch,
  type ReconcileContext,
  type Stored,
} from '../../../../src/index.ts';
import { ConfigMap } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { createTestApi } from '../../../../src/testing.ts';
import { Site, site, siteCrd } from './fixtures.ts';

const key = { namespace: 'default', name: 'a' };
const map = (annotations: Record<string, string> = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { ...key, annotations },
});

it('deletes what is older than its retention', async () => {
  const retention = durationMs('11m');
  const controller = defineController({
    for: ConfigMap,
    async reconcile({ metadata }, { client, now }) {
      const left = Date.parse(metadata.creationTimestamp ?? '') + retention - now();
      if (left > 0) return requeueAfter(left);
      await client.delete(ConfigMap, metadata);
      return undefined;
    },
  });
  await using api = await createTestApi({ kinds: [ConfigMap], objects: [map()] });
  api.add(controller);
  await api.advance('10m59s');
  expect(await api.client.find(ConfigMap, key)).toBeDefined();
  await api.advance('1s');
  await expect(api.client.live.get(ConfigMap, key)).rejects.toSatisfy(isNotFound);
});

it('gives conditions, Events and objects the time that has passed', async () => {
  const helper = (object: Stored<Site>) => conditionsOf(object, ['Ready']).true('Ready', 'Done').toJSON();
  const times: number[] = [];
  const controller = defineController({
    for: Site,
    watches: [
      every('1h', ({ now }) => {
        times.push(now());
        return [];
      }),
      watch(ConfigMap, {
        map: ({ metadata }, { now }) => {
          times.push(now());
          return [metadata];
        },
      }),
    ],
    async reconcile(object, { client, events, now }: ReconcileContext) {
      if (now() - Date.parse(object.metadata.creationTimestamp ?? '') < durationMs('2h')) return;
      await client.applyStatus(Site, key, { conditions: helper(object) });
      events.normal('Done', 'two hours have passed');
    },
  });
  await using api = await createTestApi({
    kinds: [Site, ConfigMap],
    crds: [siteCrd],
    objects: [site('a')],
  });
  const began = api.now.getTime();
  api.add(controller);
  await api.advance('2h');
  await api.client.create(ConfigMap, map());
  await api.settle();
  const after = began + durationMs('2h');
  expect(times.slice(0, 3)).toEqual([began + durationMs('1h'), after, after]);
  const { metadata, status } = await api.client.live.get(Site, key);
  expect(Date.parse(status?.conditions?.[0]?.lastTransitionTime ?? '')).toBe(after);
  expect(metadata.managedFields?.map(({ time }) => Date.parse(time ?? ''))).toContain(after);
  expect(api.events).toHaveLength(1);
  const created = await api.client.live.get(ConfigMap, key);
  expect(Date.parse(created.metadata.creationTimestamp ?? '')).toBe(after);
});

it('gives two APIs their own time', async () => {
  const conditions = (object: Stored<Site>) => conditionsOf(object, ['Ready']).true('Ready', 'Done').toJSON();
  const controller = defineController({
    for: Site,
    reconcile: async (object, { client }) =>
      void (await client.applyStatus(Site, key, { conditions: conditions(object) })),
  });
  const open = async () => createTestApi({ kinds: [Site], crds: [siteCrd], objects: [site('a')] });
  await using early = await open();
  await using late = await open();
  await late.advance('1d');
  const [first, second] = await Promise.all(
    [early, late].map(async (api) => {
      await api.reconcile(controller, key);
      const { status } = await api.client.live.get(Site, key);
      return Date.parse(status?.conditions?.[0]?.lastTransitionTime ?? '');
    }),
  );
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(durationMs('1d'));
});
