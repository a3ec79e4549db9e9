/**
 * The client of reconciles and runnables: cached reads, and writes under one field manager, which the cache shows immediately and which are
 * skipped if they change nothing.
 */
export { CacheBackedClient, type CacheBackedClientOptions } from './cache-backed-client.ts';
export {
  type ControllerClient,
  type CreateOrUpdateResult,
  type Operation,
  type OtherClusterClient,
} from './controller-client.ts';
