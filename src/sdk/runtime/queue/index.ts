/** The work queue of a controller: keys without duplicates, with delays and back-off. Independent of Kubernetes. */
export {
  LOW_PRIORITY,
  NORMAL_PRIORITY,
  WorkQueue,
  type AddOptions,
  type QueueObserver,
  type WorkQueueOptions,
} from './work-queue.ts';
export { ExponentialBackoff, type BackoffOptions, type RateLimiter } from './queues.ts';
