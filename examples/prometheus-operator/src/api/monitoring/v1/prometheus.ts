import {
  defineResource,
  type CustomResource,
  type Int32,
  type IntOrString,
  type ListMap,
  type ListSet,
} from 'opsdk';
import type { SecretKeySelector } from 'opsdk/k8s/core/v1';
import type { LabelSelector } from 'opsdk/k8s/meta/v1';
import type { ByteSize, PrometheusDuration } from './duration.ts';
import type { BasicAuth, SafeAuthorization, SafeTLSConfig } from './http-client.ts';
import type { RelabelConfig } from './relabel-config.ts';
import type { WorkloadSpec, WorkloadStatus } from './workload.ts';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/** AlertmanagerEndpoints is a Service of Alertmanagers. */
export interface AlertmanagerEndpoints {
  /** Namespace of the Service. Default: that of the Prometheus. */
  namespace?: string;
  /**
   * Name of the Service.
   *
   * @minLength 1
   */
  name: string;
  /** Port is the name of the port of the Service, or its number. */
  port: IntOrString;
  /** Scheme of the requests. Default: `http`. */
  scheme?: 'http' | 'https' | 'HTTP' | 'HTTPS';
  /** PathPrefix is the path that the address of the API begins with. */
  pathPrefix?: string;
  /** ApiVersion of the Alertmanager. Default: `v2`. */
  apiVersion?: 'v1' | 'V1' | 'v2' | 'V2';
  /** Timeout of a request. Default: 10s. */
  timeout?: PrometheusDuration;
  /** EnableHttp2 is false to use HTTP/1.1 only. */
  enableHttp2?: boolean;
  /** TlsConfig is how to connect by TLS. */
  tlsConfig?: SafeTLSConfig;
  /** BasicAuth authenticates by user name and password. */
  basicAuth?: BasicAuth;
  /** Authorization is the header that authenticates. */
  authorization?: SafeAuthorization;
  /** Relabelings rewrite the labels of the discovered Alertmanagers. */
  relabelings?: RelabelConfig[];
  /** AlertRelabelings rewrite the labels of alerts that are sent to these Alertmanagers. They need Prometheus 2.51. */
  alertRelabelings?: RelabelConfig[];
}

/** AlertingSpec says where alerts are sent. */
export interface AlertingSpec {
  /** Alertmanagers that get the alerts. */
  alertmanagers: AlertmanagerEndpoints[];
}

/** ArbitraryFSAccessThroughSMsConfig says whether ServiceMonitors may name files of the container of Prometheus. */
export interface ArbitraryFSAccessThroughSMsConfig {
  /** Deny refuses ServiceMonitors that name files, such as the token of Prometheus's ServiceAccount. */
  deny?: boolean;
}

/** PrometheusSelectors select the objects that the configuration is made of, by the labels of objects and of their namespaces. */
export interface PrometheusSelectors {
  /** ServiceMonitorSelector selects ServiceMonitors. An empty one selects all, a missing one none. */
  serviceMonitorSelector?: LabelSelector;
  /** ServiceMonitorNamespaceSelector selects namespaces. An empty one selects all, a missing one that of the Prometheus alone. */
  serviceMonitorNamespaceSelector?: LabelSelector;
  /** PodMonitorSelector selects PodMonitors. An empty one selects all, a missing one none. */
  podMonitorSelector?: LabelSelector;
  /** PodMonitorNamespaceSelector selects namespaces. An empty one selects all, a missing one that of the Prometheus alone. */
  podMonitorNamespaceSelector?: LabelSelector;
  /** ProbeSelector selects Probes. An empty one selects all, a missing one none. */
  probeSelector?: LabelSelector;
  /** ProbeNamespaceSelector selects namespaces. An empty one selects all, a missing one that of the Prometheus alone. */
  probeNamespaceSelector?: LabelSelector;
  /** RuleSelector selects PrometheusRules. An empty one selects all, a missing one none. */
  ruleSelector?: LabelSelector;
  /** RuleNamespaceSelector selects namespaces. An empty one selects all, a missing one that of the Prometheus alone. */
  ruleNamespaceSelector?: LabelSelector;
}

/**
 * PrometheusSpec defines the desired state of Prometheus.
 *
 * @cel !has(self.routePrefix) || self.routePrefix.startsWith('/') : "routePrefix begins with /"
 */
export interface PrometheusSpec extends WorkloadSpec, PrometheusSelectors {
  /**
   * Version of Prometheus, 2.42 or newer. The configuration is written for it.
   *
   * @pattern ^v?[0-9]+\.[0-9]+\.[0-9]+
   * @default "v3.5.0"
   */
  version?: string;
  /**
   * Replicas of each shard. Default: 1.
   *
   * @minimum 0
   */
  replicas?: Int32;
  /**
   * Shards is the number of StatefulSets that the targets are distributed over. With fewer shards, data of the others is not moved.
   *
   * @minimum 1
   * @maximum 100
   * @default 1
   */
  shards?: Int32;
  /** Retention is how long data is kept. Default: 24h if retentionSize is missing, too. */
  retention?: PrometheusDuration;
  /** RetentionSize is the largest size of data. */
  retentionSize?: ByteSize;
  /** WalCompression compresses the write-ahead log. Default: true. */
  walCompression?: boolean;
  /**
   * ScrapeInterval between two scrapes.
   *
   * @default "30s"
   */
  scrapeInterval?: PrometheusDuration;
  /** ScrapeTimeout of a scrape. Default: 10s, that of Prometheus. */
  scrapeTimeout?: PrometheusDuration;
  /**
   * EvaluationInterval between two evaluations of a rule.
   *
   * @default "30s"
   */
  evaluationInterval?: PrometheusDuration;
  /** ExternalLabels are added to series and alerts that leave this Prometheus. */
  externalLabels?: Record<string, string>;
  /** PrometheusExternalLabelName is the label with namespace and name of the Prometheus. Default: `prometheus`; empty: none. */
  prometheusExternalLabelName?: string;
  /** ReplicaExternalLabelName is the label with the name of the Pod. Default: `prometheus_replica`; empty: none. */
  replicaExternalLabelName?: string;
  /** ExternalUrl is the address under which users find the program. */
  externalUrl?: string;
  /** EnableAdminAPI serves the API that deletes series and shuts down. */
  enableAdminAPI?: boolean;
  /** EnableRemoteWriteReceiver accepts samples by remote write. */
  enableRemoteWriteReceiver?: boolean;
  /** EnableFeatures are feature flags of Prometheus, such as `exemplar-storage`. */
  enableFeatures?: ListSet<string>;
  /** ServiceDiscoveryRole discovers targets by Endpoints or EndpointSlices. Default: `Endpoints`. */
  serviceDiscoveryRole?: 'Endpoints' | 'EndpointSlice';
  /** IgnoreNamespaceSelectors discovers the targets of each ServiceMonitor, PodMonitor and Probe in its own namespace alone. */
  ignoreNamespaceSelectors?: boolean;
  /** OverrideHonorLabels sets honorLabels to false everywhere. */
  overrideHonorLabels?: boolean;
  /** OverrideHonorTimestamps sets honorTimestamps to false everywhere. */
  overrideHonorTimestamps?: boolean;
  /**
   * ArbitraryFSAccessThroughSMs says whether ServiceMonitors may name files of the container of Prometheus.
   *
   * @default {"deny": true}
   */
  arbitraryFSAccessThroughSMs?: ArbitraryFSAccessThroughSMsConfig;
  /** Alerting says where alerts are sent. Default: nowhere. */
  alerting?: AlertingSpec;
  /** AdditionalScrapeConfigs is the key of a Secret with a list of scrape configurations, which are appended as they are. */
  additionalScrapeConfigs?: SecretKeySelector;
}

/** ShardStatus is what is observed of the Pods of a shard. */
export interface ShardStatus {
  /** ShardID is the number of the shard. */
  shardID: string;
  /** Replicas is the number of Pods. */
  replicas: Int32;
  /** UpdatedReplicas is the number of Pods of the newest template. */
  updatedReplicas: Int32;
  /** AvailableReplicas is the number of Pods that are ready for at least minReadySeconds. */
  availableReplicas: Int32;
  /** UnavailableReplicas is the number of Pods that are not available. */
  unavailableReplicas: Int32;
}

/** PrometheusStatus defines the observed state of Prometheus. */
export interface PrometheusStatus extends WorkloadStatus {
  /** Shards is the number of shards that exist. */
  shards?: Int32;
  /** ShardStatuses has an entry for each shard. */
  shardStatuses?: ListMap<ShardStatus, 'shardID'>;
  /** Selector selects the Pods, for autoscalers. */
  selector?: string;
}

/**
 * Prometheus is a number of shards of Prometheus, each with replicas.
 *
 * @cel self.metadata.name.matches('^[a-z0-9]([-a-z0-9]{0,30}[a-z0-9])?$') : "the name has no dots, and at most 32 characters: Pods and Services are named after it"
 */
export interface Prometheus extends CustomResource<'monitoring.coreos.com/v1', 'Prometheus'> {
  spec: PrometheusSpec;
  status?: PrometheusStatus;
}

export const Prometheus = defineResource<Prometheus>({
  group: 'monitoring.coreos.com',
  version: 'v1',
  kind: 'Prometheus',
  plural: 'prometheuses',
  scope: 'Namespaced',
  shortNames: ['prom'],
  categories: ['prometheus-operator'],
  storage: true,
  scale: { spec: '.spec.shards', status: '.status.shards', selector: '.status.selector' },
  printerColumns: [
    { name: 'Version', type: 'string', jsonPath: '.spec.version', description: 'The version of Prometheus' },
    {
      name: 'Desired',
      type: 'integer',
      jsonPath: '.spec.replicas',
      description: 'The number of desired replicas',
    },
    {
      name: 'Ready',
      type: 'integer',
      jsonPath: '.status.availableReplicas',
      description: 'The number of ready replicas',
    },
    { name: 'Reconciled', type: 'string', jsonPath: ".status.conditions[?(@.type == 'Reconciled')].status" },
    { name: 'Available', type: 'string', jsonPath: ".status.conditions[?(@.type == 'Available')].status" },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    {
      name: 'Paused',
      type: 'boolean',
      jsonPath: '.status.paused',
      priority: 1,
      description: 'Whether the resource reconciliation is paused or not',
    },
  ],
});
