import { Counter, Gauge } from 'prom-client';
import { memoryLimit } from '../memory-limit.ts';
import { metricsRegistry } from './registry.ts';

/** State of the cache of a kind. */
export interface CacheState {
  /** Name of the kind: `deployments.v1.apps`. Several caches of a kind are one series. */
  readonly kind: string;
  /** True if the first list is complete, and the API server does not refuse the kind. */
  readonly synced: boolean;
  readonly objects: number;
  /** Estimated size of the objects, in bytes of JSON. */
  readonly bytes: number;
  /** Number of times that a watch was established again. */
  readonly restarts: number;
  /** Seconds since a watch was lost; 0 while all watches are established. */
  readonly interrupted: number;
}

const caches = new Set<() => readonly CacheState[]>();

/** Includes the kinds of a cache in the metrics. Returns a function that removes these kinds. */
export function watchCache(cache: () => readonly CacheState[]): () => void {
  caches.add(cache);
  return () => caches.delete(cache);
}

const options = { labelNames: ['kind'] as const, registers: [metricsRegistry] };

/** Returns the values of a metric by kind: those of all caches of a kind, combined. */
function valuesOf(
  read: (state: CacheState) => number,
  combine: (a: number, b: number) => number,
): Iterable<[string, number]> {
  const values = new Map<string, number>();
  for (const cache of caches)
    for (const state of cache()) {
      const other = values.get(state.kind);
      values.set(state.kind, other === undefined ? read(state) : combine(other, read(state)));
    }
  return values;
}

function gauge(name: string, help: string, ...values: Parameters<typeof valuesOf>): void {
  new Gauge({
    name,
    help,
    ...options,
    collect() {
      this.reset();
      for (const [kind, value] of valuesOf(...values)) this.set({ kind }, value);
    },
  });
}

const sum = (a: number, b: number): number => a + b;

gauge(
  'opsdk_cache_synced',
  'Whether the cache of a kind is synced (1), or the API server has not answered yet or refuses it (0).',
  ({ synced }) => Number(synced),
  Math.min,
);
gauge('opsdk_cache_objects', 'Number of objects in the cache of a kind.', ({ objects }) => objects, sum);
gauge(
  'opsdk_cache_bytes',
  'Estimated size of the objects in the cache of a kind, in bytes of JSON. Their heap is a multiple of it.',
  ({ bytes }) => bytes,
  sum,
);
gauge(
  'opsdk_watch_interrupted_seconds',
  'Seconds since the watch of a kind was lost and not established again. 0 while it is established.',
  ({ interrupted }) => interrupted,
  Math.max,
);
new Counter({
  name: 'opsdk_watch_restarts_total',
  help: 'Total number of times that the watch of a kind was established again, after a failure or a regular end.',
  ...options,
  collect() {
    this.reset();
    for (const [kind, value] of valuesOf(({ restarts }) => restarts, sum)) this.inc({ kind }, value);
  },
});

new Gauge({
  name: 'opsdk_memory_limit_bytes',
  help: 'Memory limit of the process (its cgroup), in bytes. No series without a limit.',
  registers: [metricsRegistry],
  collect() {
    // A gauge without labels begins with a series of value 0.
    this.remove();
    const limit = memoryLimit();
    if (limit !== undefined) this.set(limit);
  },
});
