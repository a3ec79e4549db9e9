import { collectDefaultMetrics } from 'prom-client';
import { servePlain, type Answer, type RunningServer } from '../http/index.ts';
import { registerCommonMetrics } from './common-metrics.ts';
import type { ServeMetricsOptions } from './metrics-options.ts';
import { metricsRegistry } from './registry.ts';

/**
 * Serves `/metrics`, including the metrics of Node and of the process (`nodejs_*`, `process_*`) unless the settings leave them out.
 *
 * @throws OpSdkError `runtime/cannot-listen`, `runtime/certificate-unreadable`
 */
export async function serveMetrics(options: ServeMetricsOptions): Promise<RunningServer> {
  registerCommonMetrics();
  const { registerCacheMetrics } = await import('./cache-metrics.ts');
  registerCacheMetrics();
  const { settings, report } = options;
  if (settings.node && metricsRegistry.getSingleMetric('process_cpu_seconds_total') === undefined) {
    collectDefaultMetrics({ register: metricsRegistry });
  }
  const purpose = { name: 'metrics', flag: '--metrics-bind-address' };
  const answer = async (): Promise<Answer> => ({
    status: 200,
    body: await metricsRegistry.metrics(),
    contentType: metricsRegistry.contentType,
  });
  if (!settings.secure) {
    const plain = async (url: URL): Promise<Answer | undefined> =>
      url.pathname === '/metrics' ? answer() : undefined;
    return servePlain(purpose, settings.address, plain, report);
  }
  const { serveSecureMetrics } = await import('./secure/serve-secure-metrics.ts');
  return serveSecureMetrics({ ...options, purpose, answer });
}
