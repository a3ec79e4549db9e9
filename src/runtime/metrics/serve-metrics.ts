import { collectDefaultMetrics } from 'prom-client';
import { servePlain, type ListenAddress, type PlainServer } from '../http/index.ts';
import { metricsRegistry } from './registry.ts';

/** Serves `/metrics` over plain HTTP, together with the process's own figures (`process_*`, `nodejs_*`). */
export async function serveMetrics(address: ListenAddress): Promise<PlainServer> {
  if (metricsRegistry.getSingleMetric('process_cpu_seconds_total') === undefined) {
    collectDefaultMetrics({ register: metricsRegistry });
  }
  return servePlain('metrics', address, async (url) =>
    url.pathname === '/metrics'
      ? { status: 200, body: await metricsRegistry.metrics(), contentType: metricsRegistry.contentType }
      : undefined,
  );
}
