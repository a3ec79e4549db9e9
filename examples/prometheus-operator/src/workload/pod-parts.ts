import type {
  Container,
  EnvVar,
  PersistentVolumeClaim,
  PodSecurityContext,
  PodSpec,
  Probe,
  Volume,
  VolumeMount,
} from 'opsdk/k8s/core/v1';
import type { WorkloadSpec } from '../api/monitoring/v1/workload.ts';

const defaultSecurityContext: PodSecurityContext = {
  runAsNonRoot: true,
  runAsUser: 1000,
  fsGroup: 2000,
  seccompProfile: { type: 'RuntimeDefault' },
};

/** Security context of all containers. They write into volumes only. */
export const containerSecurityContext: NonNullable<Container['securityContext']> = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

/** Returns the name of the port of the HTTP API. */
export function webPort({ portName }: WorkloadSpec): string {
  return portName || 'web';
}

/** Returns a probe of a path below `/-/`, such as `ready`. Periods and thresholds are the program's own. */
export function webProbe(spec: WorkloadSpec, name: 'ready' | 'healthy'): Probe {
  return { httpGet: { path: `${pathPrefix(spec)}/-/${name}`, port: webPort(spec) }, timeoutSeconds: 3 };
}

/** Variables of all containers. */
export const podEnv: readonly EnvVar[] = [
  { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
];

/** Returns what Pods take from the spec as it is. */
export function podSpecParts({ ...spec }: WorkloadSpec): Omit<PodSpec, 'containers'> {
  return {
    securityContext: spec.securityContext ?? defaultSecurityContext,
    ...(spec.serviceAccountName && { serviceAccountName: spec.serviceAccountName }),
    ...(spec.priorityClassName && { priorityClassName: spec.priorityClassName }),
    ...(spec.imagePullSecrets && { imagePullSecrets: spec.imagePullSecrets }),
    ...(spec.nodeSelector && { nodeSelector: spec.nodeSelector }),
    ...(spec.affinity && { affinity: spec.affinity }),
    ...(spec.tolerations && { tolerations: spec.tolerations }),
    ...(spec.topologySpreadConstraints && { topologySpreadConstraints: spec.topologySpreadConstraints }),
  };
}

/** Returns the metadata of Pods. Labels of the operator win: the StatefulSet finds its Pods by them. */
export function podMetadata(
  { podMetadata: wanted }: WorkloadSpec,
  labels: Readonly<Record<string, string>>,
  program: string,
): { labels: Record<string, string>; annotations: Record<string, string> } {
  return {
    labels: { ...wanted?.labels, ...labels },
    annotations: { 'kubectl.kubernetes.io/default-container': program, ...wanted?.annotations },
  };
}

/** Volume with the data, or the template of a claim for it. */
export interface DataVolume {
  readonly mount: VolumeMount;
  readonly volumes: readonly Volume[];
  readonly claims: readonly PersistentVolumeClaim[];
}

/** @param name of the volume, unless the template of the claim has one */
export function dataVolume({ storage }: WorkloadSpec, name: string, mountPath: string): DataVolume {
  const template = storage?.emptyDir === undefined ? storage?.volumeClaimTemplate : undefined;
  if (template === undefined)
    return {
      mount: { name, mountPath },
      volumes: [{ name, emptyDir: storage?.emptyDir ?? {} }],
      claims: [],
    };
  const { metadata, spec } = template;
  const claimName = metadata?.name || name;
  const claim: PersistentVolumeClaim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: claimName,
      ...(metadata?.labels && { labels: metadata.labels }),
      ...(metadata?.annotations && { annotations: metadata.annotations }),
    },
    spec: { ...spec, accessModes: spec?.accessModes ?? ['ReadWriteOnce'] },
  };
  return { mount: { name: claimName, mountPath }, volumes: [], claims: [claim] };
}

/** Returns the policy of a container's image, which may be an empty text. */
export function pullPolicy({ imagePullPolicy }: WorkloadSpec): Pick<Container, 'imagePullPolicy'> {
  return imagePullPolicy ? { imagePullPolicy } : {};
}

/** Returns an image with the version as tag, unless the spec names one. */
export function imageOf({ image }: WorkloadSpec, repository: string, version: string | undefined): string {
  return image || `${repository}:${version?.startsWith('v') ? version : `v${version}`}`;
}

/** Returns the flags of logs, which all programs have in common. */
export function logArgs({ logLevel, logFormat }: WorkloadSpec): readonly string[] {
  return [
    ...(logLevel ? [`--log.level=${logLevel}`] : []),
    ...(logFormat ? [`--log.format=${logFormat}`] : []),
  ];
}

/** Returns the path that all addresses of a program begin with: no slash at its end, and empty for the root. */
export function pathPrefix({ routePrefix }: WorkloadSpec): string {
  return (routePrefix ?? '/').replace(/\/+$/, '');
}
