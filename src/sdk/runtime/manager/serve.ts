import { servePlain, type HealthChecks, type RunningServer } from '../http/index.ts';
import { serveMetrics } from '../metrics/index.ts';
import type { Logger } from '../create-logger.ts';
import type { ManagerSettings } from './manager-settings.ts';

/** The ports that the servers of a manager listen on. */
export interface Ports {
  health?: number;
  metrics?: number;
  webhooks?: number;
}

/**
 * Starts the HTTP servers of a manager.
 *
 * @param servers gets each that has started, also if a later one fails
 * @throws OpSdkError `runtime/cannot-listen`
 */
export async function serve(
  { health, metrics, cluster }: Pick<ManagerSettings, 'health' | 'metrics' | 'cluster'>,
  checks: HealthChecks,
  { servers, ports, log }: { readonly servers: RunningServer[]; readonly ports: Ports; readonly log: Logger },
): Promise<void> {
  const report = (error: Error): void => log.error({ error }, 'Cannot accept a connection');
  if (health !== undefined) {
    const purpose = { name: 'health probes', flag: '--health-probe-bind-address' };
    const server = await servePlain(purpose, health, checks.answer, report);
    servers.push(server);
    ports.health = server.port;
  }
  if (metrics !== undefined) {
    const { connection } = cluster;
    const server = await serveMetrics({ settings: metrics, connection, log, report });
    servers.push(server);
    ports.metrics = server.port;
  }
  log.info(ports, 'Serving');
}
