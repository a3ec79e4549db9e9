import type { IntOrString } from 'opsdk';
import type { PrometheusDuration } from './duration.ts';
import type { HTTPConfig, ProxyConfig } from './http-client.ts';
import type { RelabelConfig } from './relabel-config.ts';

/** NamespaceSelector names the namespaces in which targets are discovered. Without a field, it is the namespace of the object. */
export interface NamespaceSelector {
  /** Any selects all namespaces. */
  any?: boolean;
  /** MatchNames are the names of namespaces. */
  matchNames?: string[];
}

/** AttachMetadata is the metadata that discovered targets get in addition. */
export interface AttachMetadata {
  /** Node attaches the labels and annotations of nodes. The ServiceAccount of Prometheus must be allowed to list and watch nodes. */
  node?: boolean;
}

/** ScrapeEndpoint is how the metrics of a port are scraped. */
export interface ScrapeEndpoint extends HTTPConfig, ProxyConfig {
  /** TargetPort is the name or number of the port of the container. Prefer port. */
  targetPort?: IntOrString;
  /** Path of the metrics. Default: `/metrics`. */
  path?: string;
  /** Scheme of the requests. Default: `http`. */
  scheme?: 'http' | 'https' | 'HTTP' | 'HTTPS';
  /** Params are query parameters. */
  params?: Record<string, string[]>;
  /** Interval between two scrapes. Default: that of the Prometheus. */
  interval?: PrometheusDuration;
  /** ScrapeTimeout of a scrape, at most the interval. Default: that of the Prometheus, or the interval if it is shorter. */
  scrapeTimeout?: PrometheusDuration;
  /** HonorLabels keeps labels of samples that the target has, too. */
  honorLabels?: boolean;
  /** HonorTimestamps keeps the timestamps that the target exposes. Default: true. */
  honorTimestamps?: boolean;
  /** TrackTimestampsStaleness tracks the staleness of metrics with explicit timestamps. It needs Prometheus 2.48. */
  trackTimestampsStaleness?: boolean;
  /** Relabelings rewrite the labels of targets before the scrape. */
  relabelings?: RelabelConfig[];
  /** MetricRelabelings rewrite the labels of samples before they are stored. */
  metricRelabelings?: RelabelConfig[];
  /** FilterRunning drops Pods that have ended. Default: true. */
  filterRunning?: boolean;
}
