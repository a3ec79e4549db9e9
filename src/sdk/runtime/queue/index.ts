/** The work queue of a controller: keys in, each once, with delays and back-off. Knows nothing of Kubernetes. */
export {
  LOW_PRIORITY,
  NORMAL_PRIORITY,
  WorkQueue,
  type AddOptions,
  type QueueObserver,
  type WorkQueueOptions,
} from './work-queue.ts';
export { ExponentialBackoff, type BackoffOptions, type RateLimiter } from './queues.ts';
