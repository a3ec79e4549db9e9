import { totalmem } from 'node:os';
import { Counter, Gauge } from 'prom-client';
import { cacheStates, type CacheState } from './cache-states.ts';
import { metricsRegistry } from './registry.ts';

let isRegistered = false;

/** Registers the metrics of caches, watches and memory. Idempotent. Loaded on demand, when metrics are served. */
export function registerCacheMetrics(): void {
  if (isRegistered) return;
  isRegistered = true;
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
}

const options = { labelNames: ['kind'] as const, registers: [metricsRegistry] };

const sum = (a: number, b: number): number => a + b;

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

/** Returns the values of a metric by kind: those of all caches of a kind, combined. */
function valuesOf(
  read: (state: CacheState) => number,
  combine: (a: number, b: number) => number,
): Iterable<[string, number]> {
  const values = new Map<string, number>();
  for (const state of cacheStates()) {
    const other = values.get(state.kind);
    values.set(state.kind, other === undefined ? read(state) : combine(other, read(state)));
  }
  return values;
}

/**
 * Returns the memory limit of this process (its cgroup) in bytes; undefined if there is none. A limit that is not below the memory of the
 * machine does not limit anything.
 */
function memoryLimit(): number | undefined {
  // Returns 0, undefined or 2^64-1 without a limit, depending on the version of Node; cgroups of version 1 have a limit of almost 2^63.
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : undefined;
}
