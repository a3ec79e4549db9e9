/**
 * The memory of `generate manifests` between runs: what was generated, by all that it was generated from. A hit loads no
 * compiler. Nothing here knows what is remembered; it must be plain JSON.
 */
export { throughCache, type CacheRequest } from './through-cache.ts';
