import { defineResource, type CustomResource } from 'opsdk';

export interface Endpoint {
  /** Name of a port of the Service. */
  port: string;
  /** @default "/metrics" */
  path?: string;
  /** Default: the interval of the Prometheus. */
  interval?: string;
}

/** ServiceMonitorSpec selects Services by their labels. */
export interface ServiceMonitorSpec {
  endpoints: Endpoint[];
  matchLabels: Record<string, string>;
}

/** ServiceMonitor names the Services that are scraped. */
export interface ServiceMonitor extends CustomResource<'monitoring.example.com/v1', 'ServiceMonitor'> {
  spec: ServiceMonitorSpec;
}

export const ServiceMonitor = defineResource<ServiceMonitor>({
  group: 'monitoring.example.com',
  version: 'v1',
  kind: 'ServiceMonitor',
  scope: 'Namespaced',
  storage: true,
});
