/** Prometheus metrics with controller-runtime's names, in a separate registry. */
export { metricsRegistry } from './registry.ts';
export { reconcileMetrics, type ReconcileMetrics, type ReconcileOutcome } from './reconcile-metrics.ts';
export { queueMetrics, watchUnfinishedWork } from './queue-metrics.ts';
export { watchCache, type CacheState } from './cache-states.ts';
export { observeRequest, lostEvents, type EventLoss } from './common-metrics.ts';
export { electionMetrics, type ElectionMetrics, type FencedWrites } from './election-metrics.ts';
export { serveMetrics } from './serve-metrics.ts';
export type { MetricsOptions, MetricsSettings } from './metrics-options.ts';
