/** The client that reconciles are given. */
export {
  CacheBackedClient,
  type ControllerClient,
  type ControllerClientOptions,
} from './controller-client.ts';
