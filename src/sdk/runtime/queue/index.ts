/** The work queue of a controller holds keys without duplicates, with delays and back-off. It is independent of Kubernetes. */
export {
  LOW_PRIORITY,
  NORMAL_PRIORITY,
  WorkQueue,
  type AddOptions,
  type QueueObserver,
  type WorkQueueOptions,
} from './work-queue.ts';
export { ExponentialBackoff, type BackoffOptions, type RateLimiter } from './queues.ts';
