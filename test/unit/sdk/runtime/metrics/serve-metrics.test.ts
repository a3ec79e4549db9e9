import { beforeEach, expect, test } from 'vitest';
import { metricsRegistry, serveMetrics } from '../../../../../src/sdk/runtime/metrics/index.ts';
import { memoryLog } from '../memory-log.ts';

// Other test files share the registry.
beforeEach(() => {
  for (const { name } of metricsRegistry.getMetricsAsArray())
    if (/^(?:nodejs|process)_/.test(name)) metricsRegistry.removeSingleMetric(name);
});

const scrape = async (node: boolean): Promise<string> => {
  const server = await serveMetrics({
    settings: {
      address: { host: '127.0.0.1', port: 0 },
      secure: false,
      node,
      certificate: undefined,
      http2: false,
    },
    connection: { request: () => Promise.reject(new Error('no request was expected')) },
    log: memoryLog().log,
    report: (error) => expect.unreachable(error.message),
  });
  try {
    return await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  } finally {
    await server.close();
  }
};

test('metrics of Node and of the process are served unless the settings leave them out', async () => {
  const without = await scrape(false);
  expect(without).toContain('# TYPE controller_runtime_webhook_requests_total counter\n');
  expect(without).not.toMatch(/^# TYPE (?:nodejs|process)_/m);
  const all = await scrape(true);
  for (const name of [
    'nodejs_eventloop_lag_seconds',
    'nodejs_heap_size_used_bytes',
    'process_cpu_seconds_total',
  ])
    expect(all).toContain(`# TYPE ${name} `);
});
