import { Gauge } from 'prom-client';
import { metricsRegistry } from './registry.ts';

/** Gives each watched kind (`deployments.v1.apps`) and whether it is synced; a kind can come more than once. */
export type SyncedKinds = () => Iterable<readonly [kind: string, synced: boolean]>;

const caches = new Set<SyncedKinds>();

new Gauge({
  name: 'opsdk_cache_synced',
  help: 'Whether the cache of a kind is synced (1), or the API server has not answered yet or refuses it (0).',
  labelNames: ['kind'],
  registers: [metricsRegistry],
  collect() {
    this.reset();
    const kinds = new Map<string, boolean>();
    for (const cache of caches)
      for (const [kind, synced] of cache()) kinds.set(kind, synced && kinds.get(kind) !== false);
    for (const [kind, synced] of kinds) this.set({ kind }, synced ? 1 : 0);
  },
});

/** Lets the metrics ask this cache for its kinds. Returns how to end that. */
export function watchCache(cache: SyncedKinds): () => void {
  caches.add(cache);
  return () => caches.delete(cache);
}
