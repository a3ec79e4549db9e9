import { expect, it } from 'vitest';
import {
  defineController,
  every,
  metadataOnly,
  ownedBy,
  ownerThrough,
  waitingFor,
  watch,
  type ReconcileContext,
} from '../../../../src/index.ts';
import { ConfigMap, Secret } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { createTestApi } from '../../../../src/testing.ts';
import { memoryLog } from '../../sdk/runtime/memory-log.ts';
import { Site, site, siteCrd } from './fixtures.ts';

const key = { namespace: 'default', name: 'a' };

it.each(['thrown', 'returned'])('waits for an object without an error: %s', async (how) => {
  const { log, lines } = memoryLog();
  let runs = 0;
  const controller = defineController({
    for: Site,
    watches: [watch(Secret, { map: ({ metadata }) => [metadata] })],
    async reconcile(found, { client, attempt }: ReconcileContext) {
      runs += 1;
      expect(attempt).toBe(1);
      if ((await client.find(Secret, found.metadata)) !== undefined) return;
      const waiting = waitingFor(Secret, found.metadata);
      if (how === 'returned') return waiting;
      throw waiting;
    },
  });
  await using api = await createTestApi({
    kinds: [Site, Secret],
    crds: [siteCrd],
    objects: [site('a')],
    log,
  });
  api.add(controller);
  await api.advance('10m');
  expect(runs).toBe(3);
  expect(lines.filter(({ level, msg }) => level === 'info' && msg === 'Waiting')).toMatchObject([
    { for: 'Secret default/a' },
  ]);
  expect(lines.filter(({ msg }) => msg === 'Reconciler error')).toEqual([]);
  await api.client.create(Secret, { metadata: key });
  await api.settle();
  expect(runs).toBe(4);
  await api.advance('1h');
  expect(runs).toBe(4);
  expect(await api.reconcile(controller, key)).toBeUndefined();
});

it('leads from an object to the owner of its owner, by the cache', async () => {
  const keys: string[] = [];
  const Names = metadataOnly(ConfigMap);
  const controller = defineController({
    for: Site,
    watches: [watch(Secret, { map: ownerThrough(Site, Names) }), watch(Names, { map: () => [] })],
    reconcile: ({ metadata }) => void keys.push(metadata.name),
  });
  await using api = await createTestApi({
    kinds: [Site, ConfigMap, Secret],
    crds: [siteCrd],
    objects: [site('a'), site('b')],
  });
  const owner = await api.client.get(Site, key);
  const between = await api.client.create(ConfigMap, { metadata: { name: 'between', ...ownedBy(owner) } });
  await api.client.create(Secret, { metadata: { name: 'below', ...ownedBy(between) } });
  api.add(controller);
  await api.settle();
  keys.length = 0;
  const below = { ...key, name: 'below' };
  await api.client.patch(Secret, below, { type: 'merge', body: { stringData: { a: '1' } } });
  await api.settle();
  expect([...new Set(keys)]).toEqual(['a']);
  expect(api.requests).toEqual([]);
});

it('runs at times of day, in a time zone', async () => {
  const times: string[] = [];
  const source = every({ cron: '30 3 * * *', timeZone: 'Asia/Kolkata' }, ({ now }) => {
    times.push(new Date(now()).toISOString().slice(11, 16));
    return [key];
  });
  const controller = defineController({ for: Site, watches: [source], reconcile: () => undefined });
  await using api = await createTestApi({ kinds: [Site], crds: [siteCrd], objects: [site('a')] });
  api.add(controller);
  await api.advance('3d');
  expect(times).toEqual(['22:00', '22:00', '22:00']);
});
