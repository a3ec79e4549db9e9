import type {
  Affinity,
  EnvVar,
  LocalObjectReference,
  PodSecurityContext,
  ResourceRequirements,
  Toleration,
  TopologySpreadConstraint,
} from 'opsdk/k8s/core/v1';

/**
 * PodPolicy is what the Pods of the members have besides etcd. A change restarts the members one at a time; those without storage are
 * replaced one at a time.
 *
 * @cel !(has(self.antiAffinity) && self.antiAffinity && has(self.affinity)) : "antiAffinity is short for an affinity: use one of them"
 */
export interface PodPolicy {
  /**
   * Labels of the Pods, beside those of the operator.
   *
   * @cel self.all(key, key != 'app' && !key.startsWith('etcd_')) : "app, and labels that begin with etcd_, are the operator's"
   * @maxProperties 32
   */
  labels?: Record<string, string>;
  /** Annotations of the Pods. */
  annotations?: Record<string, string>;
  nodeSelector?: Record<string, string>;
  /** Short for an affinity that keeps two members from running on one node. */
  antiAffinity?: boolean;
  affinity?: Affinity;
  tolerations?: Toleration[];
  topologySpreadConstraints?: TopologySpreadConstraint[];
  /** Resources of etcd's container. */
  resources?: ResourceRequirements;
  /** Environment of etcd's container, such as ETCD_QUOTA_BACKEND_BYTES. Flags of the operator take precedence. */
  etcdEnv?: EnvVar[];
  /** Security context of the Pods. Default: user, group and volumes of 65532, not root. */
  securityContext?: PodSecurityContext;
  priorityClassName?: string;
  imagePullSecrets?: LocalObjectReference[];
}
