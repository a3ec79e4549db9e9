import { metricsRegistry } from 'opsdk';
import { Gauge } from 'prom-client';
import { anomalyReasons, type Anomaly } from './anomalies.ts';
import { averageOf, memoryUtilization, type ShardLoad } from './shard-load.ts';

const registers = [metricsRegistry];
// An operator keeps few clusters, each for long: they may have series of their own.
const labelNames = ['namespace', 'cluster'] as const;

const masters = new Gauge({
  name: 'redis_operator_cluster_masters',
  help: 'Masters of a cluster that serve slots',
  labelNames,
  registers,
});
const desiredMasters = new Gauge({
  name: 'redis_operator_cluster_desired_masters',
  help: 'Masters that a cluster should have',
  labelNames,
  registers,
});
const memoryRatio = new Gauge({
  name: 'redis_operator_cluster_memory_utilization_ratio',
  help: 'Part of their memory that the masters of a cluster use on average, from 0 to 1',
  labelNames,
  registers,
});
const operations = new Gauge({
  name: 'redis_operator_cluster_operations_per_second',
  help: 'Commands that all masters of a cluster process in a second',
  labelNames,
  registers,
});
const atMaximum = new Gauge({
  name: 'redis_operator_cluster_at_maximum',
  help: '1 while the load of a cluster asks for more masters than maxMasters, else 0',
  labelNames,
  registers,
});
const anomaly = new Gauge({
  name: 'redis_operator_cluster_anomaly',
  help: '1 while a cluster has the anomaly, else 0',
  labelNames: ['namespace', 'cluster', 'reason'],
  registers,
});

interface Key {
  readonly name: string;
  readonly namespace?: string | undefined;
}

export interface ClusterFigures {
  readonly masters: number;
  readonly desiredMasters: number;
  readonly loads: readonly ShardLoad[];
  readonly isAtMaximum: boolean;
  readonly anomalies: readonly Anomaly[];
}

const labelsOf = ({ name, namespace = '' }: Key) => ({ namespace, cluster: name });

/** Sets the series of a cluster. What is not known has no series: 0 would be a value. */
export function recordCluster(key: Key, figures: ClusterFigures): void {
  const labels = labelsOf(key);
  masters.set(labels, figures.masters);
  desiredMasters.set(labels, figures.desiredMasters);
  atMaximum.set(labels, figures.isAtMaximum ? 1 : 0);
  setOrRemove(memoryRatio, labels, averageOf(figures.loads.map(memoryUtilization)));
  const average = averageOf(figures.loads.map(({ operationsPerSecond }) => operationsPerSecond));
  setOrRemove(operations, labels, average && average * figures.loads.length);
  const present = figures.anomalies.map(({ reason }) => reason);
  for (const reason of anomalyReasons) anomaly.set({ ...labels, reason }, present.includes(reason) ? 1 : 0);
}

/** Removes the series of a cluster that is gone. */
export function forgetCluster(key: Key): void {
  const labels = labelsOf(key);
  for (const gauge of [masters, desiredMasters, memoryRatio, operations, atMaximum]) gauge.remove(labels);
  for (const reason of anomalyReasons) anomaly.remove({ ...labels, reason });
}

function setOrRemove(
  gauge: Gauge<(typeof labelNames)[number]>,
  labels: ReturnType<typeof labelsOf>,
  value: number | undefined,
): void {
  if (value === undefined) gauge.remove(labels);
  else gauge.set(labels, value);
}
