import { expect, it } from 'vitest';
import type { PodMetrics } from '../../src/api/metrics/v1beta1/pod-metrics.ts';
import { usageOf } from '../../src/cluster/usage.ts';

function metricsOf(usage: Record<string, string>): PodMetrics {
  return {
    apiVersion: 'metrics.k8s.io/v1beta1',
    kind: 'PodMetrics',
    metadata: { name: 'a', namespace: 'default' },
    containers: [{ name: 'redis-enterprise', usage }],
  };
}

it('adds what the Pods use', () => {
  const metrics = [metricsOf({ memory: '500000Ki', cpu: '250m' }), metricsOf({ memory: '488Mi', cpu: '1' })];
  expect(usageOf(metrics)).toEqual({ memoryUsageMB: 1024, cpuUsagePct: 125, storageUsageGB: undefined });
});

it('has no storage but from metrics that have it', () => {
  expect(usageOf([metricsOf({ 'ephemeral-storage': '5G' })]).storageUsageGB).toBe(5);
});

it('knows nothing without metrics', () => {
  expect(Object.values(usageOf([]))).toEqual([undefined, undefined, undefined]);
});
