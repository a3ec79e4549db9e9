import { externalResource, type KubeObject, type Quantity } from 'opsdk';

/** PodMetrics is what a Pod uses, as metrics-server serves it. It cannot be watched. */
export interface PodMetrics extends KubeObject<'metrics.k8s.io/v1beta1', 'PodMetrics'> {
  containers: { name: string; usage: Record<string, Quantity> }[];
}

export const PodMetrics = externalResource<PodMetrics>({
  group: 'metrics.k8s.io',
  version: 'v1beta1',
  kind: 'PodMetrics',
  plural: 'pods',
  scope: 'Namespaced',
});
