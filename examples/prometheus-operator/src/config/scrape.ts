import type { TLSConfig } from '../api/monitoring/v1/http-client.ts';
import type { NamespaceSelector, ScrapeEndpoint } from '../api/monitoring/v1/monitor.ts';
import type { Prometheus } from '../api/monitoring/v1/prometheus.ts';
import type { ScrapeLimits } from '../api/monitoring/v1/scrape-limits.ts';
import type { NamespacedAssets } from './assets.ts';
import { parseDuration } from './duration.ts';
import { clientConfig, type ClientContext } from './http-client.ts';
import type { Problems } from './problems.ts';
import type { ConfigObject, ConfigValue } from './render.ts';
import { ProgramVersion } from './version.ts';

/** What the jobs of a monitor are made for. */
export interface JobContext extends ClientContext {
  readonly spec: Prometheus['spec'];
  /** Namespace of the monitor. */
  readonly namespace: string;
}

export function jobContext(
  { spec }: Prometheus,
  namespace: string,
  assets: NamespacedAssets,
  problems: Problems,
): JobContext {
  const version = new ProgramVersion('Prometheus', spec.version ?? '');
  const allowFiles = spec.arbitraryFSAccessThroughSMs?.deny === false;
  return { spec, namespace, assets, problems, version, allowFiles };
}

/** Limits by their names in Prometheus, and the versions that know them. Others are known by all supported versions. */
const limits: readonly (readonly [field: keyof ScrapeLimits, name: string, since?: string])[] = [
  ['sampleLimit', 'sample_limit'],
  ['targetLimit', 'target_limit'],
  ['labelLimit', 'label_limit'],
  ['labelNameLengthLimit', 'label_name_length_limit'],
  ['labelValueLengthLimit', 'label_value_length_limit'],
  ['keepDroppedTargets', 'keep_dropped_targets', '2.47.0'],
  ['scrapeProtocols', 'scrape_protocols', '2.49.0'],
  ['fallbackScrapeProtocol', 'fallback_scrape_protocol', '3.0.0'],
  ['scrapeClassicHistograms', 'scrape_classic_histograms', '2.45.0'],
  ['scrapeNativeHistograms', 'scrape_native_histograms', '3.8.0'],
  ['convertClassicHistogramsToNHCB', 'convert_classic_histograms_to_nhcb', '3.0.0'],
  ['nativeHistogramBucketLimit', 'native_histogram_bucket_limit', '2.45.0'],
  ['nativeHistogramMinBucketFactor', 'native_histogram_min_bucket_factor', '2.50.0'],
];

/** Returns the limits of the jobs of a monitor. */
export function limitsConfig(
  spec: ScrapeLimits & { readonly bodySizeLimit?: string | undefined },
  { version, problems }: JobContext,
): ConfigObject {
  const config: Record<string, ConfigValue> = { body_size_limit: spec.bodySizeLimit };
  for (const [field, name, since] of limits) {
    const value = spec[field];
    if (value === undefined) continue;
    if (since !== undefined) version.require(since, `spec.${field}`, problems);
    const isRenamed = field === 'scrapeClassicHistograms' && version.isAtLeast('3.0.0');
    config[isRenamed ? 'always_scrape_classic_histograms' : name] =
      field === 'nativeHistogramMinBucketFactor' ? factor(value, problems) : value;
  }
  return config;
}

function factor(value: unknown, problems: Problems): number {
  const number = Number(value);
  if (!Number.isFinite(number))
    problems.add(
      'spec.nativeHistogramMinBucketFactor',
      `expected a number such as 1.1, got "${String(value)}"`,
    );
  return number;
}

/** Fields of an endpoint that are the same for Services and Pods. */
type AnyEndpoint = ScrapeEndpoint & {
  readonly tlsConfig?: TLSConfig | undefined;
  readonly bearerTokenFile?: string | undefined;
};

/** Returns how an endpoint is scraped, without its labels. */
export function endpointConfig(endpoint: AnyEndpoint, path: string, context: JobContext): ConfigObject {
  const { problems, spec, version } = context;
  checkTimes(endpoint, path, context);
  if (endpoint.trackTimestampsStaleness !== undefined)
    version.require('2.48.0', `${path}.trackTimestampsStaleness`, problems);
  const honorTimestamps = spec.overrideHonorTimestamps === true ? false : endpoint.honorTimestamps;
  return {
    honor_labels: spec.overrideHonorLabels === true ? false : (endpoint.honorLabels ?? false),
    honor_timestamps: honorTimestamps,
    track_timestamps_staleness: endpoint.trackTimestampsStaleness,
    scrape_interval: endpoint.interval || undefined,
    scrape_timeout: endpoint.scrapeTimeout || undefined,
    metrics_path: endpoint.path || undefined,
    params: endpoint.params,
    scheme: endpoint.scheme?.toLowerCase(),
    ...clientConfig(endpoint, path, context),
  };
}

/** Reports durations that Prometheus cannot read, and a timeout that is longer than its interval. */
export function checkTimes(
  times: { readonly interval?: string | undefined; readonly scrapeTimeout?: string | undefined },
  path: string,
  { problems, spec }: Pick<JobContext, 'problems' | 'spec'>,
): void {
  for (const field of ['interval', 'scrapeTimeout'] as const) {
    const text = times[field];
    if (text && parseDuration(text) === undefined)
      problems.add(`${path}.${field}`, `expected a duration such as 30s, got "${text}"`);
  }
  // An interval of 0 is the one of the Prometheus.
  const own = parseDuration(times.interval ?? '') ?? 0;
  const interval = own > 0 ? own : parseDuration(spec.scrapeInterval ?? '') || 60_000;
  const timeout = parseDuration(times.scrapeTimeout ?? '');
  if (timeout !== undefined && timeout > interval)
    problems.add(
      `${path}.scrapeTimeout`,
      `expected at most the interval, ${own > 0 ? times.interval : spec.scrapeInterval}, got ${times.scrapeTimeout}`,
    );
}

/** Returns a discovery of targets by Kubernetes in the namespaces of a selector. */
export function discoveryConfig(
  role: string,
  selector: NamespaceSelector | undefined,
  { namespace, spec }: JobContext,
  attachNode = false,
): ConfigObject {
  const isEverywhere = selector?.any === true && spec.ignoreNamespaceSelectors !== true;
  const names = selector?.matchNames ?? [];
  const hasNames = names.length > 0 && spec.ignoreNamespaceSelectors !== true;
  return {
    role,
    namespaces: isEverywhere ? undefined : { names: hasNames ? names : [namespace] },
    attach_metadata: attachNode ? { node: true } : undefined,
  };
}

export const jobNameConfig: ConfigObject = {
  source_labels: ['job'],
  target_label: '__tmp_prometheus_job_name',
};

/** Returns the rules that leave each shard its share of the targets. The config reloader knows the number of its shard. */
export function shardConfigs({ spec }: JobContext, label = '__address__'): readonly ConfigObject[] {
  return [
    { source_labels: [label], target_label: '__tmp_hash', modulus: spec.shards ?? 1, action: 'hashmod' },
    { source_labels: ['__tmp_hash'], regex: '$(SHARD)', action: 'keep' },
  ];
}

/** Returns a rule that copies a label. */
export function copyConfig(source: string, target: string): ConfigObject {
  return { source_labels: [source], target_label: target };
}

/** Returns a rule that copies a label that is not empty. */
export function copyPresentConfig(source: string, target: string): ConfigObject {
  return { source_labels: [source], target_label: target, regex: '(.+)', replacement: '${1}' };
}
