import type { KubeObject } from 'opsdk';
import type { PodMonitor } from '../api/monitoring/v1/pod-monitor.ts';
import type { Probe } from '../api/monitoring/v1/probe.ts';
import type { Prometheus } from '../api/monitoring/v1/prometheus.ts';
import type { ServiceMonitor } from '../api/monitoring/v1/service-monitor.ts';
import { alertingConfig } from './alerting.ts';
import type { Assets } from './assets.ts';
import { parseDuration } from './duration.ts';
import { podMonitorJobs } from './pod-monitor-jobs.ts';
import { probeJobs } from './probe-jobs.ts';
import { Problems } from './problems.ts';
import { checkLabel } from './relabel.ts';
import { renderConfig, type ConfigObject } from './render.ts';
import { jobContext, type JobContext } from './scrape.ts';
import { serviceMonitorJobs } from './service-monitor-jobs.ts';
import { ProgramVersion } from './version.ts';

/** The oldest version that understands what is written without being asked for. */
const oldest = '2.42.0';
/** Path of the rule files in the container of Prometheus. */
export const rulesFolder = '/etc/prometheus/rules';
/** Folder in which the container finds the keys of the Secret with the configuration. */
export const configFolder = '/etc/prometheus/config';
/** Key of the Secret with the configuration. */
export const configFile = 'prometheus.yaml';

/** Objects that a Prometheus selects. */
export interface SelectedMonitors {
  readonly serviceMonitors: readonly ServiceMonitor[];
  readonly podMonitors: readonly PodMonitor[];
  readonly probes: readonly Probe[];
}

/** An object that is left out of a configuration. */
export interface LeftOut {
  readonly object: KubeObject;
  readonly problems: readonly string[];
}

/** Configuration of a Prometheus. */
export interface PrometheusConfig {
  /** Contents of the Secret, by their keys. */
  readonly files: ReadonlyMap<string, string>;
  /** Monitors with something that Prometheus would refuse. The configuration has all others. */
  readonly leftOut: readonly LeftOut[];
  /** What is wrong with the Prometheus itself. With any of it, the configuration cannot be used. */
  readonly problems: readonly string[];
}

/**
 * Returns the configuration of a Prometheus: the same for the same objects, in whatever order they come.
 *
 * @param ruleFolders names of the folders with rule files
 */
export function prometheusConfig(
  prometheus: Prometheus,
  monitors: SelectedMonitors,
  { assets, ruleFolders }: { readonly assets: Assets; readonly ruleFolders: readonly string[] },
): PrometheusConfig {
  const problems = new Problems();
  const files = new Map<string, string>();
  const leftOut: LeftOut[] = [];
  const jobs: ConfigObject[] = [];
  const addJobs = <T extends KubeObject>(
    objects: readonly T[],
    jobsOf: (object: T, context: JobContext) => readonly ConfigObject[],
  ): void => {
    for (const object of [...objects].sort(byName)) {
      const found = new Problems();
      const own = assets.in(object.metadata.namespace ?? '', found);
      const context = jobContext(prometheus, object.metadata.namespace ?? '', own, found);
      const made = jobsOf(object, context);
      if (found.list.length > 0) leftOut.push({ object, problems: found.list });
      else {
        jobs.push(...made);
        for (const [name, text] of own.files) files.set(name, text);
      }
    }
  };
  addJobs(monitors.serviceMonitors, serviceMonitorJobs);
  addJobs(monitors.podMonitors, podMonitorJobs);
  addJobs(monitors.probes, probeJobs);
  const alerting = alertingConfig(prometheus, assets, problems);
  for (const [name, text] of alerting.files) files.set(name, text);
  files.set(
    configFile,
    renderConfig({
      global: globalConfig(prometheus, problems),
      // Prometheus refuses a `*` before the last part of a path.
      rule_files:
        ruleFolders.length > 0 ? ruleFolders.map((folder) => `${rulesFolder}/${folder}/*.yaml`) : undefined,
      scrape_configs: jobs,
      alerting: alerting.config,
    }),
  );
  return { files, leftOut, problems: problems.list };
}

function globalConfig({ metadata, spec }: Prometheus, problems: Problems): ConfigObject {
  const version = new ProgramVersion('Prometheus', spec.version ?? '');
  if (!version.isAtLeast(oldest))
    problems.add('spec.version', `expected at least ${oldest}, got ${spec.version}`);
  for (const field of ['scrapeInterval', 'scrapeTimeout', 'evaluationInterval', 'retention'] as const) {
    const text = spec[field];
    if (text && parseDuration(text) === undefined)
      problems.add(`spec.${field}`, `expected a duration such as 30s, got "${text}"`);
  }
  const timeout = parseDuration(spec.scrapeTimeout ?? '');
  if (timeout !== undefined && timeout > (parseDuration(spec.scrapeInterval ?? '') || 60_000))
    problems.add(
      'spec.scrapeTimeout',
      `expected at most scrapeInterval, ${spec.scrapeInterval}, got ${spec.scrapeTimeout}`,
    );
  for (const label of Object.keys(spec.externalLabels ?? {}))
    checkLabel(label, `spec.externalLabels.${label}`, version, problems);
  const { prometheusExternalLabelName = 'prometheus', replicaExternalLabelName = 'prometheus_replica' } =
    spec;
  return {
    evaluation_interval: spec.evaluationInterval || undefined,
    scrape_interval: spec.scrapeInterval || undefined,
    scrape_timeout: spec.scrapeTimeout || undefined,
    external_labels: {
      ...spec.externalLabels,
      ...(prometheusExternalLabelName && {
        [prometheusExternalLabelName]: `${metadata.namespace}/${metadata.name}`,
      }),
      ...(replicaExternalLabelName && { [replicaExternalLabelName]: '$(POD_NAME)' }),
    },
  };
}

/** Orders objects by namespace and name. */
export function byName(a: KubeObject, b: KubeObject): number {
  const text = ({ metadata: { namespace = '', name = '' } }: KubeObject): string => `${namespace}/${name}`;
  return text(a) < text(b) ? -1 : Number(text(a) > text(b));
}
