import { metadataOnly, type ControllerClient, type Stored } from 'opsdk';
import { Namespace } from 'opsdk/k8s/core/v1';
import { PodMonitor } from '../api/monitoring/v1/pod-monitor.ts';
import { Probe } from '../api/monitoring/v1/probe.ts';
import { PrometheusRule } from '../api/monitoring/v1/prometheus-rule.ts';
import type { Prometheus } from '../api/monitoring/v1/prometheus.ts';
import { ServiceMonitor } from '../api/monitoring/v1/service-monitor.ts';
import type { SelectorsOf } from './concerned.ts';
import { selectOrRefuse, type Selectors } from './select.ts';

export const monitorKinds = ['ServiceMonitor', 'PodMonitor', 'Probe', 'PrometheusRule'] as const;
export type MonitorKind = (typeof monitorKinds)[number];

/** Returns the selectors of a Prometheus for objects of a kind. */
export function selectorsFor(kind: MonitorKind): SelectorsOf<Prometheus> {
  return ({ spec }) => {
    switch (kind) {
      case 'ServiceMonitor':
        return {
          selector: spec.serviceMonitorSelector,
          namespaceSelector: spec.serviceMonitorNamespaceSelector,
        };
      case 'PodMonitor':
        return { selector: spec.podMonitorSelector, namespaceSelector: spec.podMonitorNamespaceSelector };
      case 'Probe':
        return { selector: spec.probeSelector, namespaceSelector: spec.probeNamespaceSelector };
      case 'PrometheusRule':
        return { selector: spec.ruleSelector, namespaceSelector: spec.ruleNamespaceSelector };
    }
  };
}

/** Objects that a Prometheus selects. */
export interface SelectedObjects {
  readonly serviceMonitors: readonly Stored<ServiceMonitor>[];
  readonly podMonitors: readonly Stored<PodMonitor>[];
  readonly probes: readonly Stored<Probe>[];
  readonly rules: readonly Stored<PrometheusRule>[];
  countOf(kind: MonitorKind): number;
}

/** @throws a terminal error if a selector has an operator that does not exist: only a change of it helps */
export async function selectedBy(
  prometheus: Stored<Prometheus>,
  client: ControllerClient,
): Promise<SelectedObjects> {
  const namespaces = (await client.list(metadataOnly(Namespace))).items;
  const ownNamespace = prometheus.metadata.namespace ?? '';
  const of = (kind: MonitorKind): Selectors => ({ ...selectorsFor(kind)(prometheus), ownNamespace });
  const serviceMonitors = selectOrRefuse(
    (await client.list(ServiceMonitor)).items,
    namespaces,
    of('ServiceMonitor'),
  );
  const podMonitors = selectOrRefuse((await client.list(PodMonitor)).items, namespaces, of('PodMonitor'));
  const probes = selectOrRefuse((await client.list(Probe)).items, namespaces, of('Probe'));
  const rules = selectOrRefuse((await client.list(PrometheusRule)).items, namespaces, of('PrometheusRule'));
  const counts: Readonly<Record<MonitorKind, number>> = {
    ServiceMonitor: serviceMonitors.length,
    PodMonitor: podMonitors.length,
    Probe: probes.length,
    PrometheusRule: rules.length,
  };
  return { serviceMonitors, podMonitors, probes, rules, countOf: (kind) => counts[kind] };
}
