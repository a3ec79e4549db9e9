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

/** Returns the states of all kinds of all caches. */
export function cacheStates(): readonly CacheState[] {
  return [...caches].flatMap((cache) => cache());
}
