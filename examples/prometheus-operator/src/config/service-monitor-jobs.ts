import type { Endpoint, ServiceMonitor } from '../api/monitoring/v1/service-monitor.ts';
import { labelNameOf, literal, relabelConfigs } from './relabel.ts';
import type { ConfigObject } from './render.ts';
import {
  copyConfig,
  copyPresentConfig,
  discoveryConfig,
  endpointConfig,
  jobNameConfig,
  limitsConfig,
  shardConfigs,
  type JobContext,
} from './scrape.ts';
import { selectorConfigs } from './selector.ts';

/** Returns a job for each endpoint of a ServiceMonitor. */
export function serviceMonitorJobs(monitor: ServiceMonitor, context: JobContext): readonly ConfigObject[] {
  const { metadata, spec } = monitor;
  const selector = selectorConfigs(spec.selector, 'service', 'spec.selector', context.problems);
  const limits = limitsConfig(spec, context);
  return spec.endpoints.map((endpoint, index) => {
    const path = `spec.endpoints[${index}]`;
    const role = spec.serviceDiscoveryRole ?? context.spec.serviceDiscoveryRole ?? 'Endpoints';
    return {
      job_name: `serviceMonitor/${context.namespace}/${metadata.name}/${index}`,
      ...endpointConfig(endpoint, path, context),
      ...limits,
      kubernetes_sd_configs: [
        discoveryConfig(role.toLowerCase(), spec.namespaceSelector, context, spec.attachMetadata?.node),
      ],
      relabel_configs: [
        jobNameConfig,
        ...selector,
        ...portConfigs(endpoint, role),
        ...targetConfigs(role),
        // A Pod that has ended is in no Endpoints, unless somebody keeps them by hand.
        ...(endpoint.filterRunning === true
          ? [{ action: 'drop', source_labels: ['__meta_kubernetes_pod_phase'], regex: '(Failed|Succeeded)' }]
          : []),
        ...labelConfigs(monitor),
        ...endpointLabelConfigs(endpoint),
        ...relabelConfigs(endpoint.relabelings, `${path}.relabelings`, context.version, context.problems),
        ...shardConfigs(context),
      ],
      metric_relabel_configs: relabelConfigs(
        endpoint.metricRelabelings,
        `${path}.metricRelabelings`,
        context.version,
        context.problems,
      ),
    };
  });
}

function portConfigs({ port, targetPort }: Endpoint, role: string): readonly ConfigObject[] {
  const keep = (label: string, regex: string): ConfigObject => ({
    action: 'keep',
    source_labels: [label],
    regex,
  });
  const prefix = role === 'EndpointSlice' ? '__meta_kubernetes_endpointslice' : '__meta_kubernetes_endpoint';
  if (port) return [keep(`${prefix}_port_name`, literal(port))];
  if (typeof targetPort === 'number')
    return [keep('__meta_kubernetes_pod_container_port_number', String(targetPort))];
  return targetPort ? [keep('__meta_kubernetes_pod_container_port_name', literal(targetPort))] : [];
}

/** Returns the rules that name what a target is. */
function targetConfigs(role: string): readonly ConfigObject[] {
  const prefix = role === 'EndpointSlice' ? '__meta_kubernetes_endpointslice' : '__meta_kubernetes_endpoint';
  const ofKind = (kind: string, target: string): ConfigObject => ({
    source_labels: [`${prefix}_address_target_kind`, `${prefix}_address_target_name`],
    separator: ';',
    regex: `${kind};(.*)`,
    replacement: '${1}',
    target_label: target,
  });
  return [
    ofKind('Node', 'node'),
    ofKind('Pod', 'pod'),
    copyConfig('__meta_kubernetes_namespace', 'namespace'),
    copyConfig('__meta_kubernetes_service_name', 'service'),
    copyConfig('__meta_kubernetes_pod_name', 'pod'),
    copyConfig('__meta_kubernetes_pod_container_name', 'container'),
  ];
}

/** Returns the rules that copy labels of Services and Pods, and name the job. */
function labelConfigs({ spec }: ServiceMonitor): readonly ConfigObject[] {
  const copies = (role: string, labels: readonly string[] = []): readonly ConfigObject[] =>
    labels.map((label) =>
      copyPresentConfig(`__meta_kubernetes_${role}_label_${labelNameOf(label)}`, labelNameOf(label)),
    );
  return [
    ...copies('service', spec.targetLabels),
    ...copies('pod', spec.podTargetLabels),
    { source_labels: ['__meta_kubernetes_service_name'], target_label: 'job', replacement: '${1}' },
    ...(spec.jobLabel
      ? [copyPresentConfig(`__meta_kubernetes_service_label_${labelNameOf(spec.jobLabel)}`, 'job')]
      : []),
  ];
}

function endpointLabelConfigs({ port, targetPort }: Endpoint): readonly ConfigObject[] {
  const name = port || targetPort;
  return name === undefined || name === '' ? [] : [{ target_label: 'endpoint', replacement: String(name) }];
}
