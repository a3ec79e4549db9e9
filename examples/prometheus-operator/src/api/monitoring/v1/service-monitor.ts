import { defineResource, type CustomResource } from 'opsdk';
import type { LabelSelector } from 'opsdk/k8s/meta/v1';
import type { ByteSize } from './duration.ts';
import type { TLSConfig } from './http-client.ts';
import type { AttachMetadata, NamespaceSelector, ScrapeEndpoint } from './monitor.ts';
import type { ScrapeLimits } from './scrape-limits.ts';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/** Endpoint is a port of the Services that is scraped. */
export interface Endpoint extends ScrapeEndpoint {
  /** Port is the name of a port of the Service. It takes precedence over targetPort. */
  port?: string;
  /** TlsConfig is how to connect by TLS. */
  tlsConfig?: TLSConfig;
  /** BearerTokenFile is a path in the container of Prometheus, whose content authenticates. Deprecated: use authorization. */
  bearerTokenFile?: string;
}

/** ServiceMonitorSpec selects Services, and says how their endpoints are scraped. */
export interface ServiceMonitorSpec extends ScrapeLimits {
  /** JobLabel is the label of the Service whose value becomes the label `job`. Default: the name of the Service. */
  jobLabel?: string;
  /** TargetLabels are labels of the Service that the metrics get. */
  targetLabels?: string[];
  /** PodTargetLabels are labels of the Pod that the metrics get. */
  podTargetLabels?: string[];
  /** Endpoints are the ports that are scraped. */
  endpoints: Endpoint[];
  /** Selector selects Services by their labels. */
  selector: LabelSelector;
  /** NamespaceSelector names the namespaces of the Services. Default: that of the ServiceMonitor. */
  namespaceSelector?: NamespaceSelector;
  /** AttachMetadata is the metadata that targets get in addition. */
  attachMetadata?: AttachMetadata;
  /** BodySizeLimit is the largest size of an uncompressed answer. */
  bodySizeLimit?: ByteSize;
  /** ServiceDiscoveryRole discovers targets by Endpoints or EndpointSlices. Default: that of the Prometheus. */
  serviceDiscoveryRole?: 'Endpoints' | 'EndpointSlice';
}

/** ServiceMonitor says how the Pods behind Services are scraped. */
export interface ServiceMonitor extends CustomResource<'monitoring.coreos.com/v1', 'ServiceMonitor'> {
  spec: ServiceMonitorSpec;
}

export const ServiceMonitor = defineResource<ServiceMonitor>({
  group: 'monitoring.coreos.com',
  version: 'v1',
  kind: 'ServiceMonitor',
  scope: 'Namespaced',
  shortNames: ['smon'],
  categories: ['prometheus-operator'],
  storage: true,
});
