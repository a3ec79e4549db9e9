import { defineResource, type CustomResource, type ListMap } from 'opsdk';
import type { LabelSelector } from 'opsdk/k8s/meta/v1';
import type { PrometheusDuration } from './duration.ts';
import type { HTTPConfig, ProxyConfig, SafeTLSConfig } from './http-client.ts';
import type { NamespaceSelector } from './monitor.ts';
import type { RelabelConfig } from './relabel-config.ts';
import type { ScrapeLimits } from './scrape-limits.ts';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/** ProberSpec is the exporter that probes, such as the blackbox exporter. */
export interface ProberSpec extends ProxyConfig {
  /**
   * Url is the host of the prober, with a port: without a scheme.
   *
   * @minLength 1
   */
  url: string;
  /** Scheme of the requests. Default: `http`. */
  scheme?: 'http' | 'https' | 'HTTP' | 'HTTPS';
  /**
   * Path of the metrics of a probe.
   *
   * @default "/probe"
   */
  path?: string;
}

/** ProbeTargetStaticConfig has targets by their addresses. */
export interface ProbeTargetStaticConfig {
  /** Static has the addresses that are probed. */
  static?: string[];
  /** Labels of all metrics of the targets. */
  labels?: Record<string, string>;
  /** RelabelingConfigs rewrite the labels of the targets. */
  relabelingConfigs?: RelabelConfig[];
}

/** ProbeTargetIngress has targets by the rules of Ingresses. */
export interface ProbeTargetIngress {
  /** Selector selects Ingresses by their labels. */
  selector?: LabelSelector;
  /** NamespaceSelector names the namespaces of the Ingresses. Default: that of the Probe. */
  namespaceSelector?: NamespaceSelector;
  /** RelabelingConfigs rewrite the labels of the targets. The address is in `__tmp_prometheus_ingress_address`. */
  relabelingConfigs?: RelabelConfig[];
}

/** ProbeTargets has what is probed. */
export interface ProbeTargets {
  /** StaticConfig has targets by their addresses. It takes precedence over ingress. */
  staticConfig?: ProbeTargetStaticConfig;
  /** Ingress has targets by the rules of Ingresses. */
  ingress?: ProbeTargetIngress;
}

/** ProbeParam is a query parameter of the requests to the prober. */
export interface ProbeParam {
  /**
   * Name of the parameter. `target` and `module` are the operator's.
   *
   * @minLength 1
   */
  name: string;
  /**
   * Values of the parameter.
   *
   * @minItems 1
   * @items.minLength 1
   */
  values?: string[];
}

/** ProbeSpec says what is probed, and by which prober. */
export interface ProbeSpec extends HTTPConfig, ScrapeLimits {
  /** JobName is the label `job` of the metrics. Default: kind, namespace and name of the Probe. */
  jobName?: string;
  /** Prober is the exporter that probes. */
  prober?: ProberSpec;
  /** Module of the prober. */
  module?: string;
  /** Targets are what is probed. */
  targets?: ProbeTargets;
  /** Interval between two probes. Default: that of the Prometheus. */
  interval?: PrometheusDuration;
  /** ScrapeTimeout of a probe. Default: that of the Prometheus. */
  scrapeTimeout?: PrometheusDuration;
  /** TlsConfig is how to connect to the prober by TLS. */
  tlsConfig?: SafeTLSConfig;
  /** MetricRelabelings rewrite the labels of samples before they are stored. */
  metricRelabelings?: RelabelConfig[];
  /**
   * Params are query parameters.
   *
   * @minItems 1
   */
  params?: ListMap<ProbeParam, 'name'>;
}

/** Probe says which addresses are probed by an exporter. */
export interface Probe extends CustomResource<'monitoring.coreos.com/v1', 'Probe'> {
  spec: ProbeSpec;
}

export const Probe = defineResource<Probe>({
  group: 'monitoring.coreos.com',
  version: 'v1',
  kind: 'Probe',
  scope: 'Namespaced',
  shortNames: ['prb'],
  categories: ['prometheus-operator'],
  storage: true,
});
