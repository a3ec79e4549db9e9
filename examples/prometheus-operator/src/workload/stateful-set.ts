import { ownedBy, type ApplyObject, type KubeObject } from 'opsdk';
import type { StatefulSet } from 'opsdk/k8s/apps/v1';
import type { PodSpec } from 'opsdk/k8s/core/v1';
import type { WorkloadSpec } from '../api/monitoring/v1/workload.ts';
import { podMetadata, podSpecParts, type DataVolume } from './pod-parts.ts';

/** A Prometheus, an Alertmanager or a ThanosRuler. */
type Workload = KubeObject & {
  readonly spec: WorkloadSpec & {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly terminationGracePeriodSeconds?: number;
  };
};

/** Everything in which the StatefulSets of a workload differ. */
interface StatefulSetParts {
  readonly name: string;
  /** Name of the headless Service. */
  readonly serviceName: string;
  /** Labels of the Pods, by which the StatefulSet finds them. */
  readonly labels: Readonly<Record<string, string>>;
  /** Name of the container that people mean. */
  readonly program: string;
  /** Seconds that it may take to end, unless the spec says it. */
  readonly gracePeriod: number;
  readonly data: DataVolume;
  readonly pod: Pick<PodSpec, 'initContainers' | 'containers' | 'volumes'>;
}

/** Returns a StatefulSet whose Pods start at once, and are replaced one after the other. */
export function desiredPods<T extends Workload>(
  owner: T,
  { name, serviceName, labels, program, gracePeriod, data, pod }: StatefulSetParts,
): ApplyObject<StatefulSet> {
  const { spec } = owner;
  return {
    metadata: { name, labels: { ...labels }, ...ownedBy(owner) },
    spec: {
      replicas: spec.replicas ?? 1,
      serviceName,
      podManagementPolicy: 'Parallel',
      updateStrategy: { type: 'RollingUpdate' },
      ...(spec.minReadySeconds !== undefined && { minReadySeconds: spec.minReadySeconds }),
      selector: { matchLabels: { ...labels } },
      template: {
        metadata: podMetadata(spec, labels, program),
        spec: {
          ...podSpecParts(spec),
          terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? gracePeriod,
          ...pod,
          volumes: [...(pod.volumes ?? []), ...data.volumes],
        },
      },
      ...(data.claims.length > 0 && { volumeClaimTemplates: [...data.claims] }),
    },
  };
}
