import type { Condition, Int32, Int64, ListMap } from 'opsdk';
import type {
  Affinity,
  EmptyDirVolumeSource,
  LocalObjectReference,
  PersistentVolumeClaimSpec,
  PodSecurityContext,
  ResourceRequirements,
  Toleration,
  TopologySpreadConstraint,
} from 'opsdk/k8s/core/v1';

/** EmbeddedMetadata is the metadata that objects get which are created from a template. */
export interface EmbeddedMetadata {
  /** Name of the object. Not allowed where the operator decides it. */
  name?: string;
  /** Labels, beside those of the operator. */
  labels?: Record<string, string>;
  /** Annotations, beside those of the operator. */
  annotations?: Record<string, string>;
}

/** EmbeddedPersistentVolumeClaim is a template of claims. */
export interface EmbeddedPersistentVolumeClaim {
  /** Metadata of the claims. The name is part of theirs. */
  metadata?: EmbeddedMetadata;
  /** Spec of the claims. */
  spec?: PersistentVolumeClaimSpec;
}

/** StorageSpec is where data is kept. Without it, data is lost with its Pod. */
export interface StorageSpec {
  /** EmptyDir keeps data as long as its Pod. It takes precedence over volumeClaimTemplate. */
  emptyDir?: EmptyDirVolumeSource;
  /** VolumeClaimTemplate has the claim of each Pod. */
  volumeClaimTemplate?: EmbeddedPersistentVolumeClaim;
}

/** WorkloadSpec is what the Pods of a Prometheus, an Alertmanager and a ThanosRuler have in common. */
export interface WorkloadSpec {
  /** Paused keeps the operator from changing anything but the status. */
  paused?: boolean;
  /** Image of the program. Default: that of the project, with the version as tag. */
  image?: string;
  /** ImagePullPolicy of all images of the Pods. */
  imagePullPolicy?: '' | 'Always' | 'Never' | 'IfNotPresent';
  /** ImagePullSecrets are Secrets with credentials of registries. */
  imagePullSecrets?: LocalObjectReference[];
  /** PodMetadata has labels and annotations of the Pods. */
  podMetadata?: EmbeddedMetadata;
  /** LogLevel of the program. */
  logLevel?: '' | 'debug' | 'info' | 'warn' | 'error';
  /** LogFormat of the program. */
  logFormat?: '' | 'logfmt' | 'json';
  /**
   * PortName is the name of the port of Pods and Service.
   *
   * @default "web"
   */
  portName?: string;
  /** RoutePrefix is the path that all addresses of the program begin with. Default: `/`. */
  routePrefix?: string;
  /** Storage is where data is kept. Default: in an emptyDir. */
  storage?: StorageSpec;
  /** Resources of the container of the program. */
  resources?: ResourceRequirements;
  /** NodeSelector selects the nodes of the Pods. */
  nodeSelector?: Record<string, string>;
  /** ServiceAccountName is the ServiceAccount of the Pods. */
  serviceAccountName?: string;
  /** PriorityClassName is the class of the Pods. */
  priorityClassName?: string;
  /** Affinity of the Pods. */
  affinity?: Affinity;
  /** Tolerations of the Pods. */
  tolerations?: Toleration[];
  /** TopologySpreadConstraints of the Pods. */
  topologySpreadConstraints?: TopologySpreadConstraint[];
  /** SecurityContext of the Pods. Default: user 1000 and group 2000, not root. */
  securityContext?: PodSecurityContext;
  /**
   * MinReadySeconds is how long a Pod must be ready until it counts as available.
   *
   * @minimum 0
   */
  minReadySeconds?: Int32;
  /**
   * TerminationGracePeriodSeconds is how long a Pod may take to end. Default: 600 for a Prometheus, 120 for others.
   *
   * @minimum 0
   * @maximum 9007199254740991
   */
  terminationGracePeriodSeconds?: Int64;
}

/** WorkloadStatus is what is observed of the Pods. */
export interface WorkloadStatus {
  /** Paused is true while the operator changes nothing. */
  paused?: boolean;
  /** Replicas is the number of Pods. */
  replicas?: Int32;
  /** UpdatedReplicas is the number of Pods of the newest template. */
  updatedReplicas?: Int32;
  /** AvailableReplicas is the number of Pods that are ready for at least minReadySeconds. */
  availableReplicas?: Int32;
  /** UnavailableReplicas is the number of Pods that are not available. */
  unavailableReplicas?: Int32;
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
}
