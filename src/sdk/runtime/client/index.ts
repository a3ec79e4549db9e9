/**
 * The client of reconciles and runnables. Reads from the cache. Writes under one field manager; the cache shows a write immediately, and a
 * write that changes nothing is skipped.
 */
export { CacheBackedClient, type CacheBackedClientOptions } from './cache-backed-client.ts';
export {
  type ControllerClient,
  type CreateOrUpdateResult,
  type Operation,
  type OtherClusterClient,
} from './controller-client.ts';
