/** What the operator knows of the cluster: one list and watch for each declared kind, and reads that cost no request. */
export { Cache } from './cache.ts';
export type { CachedReader } from './cached-reader.ts';
export { StoreReader } from './store-reader.ts';
export type { RunReflector } from './informer.ts';
export { reason } from './sync-findings.ts';
export { labelTest } from './label-selector.ts';
export { resourceName } from './resource-name.ts';
export { Store, type CachedObject, type ObjectEvent } from './store.ts';
