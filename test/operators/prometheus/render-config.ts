import type { Pod, Service } from 'opsdk/k8s/core/v1';
import type { Prometheus } from './api/prometheus.ts';
import type { Endpoint, ServiceMonitor } from './api/service-monitor.ts';

/** Objects of the namespace of a Prometheus that its configuration depends on. */
export interface ConfigParts {
  /** ServiceMonitors that the Prometheus selects. */
  readonly monitors: readonly ServiceMonitor[];
  readonly services: readonly Service[];
  readonly pods: readonly Pod[];
}

/**
 * Returns the configuration of a Prometheus: the same text for the same objects. It is JSON, which is YAML, too. `$(POD_NAME)` is replaced
 * by the config reloader.
 */
export function renderConfig({ spec, metadata }: Prometheus, parts: ConfigParts): string {
  const config = {
    global: {
      scrape_interval: spec.scrapeInterval,
      external_labels: {
        ...spec.externalLabels,
        prometheus: `${metadata.namespace}/${metadata.name}`,
        prometheus_replica: '$(POD_NAME)',
      },
    },
    scrape_configs: byName(parts.monitors).flatMap((monitor) =>
      monitor.spec.endpoints.map((endpoint, index) => ({
        job_name: `serviceMonitor/${metadata.namespace}/${monitor.metadata.name}/${index}`,
        scrape_interval: endpoint.interval,
        metrics_path: endpoint.path,
        static_configs: byName(parts.services)
          .filter((service) => hasLabels(service, monitor.spec.matchLabels))
          .map((service) => ({
            targets: targetsOf(service, endpoint, byName(parts.pods)),
            labels: { service: service.metadata.name },
          })),
      })),
    ),
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** Returns addresses of the Pods of a Service that run. */
function targetsOf({ spec }: Service, endpoint: Endpoint, pods: readonly Pod[]): readonly string[] {
  const port = spec?.ports?.find(({ name }) => name === endpoint.port);
  if (port === undefined || spec?.selector === undefined) return [];
  const { selector } = spec;
  const { targetPort = port.port } = port;
  return pods.flatMap((pod) => {
    const { podIP, phase } = pod.status ?? {};
    const number = typeof targetPort === 'number' ? targetPort : portOf(pod, targetPort);
    // The address of a Pod that has ended may be that of another one.
    const hasEnded = phase === 'Succeeded' || phase === 'Failed';
    if (podIP === undefined || hasEnded || number === undefined || !hasLabels(pod, selector)) return [];
    return [`${podIP}:${number}`];
  });
}

/** Returns the number of a port that a container names. */
function portOf({ spec }: Pod, name: string): number | undefined {
  const ports = spec?.containers.flatMap((container) => container.ports ?? []);
  return ports?.find((port) => port.name === name)?.containerPort;
}

interface Named {
  readonly metadata: {
    readonly name?: string | undefined;
    readonly labels?: Readonly<Record<string, string>> | undefined;
  };
}

function hasLabels({ metadata }: Named, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value);
}

function byName<T extends Named>(objects: readonly T[]): readonly T[] {
  return [...objects].sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
}
