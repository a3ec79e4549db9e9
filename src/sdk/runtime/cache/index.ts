/** The operator's knowledge of the cluster: one list and watch for each declared kind, its own writes over that, and reads that cost no request. */
export type { Applied, AppliedFields, SentWrite } from './applied-fields.ts';
export { Cache, type CacheOptions } from './cache.ts';
export type { CachedReader, IndexOptions } from './cached-reader.ts';
export { defineIndex, type Index } from './define-index.ts';
export type { ChangeInfo, ChangeListener, ReflectorScope, RunReflector } from './informer.ts';
export type { KindCache } from './kind-cache.ts';
export { labelTest } from './label-selector.ts';
export { resourceName } from './resource-name.ts';
export { OwnWrites } from './own-writes.ts';
export { pathOf, sentShape } from './sent-fields.ts';
export { cached, type CachedKind, type Selection } from './selection.ts';
export { Store, type CachedObject, type ObjectEvent } from './store.ts';
export { StoreReader } from './store-reader.ts';
export { reason } from './sync-findings.ts';
