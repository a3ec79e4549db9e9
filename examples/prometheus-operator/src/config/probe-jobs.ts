import type { ProxyConfig } from '../api/monitoring/v1/http-client.ts';
import type { Probe, ProbeTargetIngress, ProbeTargetStaticConfig } from '../api/monitoring/v1/probe.ts';
import { clientConfig } from './http-client.ts';
import { checkLabel, relabelConfigs } from './relabel.ts';
import type { ConfigObject } from './render.ts';
import {
  checkTimes,
  copyConfig,
  discoveryConfig,
  jobNameConfig,
  limitsConfig,
  shardConfigs,
  type JobContext,
} from './scrape.ts';
import { selectorConfigs } from './selector.ts';

/** Returns the job of a Probe: the prober is scraped once for each target. */
export function probeJobs(probe: Probe, context: JobContext): readonly ConfigObject[] {
  const { metadata, spec } = probe;
  const { problems, version } = context;
  const { prober, targets } = spec;
  if (prober === undefined) problems.add('spec.prober', 'is required');
  else if (prober.url.includes('://') || prober.url.includes('/'))
    problems.add(
      'spec.prober.url',
      `expected a host with a port, without scheme and path, got "${prober.url}"`,
    );
  if (targets?.staticConfig === undefined && targets?.ingress === undefined)
    problems.add('spec.targets', 'expected one of staticConfig and ingress');
  checkTimes(spec, 'spec', context);
  const config = clientConfig({ ...spec, ...proxyOf(probe) }, 'spec', context);
  return [
    {
      job_name: `probe/${context.namespace}/${metadata.name}`,
      // The prober measures at the time of its answer.
      honor_timestamps: true,
      scrape_interval: spec.interval || undefined,
      scrape_timeout: spec.scrapeTimeout || undefined,
      metrics_path: prober?.path || '/probe',
      params: paramsOf(probe, context),
      scheme: prober?.scheme?.toLowerCase(),
      ...config,
      ...limitsConfig(spec, context),
      ...(targets?.staticConfig
        ? staticTargets(targets.staticConfig, context)
        : ingressTargets(targets?.ingress ?? {}, context)),
      relabel_configs: [
        jobNameConfig,
        ...(targets?.staticConfig
          ? [copyConfig('__address__', '__param_target')]
          : ingressConfigs(targets?.ingress ?? {}, context)),
        copyConfig('__param_target', 'instance'),
        { target_label: '__address__', replacement: prober?.url ?? '' },
        ...(spec.jobName ? [{ target_label: 'job', replacement: spec.jobName }] : []),
        ...relabelConfigs(
          targets?.staticConfig
            ? targets.staticConfig.relabelingConfigs
            : targets?.ingress?.relabelingConfigs,
          targets?.staticConfig
            ? 'spec.targets.staticConfig.relabelingConfigs'
            : 'spec.targets.ingress.relabelingConfigs',
          version,
          problems,
        ),
        // All targets have the address of the prober.
        ...shardConfigs(context, '__param_target'),
      ],
      metric_relabel_configs: relabelConfigs(
        spec.metricRelabelings,
        'spec.metricRelabelings',
        version,
        problems,
      ),
    },
  ];
}

/** Returns the proxy that the prober is asked through. */
function proxyOf({ spec: { prober = { url: '' } } }: Probe): ProxyConfig {
  const { noProxy, proxyFromEnvironment, proxyUrl } = prober;
  return {
    ...(proxyUrl !== undefined && { proxyUrl }),
    ...(noProxy !== undefined && { noProxy }),
    ...(proxyFromEnvironment !== undefined && { proxyFromEnvironment }),
  };
}

function paramsOf({ spec }: Probe, { problems }: JobContext): ConfigObject | undefined {
  const params: Record<string, readonly string[]> = {};
  for (const [index, { name, values }] of (spec.params ?? []).entries()) {
    const isModule = name === 'module' && spec.module !== undefined;
    if (name === 'target' || isModule)
      problems.add(`spec.params[${index}].name`, `"${name}" is the operator's`);
    else if (values === undefined) problems.add(`spec.params[${index}].values`, 'is required');
    else params[name] = values;
  }
  if (spec.module) params['module'] = [spec.module];
  return Object.keys(params).length === 0 ? undefined : params;
}

function staticTargets(
  { static: targets, labels = {} }: ProbeTargetStaticConfig,
  { namespace, problems, version }: JobContext,
): ConfigObject {
  if (targets === undefined || targets.length === 0)
    problems.add('spec.targets.staticConfig.static', 'expected at least one target');
  for (const label of Object.keys(labels))
    checkLabel(label, `spec.targets.staticConfig.labels.${label}`, version, problems);
  return { static_configs: [{ targets: targets ?? [], labels: { namespace, ...labels } }] };
}

function ingressTargets({ namespaceSelector }: ProbeTargetIngress, context: JobContext): ConfigObject {
  return { kubernetes_sd_configs: [discoveryConfig('ingress', namespaceSelector, context)] };
}

function ingressConfigs({ selector }: ProbeTargetIngress, { problems }: JobContext): readonly ConfigObject[] {
  return [
    ...selectorConfigs(selector, 'ingress', 'spec.targets.ingress.selector', problems),
    {
      source_labels: ['__meta_kubernetes_ingress_scheme', '__address__', '__meta_kubernetes_ingress_path'],
      separator: ';',
      regex: '(.+);(.+);(.+)',
      replacement: '${1}://${2}${3}',
      target_label: '__param_target',
    },
    copyConfig('__meta_kubernetes_namespace', 'namespace'),
    copyConfig('__meta_kubernetes_ingress_name', 'ingress'),
    copyConfig('__address__', '__tmp_prometheus_ingress_address'),
  ];
}
