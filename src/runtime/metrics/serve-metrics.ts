import { collectDefaultMetrics } from 'prom-client';
import { servePlain, type Answerer, type ListenAddress, type PlainServer } from '../http/index.ts';
import { metricsRegistry } from './registry.ts';

/** Serves `/metrics` over plain HTTP, together with the process's own figures (`process_*`, `nodejs_*`). */
export async function serveMetrics(
  address: ListenAddress,
  report: (error: Error) => void,
): Promise<PlainServer> {
  if (metricsRegistry.getSingleMetric('process_cpu_seconds_total') === undefined) {
    collectDefaultMetrics({ register: metricsRegistry });
  }
  const answer: Answerer = async (url) =>
    url.pathname === '/metrics'
      ? { status: 200, body: await metricsRegistry.metrics(), contentType: metricsRegistry.contentType }
      : undefined;
  return servePlain({ name: 'metrics', flag: '--metrics-bind-address' }, address, answer, report);
}
