/** The client of reconciles and runnables: cached reads, writes under one field manager that the cache shows at once and that leave out what changes nothing. */
export { CacheBackedClient, type CacheBackedClientOptions } from './cache-backed-client.ts';
export {
  type ControllerClient,
  type CreateOrUpdateResult,
  type Operation,
  type OtherClusterClient,
} from './controller-client.ts';
