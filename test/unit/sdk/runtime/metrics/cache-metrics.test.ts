import { expect, test } from 'vitest';
import { registerCacheMetrics } from '../../../../../src/sdk/runtime/metrics/cache-metrics.ts';
import {
  metricsRegistry,
  watchCache,
  type CacheState,
} from '../../../../../src/sdk/runtime/metrics/index.ts';

registerCacheMetrics();

const values = async (name: string): Promise<Readonly<Record<string, number>>> => {
  const { values: series = [] } = (await metricsRegistry.getSingleMetric(name)?.get()) ?? {};
  return Object.fromEntries(series.map(({ labels, value }) => [String(labels['kind'] ?? ''), value]));
};

const state = (kind: string, rest: Partial<CacheState> = {}): CacheState => ({
  ...{ kind, synced: true, objects: 1, bytes: 100, restarts: 0, interrupted: 0 },
  ...rest,
});

test('the caches of a kind are one series: sums, the longest interruption, synced if all are', async () => {
  const unwatch = [
    watchCache(() => [
      state('pods.v1', { objects: 2, bytes: 500, restarts: 3, interrupted: 4 }),
      state('secrets.v1'),
    ]),
    watchCache(() => [
      state('pods.v1', { synced: false, restarts: 1, interrupted: 2.5 }),
      state('far/pods.v1'),
    ]),
  ];
  expect(await values('opsdk_cache_synced')).toEqual({ 'pods.v1': 0, 'secrets.v1': 1, 'far/pods.v1': 1 });
  expect(await values('opsdk_cache_objects')).toEqual({ 'pods.v1': 3, 'secrets.v1': 1, 'far/pods.v1': 1 });
  expect(await values('opsdk_cache_bytes')).toEqual({
    ...{ 'pods.v1': 600, 'secrets.v1': 100, 'far/pods.v1': 100 },
  });
  // A second scrape counts nothing twice.
  for (let scrape = 0; scrape < 2; scrape += 1)
    expect(await values('opsdk_watch_restarts_total')).toEqual({
      ...{ 'pods.v1': 4, 'secrets.v1': 0, 'far/pods.v1': 0 },
    });
  expect(await values('opsdk_watch_interrupted_seconds')).toEqual({
    ...{ 'pods.v1': 4, 'secrets.v1': 0, 'far/pods.v1': 0 },
  });
  for (const end of unwatch) end();
  for (const name of ['cache_synced', 'cache_objects', 'cache_bytes', 'watch_restarts_total'])
    expect(await values(`opsdk_${name}`)).toEqual({});
});
