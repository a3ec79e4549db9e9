import { defineResource, type CustomResource, type Int32 } from 'opsdk';
import type { LabelSelector } from 'opsdk/k8s/meta/v1';
import type { ByteSize } from './duration.ts';
import type { SafeTLSConfig } from './http-client.ts';
import type { AttachMetadata, NamespaceSelector, ScrapeEndpoint } from './monitor.ts';
import type { ScrapeLimits } from './scrape-limits.ts';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/** PodMetricsEndpoint is a port of the Pods that is scraped. */
export interface PodMetricsEndpoint extends ScrapeEndpoint {
  /** Port is the name of a port of a container. It takes precedence over portNumber and targetPort. */
  port?: string;
  /**
   * PortNumber is the number of a port that a container declares.
   *
   * @minimum 1
   * @maximum 65535
   */
  portNumber?: Int32;
  /** TlsConfig is how to connect by TLS. */
  tlsConfig?: SafeTLSConfig;
}

/** PodMonitorSpec selects Pods, and says how their ports are scraped. */
export interface PodMonitorSpec extends ScrapeLimits {
  /** JobLabel is the label of the Pod whose value becomes the label `job`. Default: namespace and name of the PodMonitor. */
  jobLabel?: string;
  /** PodTargetLabels are labels of the Pod that the metrics get. */
  podTargetLabels?: string[];
  /** PodMetricsEndpoints are the ports that are scraped. */
  podMetricsEndpoints?: PodMetricsEndpoint[];
  /** Selector selects Pods by their labels. */
  selector: LabelSelector;
  /** NamespaceSelector names the namespaces of the Pods. Default: that of the PodMonitor. */
  namespaceSelector?: NamespaceSelector;
  /** AttachMetadata is the metadata that targets get in addition. */
  attachMetadata?: AttachMetadata;
  /** BodySizeLimit is the largest size of an uncompressed answer. */
  bodySizeLimit?: ByteSize;
}

/** PodMonitor says how Pods are scraped. */
export interface PodMonitor extends CustomResource<'monitoring.coreos.com/v1', 'PodMonitor'> {
  spec: PodMonitorSpec;
}

export const PodMonitor = defineResource<PodMonitor>({
  group: 'monitoring.coreos.com',
  version: 'v1',
  kind: 'PodMonitor',
  scope: 'Namespaced',
  shortNames: ['pmon'],
  categories: ['prometheus-operator'],
  storage: true,
});
