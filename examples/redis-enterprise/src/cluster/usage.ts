import { milliValue } from 'opsdk';
import type { PodMetrics } from '../api/metrics/v1beta1/pod-metrics.ts';

export interface Usage {
  readonly memoryUsageMB?: number | undefined;
  readonly cpuUsagePct?: number | undefined;
  readonly storageUsageGB?: number | undefined;
}

/** What Pods use in all: megabytes of memory, percents of a core, gigabytes of storage; undefined for what no metrics have. */
export function usageOf(metrics: readonly PodMetrics[]): Usage {
  const sum = (resource: string): number | undefined => {
    const values = metrics.flatMap(({ containers }) =>
      containers.flatMap(({ usage }) => {
        const quantity = usage[resource];
        return quantity === undefined ? [] : [milliValue(quantity)];
      }),
    );
    return values.length === 0 ? undefined : Number(values.reduce((total, each) => total + each));
  };
  const rounded = (milli: number | undefined, unit: number) => milli && Math.round(milli / unit);
  return {
    memoryUsageMB: rounded(sum('memory'), 1e9),
    cpuUsagePct: rounded(sum('cpu'), 10),
    storageUsageGB: rounded(sum('ephemeral-storage'), 1e12),
  };
}
