import { defineResource, type Condition, type CustomResource, type Int32, type ListMap } from 'opsdk';
import type { LabelSelector } from 'opsdk/k8s/meta/v1';

/** PrometheusSpec defines the desired state of Prometheus. */
export interface PrometheusSpec {
  /** ServiceMonitorSelector selects the ServiceMonitors of the namespace. Without it, none is selected. */
  serviceMonitorSelector?: LabelSelector;
  /** @default "v3.5.0" */
  version?: string;
  /** @default "quay.io/prometheus/prometheus" */
  image?: string;
  /** Paused objects are left alone. */
  paused?: boolean;
  /**
   * @minimum 0
   * @default 1
   */
  replicas?: Int32;
  /**
   * @pattern ^[0-9]+(ms|[smhdwy])$
   * @default "30s"
   */
  scrapeInterval?: string;
  /**
   * @pattern ^[0-9]+(ms|[smhdwy])$
   * @default "24h"
   */
  retention?: string;
  externalLabels?: Record<string, string>;
}

/** PrometheusStatus defines the observed state of Prometheus. */
export interface PrometheusStatus {
  paused: boolean;
  replicas: Int32;
  availableReplicas: Int32;
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
}

/** Prometheus is a deployment of Prometheus. */
export interface Prometheus extends CustomResource<'monitoring.example.com/v1', 'Prometheus'> {
  spec: PrometheusSpec;
  status?: PrometheusStatus;
}

export const Prometheus = defineResource<Prometheus>({
  group: 'monitoring.example.com',
  version: 'v1',
  kind: 'Prometheus',
  plural: 'prometheuses',
  scope: 'Namespaced',
  storage: true,
});
