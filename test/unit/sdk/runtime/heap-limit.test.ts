import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { afterEach, expect, test, vi } from 'vitest';
import { heapLimit } from '../../../../src/sdk/runtime/heap-limit.ts';
import { registerCacheMetrics } from '../../../../src/sdk/runtime/metrics/cache-metrics.ts';
import { metricsRegistry } from '../../../../src/sdk/runtime/metrics/index.ts';

registerCacheMetrics();
afterEach(() => vi.restoreAllMocks());

const v8Limit = getHeapStatistics().heap_size_limit;
const small = 64 * 2 ** 20;

test.each([
  ['a limit', small, small],
  ['no limit, in newer versions of Node', 0, undefined],
  ['no limit, in older versions of Node', 2 ** 64, undefined],
  ['no limit, in cgroups of version 1', 2 ** 63 - 4096, undefined],
  ['a limit that the machine does not reach', totalmem(), undefined],
  ['a runtime that does not know', undefined, undefined],
])('%s', async (_name, given, expected) => {
  vi.spyOn(process, 'constrainedMemory').mockReturnValue(given as number);
  expect(heapLimit()).toBe(Math.min(given === 0 ? Infinity : (given ?? Infinity), v8Limit));
  const { values = [] } = (await metricsRegistry.getSingleMetric('opsdk_memory_limit_bytes')?.get()) ?? {};
  expect(values.map(({ value }) => value)).toEqual(expected === undefined ? [] : [expected]);
});
