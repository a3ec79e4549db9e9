import type { PodMetricsEndpoint, PodMonitor } from '../api/monitoring/v1/pod-monitor.ts';
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

/** Returns a job for each endpoint of a PodMonitor. */
export function podMonitorJobs(monitor: PodMonitor, context: JobContext): readonly ConfigObject[] {
  const { metadata, spec } = monitor;
  const selector = selectorConfigs(spec.selector, 'pod', 'spec.selector', context.problems);
  const limits = limitsConfig(spec, context);
  return (spec.podMetricsEndpoints ?? []).map((endpoint, index) => {
    const path = `spec.podMetricsEndpoints[${index}]`;
    return {
      job_name: `podMonitor/${context.namespace}/${metadata.name}/${index}`,
      ...endpointConfig(endpoint, path, context),
      ...limits,
      kubernetes_sd_configs: [
        discoveryConfig('pod', spec.namespaceSelector, context, spec.attachMetadata?.node),
      ],
      relabel_configs: [
        jobNameConfig,
        ...(endpoint.filterRunning === false
          ? []
          : [
              { action: 'drop', source_labels: ['__meta_kubernetes_pod_phase'], regex: '(Failed|Succeeded)' },
            ]),
        ...selector,
        ...portConfigs(endpoint),
        copyConfig('__meta_kubernetes_namespace', 'namespace'),
        copyConfig('__meta_kubernetes_pod_container_name', 'container'),
        copyConfig('__meta_kubernetes_pod_name', 'pod'),
        ...(spec.podTargetLabels ?? []).map((label) =>
          copyPresentConfig(`__meta_kubernetes_pod_label_${labelNameOf(label)}`, labelNameOf(label)),
        ),
        { target_label: 'job', replacement: `${context.namespace}/${metadata.name}` },
        ...(spec.jobLabel
          ? [copyPresentConfig(`__meta_kubernetes_pod_label_${labelNameOf(spec.jobLabel)}`, 'job')]
          : []),
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

function portConfigs({ port, portNumber, targetPort }: PodMetricsEndpoint): readonly ConfigObject[] {
  const keep = (label: string, regex: string): readonly ConfigObject[] => [
    { action: 'keep', source_labels: [`__meta_kubernetes_pod_container_port_${label}`], regex },
  ];
  if (port) return keep('name', literal(port));
  if (portNumber !== undefined) return keep('number', String(portNumber));
  if (typeof targetPort === 'number') return keep('number', String(targetPort));
  return targetPort ? keep('name', literal(targetPort)) : [];
}

function endpointLabelConfigs({ port, portNumber, targetPort }: PodMetricsEndpoint): readonly ConfigObject[] {
  const name = port || (portNumber ?? targetPort);
  return name === undefined || name === '' ? [] : [{ target_label: 'endpoint', replacement: String(name) }];
}
