import { Counter, exponentialBuckets, Gauge, Histogram } from 'prom-client';
import { LOW_PRIORITY, NORMAL_PRIORITY, type QueueObserver, type WorkQueue } from '../queue/index.ts';
import { metricsRegistry } from './registry.ts';

// Names, labels and buckets are those of controller-runtime `pkg/internal/metrics/workqueue.go`, because dashboards depend on them.
const registers = [metricsRegistry];
const labelNames = ['name', 'controller'] as const;
const buckets = exponentialBuckets(1e-8, 10, 12);

/**
 * Counts of queue operations, which can occur for every object of a list within one turn of the event loop. To be fast, the counts are
 * plain numbers until the metrics are read.
 */
interface Counts {
  added: number;
  retried: number;
  readonly depths: Map<number, number>;
}

const counts = new Map<string, Counts>();

new Gauge({
  name: 'workqueue_depth',
  help: 'Current depth of workqueue by workqueue and priority',
  labelNames: [...labelNames, 'priority'],
  registers,
  collect() {
    for (const [name, { depths }] of counts)
      for (const [priority, depth] of depths) this.set({ name, controller: name, priority }, depth);
  },
});
new Counter({
  name: 'workqueue_adds_total',
  help: 'Total number of adds handled by workqueue',
  labelNames,
  registers,
  collect() {
    for (const [name, count] of counts) {
      this.inc({ name, controller: name }, count.added);
      count.added = 0;
    }
  },
});
const waits = new Histogram({
  name: 'workqueue_queue_duration_seconds',
  help: 'How long in seconds an item stays in workqueue before being requested',
  labelNames,
  buckets,
  registers,
});
const works = new Histogram({
  name: 'workqueue_work_duration_seconds',
  help: 'How long in seconds processing an item from workqueue takes.',
  labelNames,
  buckets,
  registers,
});
new Counter({
  name: 'workqueue_retries_total',
  help: 'Total number of retries handled by workqueue',
  labelNames,
  registers,
  collect() {
    for (const [name, count] of counts) {
      this.inc({ name, controller: name }, count.retried);
      count.retried = 0;
    }
  },
});

/** Queues by name. Their unfinished work is queried when the metrics are read. */
const queues = new Map<string, WorkQueue>();

new Gauge({
  name: 'workqueue_unfinished_work_seconds',
  help: 'Seconds of work in progress that work_duration has not seen yet. Large values mean stuck workers.',
  labelNames,
  registers,
  collect() {
    for (const [name, queue] of queues) this.set({ name, controller: name }, queue.unfinishedWork.total);
  },
});
new Gauge({
  name: 'workqueue_longest_running_processor_seconds',
  help: 'How many seconds the longest running worker of the workqueue has been running.',
  labelNames,
  registers,
  collect() {
    for (const [name, queue] of queues) this.set({ name, controller: name }, queue.unfinishedWork.longest);
  },
});

/** Creates all series of a controller's queue, with value 0. Returns the observer that updates these series. */
export function queueMetrics(name: string): QueueObserver {
  const labels = { name, controller: name };
  const count = counts.get(name) ?? { added: 0, retried: 0, depths: new Map<number, number>() };
  for (const priority of [...count.depths.keys(), NORMAL_PRIORITY, LOW_PRIORITY])
    count.depths.set(priority, 0);
  counts.set(name, count);
  waits.zero(labels);
  works.zero(labels);
  return {
    added: () => count.added++,
    retried: () => count.retried++,
    depth: (length, priority) => count.depths.set(priority, length),
    waited: (seconds) => waits.observe(labels, seconds),
    worked: (seconds) => works.observe(labels, seconds),
  };
}

/** Includes the unfinished work of this queue in the metrics. */
export function watchUnfinishedWork(name: string, queue: WorkQueue): void {
  queues.set(name, queue);
}
