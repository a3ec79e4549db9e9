/**
 * The operator's cache. Lists and watches each declared kind once, overlays the result with the operator's own writes, and serves reads
 * without requests.
 */
export type { Applied, AppliedFields, SentWrite } from './applied-fields.ts';
export { Cache, type CacheOptions } from './cache.ts';
export {
  type CachedReader,
  type IndexOptions,
  defineIndex,
  type Index,
  cached,
  type CachedKind,
  type Selection,
  resourceName,
} from './cached-reader.ts';
export {
  type ChangeInfo,
  type ChangeListener,
  type ReflectorScope,
  type RunReflector,
  reason,
} from './informer.ts';
export { type KindCache, labelTest } from './kind-cache.ts';
export { OwnWrites, StoreReader } from './store-reader.ts';
export { pathOf, sentShape } from './sent-fields.ts';
export { Store, type CachedObject, type ObjectEvent } from './store.ts';
