// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type * as core_v1 from '../core/v1.ts';
import type * as meta_v1 from '../meta/v1.ts';
import type { KubeObject, ObjectMeta } from '../../../api/meta.ts';
import type { DateTime, Int32, Int64, IntOrString, JsonObject } from '../../../api/types.ts';
import { externalResource, type Resource } from '../../../api/resource.ts';

/** ControllerRevision implements an immutable snapshot of state data. */
export interface ControllerRevision extends KubeObject<'apps/v1', 'ControllerRevision'> {
  /** Data is the serialized representation of the state. */
  data: JsonObject;
  /** Revision indicates the revision of the state represented by Data. */
  revision?: Int64 | undefined;
}
export const ControllerRevision: Resource<ControllerRevision> = /* @__PURE__ */ externalResource<ControllerRevision>({ group: 'apps', version: 'v1', kind: 'ControllerRevision', plural: 'controllerrevisions', scope: 'Namespaced' });

/** DaemonSet represents the configuration of a daemon set. */
export interface DaemonSet extends KubeObject<'apps/v1', 'DaemonSet'> {
  /** The desired behavior of this daemon set. */
  spec: DaemonSetSpec;
  /** The current status of this daemon set. */
  status?: DaemonSetStatus | undefined;
}
export const DaemonSet: Resource<DaemonSet> = /* @__PURE__ */ externalResource<DaemonSet>({ group: 'apps', version: 'v1', kind: 'DaemonSet', plural: 'daemonsets', scope: 'Namespaced' });

/** DaemonSetCondition describes the state of a DaemonSet at a certain point. */
export interface DaemonSetCondition {
  /** Last time the condition transitioned from one status to another. */
  lastTransitionTime?: DateTime | undefined;
  /** A human readable message indicating details about the transition. */
  message?: string | undefined;
  /** The reason for the condition's last transition. */
  reason?: string | undefined;
  /** Status of the condition, one of True, False, Unknown. */
  status?: string | undefined;
  /** Type of DaemonSet condition. */
  type?: string | undefined;
}

/** DaemonSetSpec is the specification of a daemon set. */
export interface DaemonSetSpec {
  /** The minimum number of seconds for which a newly created DaemonSet pod should be ready without any of its container crashing, for it to be considered available. */
  minReadySeconds?: Int32 | undefined;
  /** The number of old history to retain to allow rollback. */
  revisionHistoryLimit?: Int32 | undefined;
  /** A label query over pods that are managed by the daemon set. */
  selector: meta_v1.LabelSelector;
  /** An object that describes the pod that will be created. */
  template: core_v1.PodTemplateSpec;
  /** An update strategy to replace existing DaemonSet pods with new pods. */
  updateStrategy?: DaemonSetUpdateStrategy | undefined;
}

/** DaemonSetStatus represents the current status of a daemon set. */
export interface DaemonSetStatus {
  /** Count of hash collisions for the DaemonSet. */
  collisionCount?: Int32 | undefined;
  /** Represents the latest available observations of a DaemonSet's current state. */
  conditions?: DaemonSetCondition[] | undefined;
  /** The number of nodes that are running at least 1 daemon pod and are supposed to run the daemon pod. */
  currentNumberScheduled: Int32;
  /** The total number of nodes that should be running the daemon pod (including nodes correctly running the daemon pod). */
  desiredNumberScheduled: Int32;
  /** The number of nodes that should be running the daemon pod and have one or more of the daemon pod running and available (ready for at least spec.minReadySeconds) */
  numberAvailable?: Int32 | undefined;
  /** The number of nodes that are running the daemon pod, but are not supposed to run the daemon pod. */
  numberMisscheduled: Int32;
  /** numberReady is the number of nodes that should be running the daemon pod and have one or more of the daemon pod running with a Ready Condition. */
  numberReady: Int32;
  /** The number of nodes that should be running the daemon pod and have none of the daemon pod running and available (ready for at least spec.minReadySeconds) */
  numberUnavailable?: Int32 | undefined;
  /** The most recent generation observed by the daemon set controller. */
  observedGeneration?: Int64 | undefined;
  /** The total number of nodes that are running updated daemon pod */
  updatedNumberScheduled?: Int32 | undefined;
}

/** DaemonSetUpdateStrategy is a struct used to control the update strategy for a DaemonSet. */
export interface DaemonSetUpdateStrategy {
  /** Rolling update config params. */
  rollingUpdate?: RollingUpdateDaemonSet | undefined;
  /** Type of daemon set update. */
  type?: 'OnDelete' | 'RollingUpdate' | undefined;
}

/** Deployment enables declarative updates for Pods and ReplicaSets. */
export interface Deployment extends KubeObject<'apps/v1', 'Deployment'> {
  /** Specification of the desired behavior of the Deployment. */
  spec: DeploymentSpec;
  /** Most recently observed status of the Deployment. */
  status?: DeploymentStatus | undefined;
}
export const Deployment: Resource<Deployment> = /* @__PURE__ */ externalResource<Deployment>({ group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', scope: 'Namespaced' });

/** DeploymentCondition describes the state of a deployment at a certain point. */
export interface DeploymentCondition {
  /** Last time the condition transitioned from one status to another. */
  lastTransitionTime?: DateTime | undefined;
  /** The last time this condition was updated. */
  lastUpdateTime?: DateTime | undefined;
  /** A human readable message indicating details about the transition. */
  message?: string | undefined;
  /** The reason for the condition's last transition. */
  reason?: string | undefined;
  /** Status of the condition, one of True, False, Unknown. */
  status?: string | undefined;
  /** Type of deployment condition. */
  type?: string | undefined;
}

/** DeploymentSpec is the specification of the desired behavior of the Deployment. */
export interface DeploymentSpec {
  /** Minimum number of seconds for which a newly created pod should be ready without any of its container crashing, for it to be considered available. */
  minReadySeconds?: Int32 | undefined;
  /** Indicates that the deployment is paused. */
  paused?: boolean | undefined;
  /** The maximum time in seconds for a deployment to make progress before it is considered to be failed. */
  progressDeadlineSeconds?: Int32 | undefined;
  /** Number of desired pods. */
  replicas?: Int32 | undefined;
  /** The number of old ReplicaSets to retain to allow rollback. */
  revisionHistoryLimit?: Int32 | undefined;
  /** Label selector for pods. */
  selector: meta_v1.LabelSelector;
  /** The deployment strategy to use to replace existing pods with new ones. */
  strategy?: DeploymentStrategy | undefined;
  /** Template describes the pods that will be created. */
  template: core_v1.PodTemplateSpec;
}

/** DeploymentStatus is the most recently observed status of the Deployment. */
export interface DeploymentStatus {
  /** Total number of available non-terminating pods (ready for at least minReadySeconds) targeted by this deployment. */
  availableReplicas?: Int32 | undefined;
  /** Count of hash collisions for the Deployment. */
  collisionCount?: Int32 | undefined;
  /** Represents the latest available observations of a deployment's current state. */
  conditions?: DeploymentCondition[] | undefined;
  /** The generation observed by the deployment controller. */
  observedGeneration?: Int64 | undefined;
  /** Total number of non-terminating pods targeted by this Deployment with a Ready Condition. */
  readyReplicas?: Int32 | undefined;
  /** Total number of non-terminating pods targeted by this deployment (their labels match the selector). */
  replicas?: Int32 | undefined;
  /** Total number of terminating pods targeted by this deployment. */
  terminatingReplicas?: Int32 | undefined;
  /** Total number of unavailable pods targeted by this deployment. */
  unavailableReplicas?: Int32 | undefined;
  /** Total number of non-terminating pods targeted by this deployment that have the desired template spec. */
  updatedReplicas?: Int32 | undefined;
}

/** DeploymentStrategy describes how to replace existing pods with new ones. */
export interface DeploymentStrategy {
  /** Rolling update config params. */
  rollingUpdate?: RollingUpdateDeployment | undefined;
  /** Type of deployment. */
  type?: 'Recreate' | 'RollingUpdate' | undefined;
}

/** ReplicaSet ensures that a specified number of pod replicas are running at any given time. */
export interface ReplicaSet extends KubeObject<'apps/v1', 'ReplicaSet'> {
  /** Spec defines the specification of the desired behavior of the ReplicaSet. */
  spec: ReplicaSetSpec;
  /** Status is the most recently observed status of the ReplicaSet. */
  status?: ReplicaSetStatus | undefined;
}
export const ReplicaSet: Resource<ReplicaSet> = /* @__PURE__ */ externalResource<ReplicaSet>({ group: 'apps', version: 'v1', kind: 'ReplicaSet', plural: 'replicasets', scope: 'Namespaced' });

/** ReplicaSetCondition describes the state of a replica set at a certain point. */
export interface ReplicaSetCondition {
  /** The last time the condition transitioned from one status to another. */
  lastTransitionTime?: DateTime | undefined;
  /** A human readable message indicating details about the transition. */
  message?: string | undefined;
  /** The reason for the condition's last transition. */
  reason?: string | undefined;
  /** Status of the condition, one of True, False, Unknown. */
  status?: string | undefined;
  /** Type of replica set condition. */
  type?: string | undefined;
}

/** ReplicaSetSpec is the specification of a ReplicaSet. */
export interface ReplicaSetSpec {
  /** Minimum number of seconds for which a newly created pod should be ready without any of its container crashing, for it to be considered available. */
  minReadySeconds?: Int32 | undefined;
  /** Replicas is the number of desired pods. */
  replicas?: Int32 | undefined;
  /** Selector is a label query over pods that should match the replica count. */
  selector: meta_v1.LabelSelector;
  /** Template is the object that describes the pod that will be created if insufficient replicas are detected. */
  template?: core_v1.PodTemplateSpec | undefined;
}

/** ReplicaSetStatus represents the current status of a ReplicaSet. */
export interface ReplicaSetStatus {
  /** The number of available non-terminating pods (ready for at least minReadySeconds) for this replica set. */
  availableReplicas?: Int32 | undefined;
  /** Represents the latest available observations of a replica set's current state. */
  conditions?: ReplicaSetCondition[] | undefined;
  /** The number of non-terminating pods that have labels matching the labels of the pod template of the replicaset. */
  fullyLabeledReplicas?: Int32 | undefined;
  /** ObservedGeneration reflects the generation of the most recently observed ReplicaSet. */
  observedGeneration?: Int64 | undefined;
  /** The number of non-terminating pods targeted by this ReplicaSet with a Ready Condition. */
  readyReplicas?: Int32 | undefined;
  /** Replicas is the most recently observed number of non-terminating pods. */
  replicas: Int32;
  /** The number of terminating pods for this replica set. */
  terminatingReplicas?: Int32 | undefined;
}

/** Spec to control the desired behavior of daemon set rolling update. */
export interface RollingUpdateDaemonSet {
  /** The maximum number of nodes with an existing available DaemonSet pod that can have an updated DaemonSet pod during during an update. */
  maxSurge?: IntOrString | undefined;
  /** The maximum number of DaemonSet pods that can be unavailable during the update. */
  maxUnavailable?: IntOrString | undefined;
}

/** Spec to control the desired behavior of rolling update. */
export interface RollingUpdateDeployment {
  /** The maximum number of pods that can be scheduled above the desired number of pods. */
  maxSurge?: IntOrString | undefined;
  /** The maximum number of pods that can be unavailable during the update. */
  maxUnavailable?: IntOrString | undefined;
}

/** RollingUpdateStatefulSetStrategy is used to communicate parameter for RollingUpdateStatefulSetStrategyType. */
export interface RollingUpdateStatefulSetStrategy {
  /** The maximum number of pods that can be unavailable during the update. */
  maxUnavailable?: IntOrString | undefined;
  /** Partition indicates the ordinal at which the StatefulSet should be partitioned for updates. */
  partition?: Int32 | undefined;
}

/** StatefulSet represents a set of pods with consistent identities. */
export interface StatefulSet extends KubeObject<'apps/v1', 'StatefulSet'> {
  /** Spec defines the desired identities of pods in this set. */
  spec: StatefulSetSpec;
  /** Status is the current status of Pods in this StatefulSet. */
  status?: StatefulSetStatus | undefined;
}
export const StatefulSet: Resource<StatefulSet> = /* @__PURE__ */ externalResource<StatefulSet>({ group: 'apps', version: 'v1', kind: 'StatefulSet', plural: 'statefulsets', scope: 'Namespaced' });

/** StatefulSetCondition describes the state of a statefulset at a certain point. */
export interface StatefulSetCondition {
  /** Last time the condition transitioned from one status to another. */
  lastTransitionTime?: DateTime | undefined;
  /** A human readable message indicating details about the transition. */
  message?: string | undefined;
  /** The reason for the condition's last transition. */
  reason?: string | undefined;
  /** Status of the condition, one of True, False, Unknown. */
  status?: string | undefined;
  /** Type of statefulset condition. */
  type?: string | undefined;
}

/** StatefulSetOrdinals describes the policy used for replica ordinal assignment in this StatefulSet. */
export interface StatefulSetOrdinals {
  /** start is the number representing the first replica's index. */
  start?: Int32 | undefined;
}

/** StatefulSetPersistentVolumeClaimRetentionPolicy describes the policy used for PVCs created from the StatefulSet VolumeClaimTemplates. */
export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  /** WhenDeleted specifies what happens to PVCs created from StatefulSet VolumeClaimTemplates when the StatefulSet is deleted. */
  whenDeleted?: string | undefined;
  /** WhenScaled specifies what happens to PVCs created from StatefulSet VolumeClaimTemplates when the StatefulSet is scaled down. */
  whenScaled?: string | undefined;
}

/** A StatefulSetSpec is the specification of a StatefulSet. */
export interface StatefulSetSpec {
  /** Minimum number of seconds for which a newly created pod should be ready without any of its container crashing for it to be considered available. */
  minReadySeconds?: Int32 | undefined;
  /** ordinals controls the numbering of replica indices in a StatefulSet. */
  ordinals?: StatefulSetOrdinals | undefined;
  /** persistentVolumeClaimRetentionPolicy describes the lifecycle of persistent volume claims created from volumeClaimTemplates. */
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy | undefined;
  /** podManagementPolicy controls how pods are created during initial scale up, when replacing pods on nodes, or when scaling down. */
  podManagementPolicy?: 'OrderedReady' | 'Parallel' | undefined;
  /** replicas is the desired number of replicas of the given Template. */
  replicas?: Int32 | undefined;
  /** revisionHistoryLimit is the maximum number of revisions that will be maintained in the StatefulSet's revision history. */
  revisionHistoryLimit?: Int32 | undefined;
  /** selector is a label query over pods that should match the replica count. */
  selector: meta_v1.LabelSelector;
  /** serviceName is the name of the service that governs this StatefulSet. */
  serviceName?: string | undefined;
  /** template is the object that describes the pod that will be created if insufficient replicas are detected. */
  template: core_v1.PodTemplateSpec;
  /** updateStrategy indicates the StatefulSetUpdateStrategy that will be employed to update Pods in the StatefulSet when a revision is made to Template. */
  updateStrategy?: StatefulSetUpdateStrategy | undefined;
  /** volumeClaimTemplates is a list of claims that pods are allowed to reference. */
  volumeClaimTemplates?: (Partial<Pick<core_v1.PersistentVolumeClaim, 'apiVersion' | 'kind'>> & { metadata?: ObjectMeta | undefined } & Omit<core_v1.PersistentVolumeClaim, keyof KubeObject>)[] | undefined;
}

/** StatefulSetStatus represents the current state of a StatefulSet. */
export interface StatefulSetStatus {
  /** Total number of available pods (ready for at least minReadySeconds) targeted by this statefulset. */
  availableReplicas?: Int32 | undefined;
  /** collisionCount is the count of hash collisions for the StatefulSet. */
  collisionCount?: Int32 | undefined;
  /** Represents the latest available observations of a statefulset's current state. */
  conditions?: StatefulSetCondition[] | undefined;
  /** currentReplicas is the number of Pods created by the StatefulSet controller from the StatefulSet version indicated by currentRevision. */
  currentReplicas?: Int32 | undefined;
  /** currentRevision, if not empty, indicates the version of the StatefulSet used to generate Pods in the sequence [0,currentReplicas). */
  currentRevision?: string | undefined;
  /** observedGeneration is the most recent generation observed for this StatefulSet. */
  observedGeneration?: Int64 | undefined;
  /** readyReplicas is the number of pods created for this StatefulSet with a Ready Condition. */
  readyReplicas?: Int32 | undefined;
  /** replicas is the number of Pods created by the StatefulSet controller. */
  replicas: Int32;
  /** updateRevision, if not empty, indicates the version of the StatefulSet used to generate Pods in the sequence [replicas-updatedReplicas,replicas) */
  updateRevision?: string | undefined;
  /** updatedReplicas is the number of Pods created by the StatefulSet controller from the StatefulSet version indicated by updateRevision. */
  updatedReplicas?: Int32 | undefined;
}

/** StatefulSetUpdateStrategy indicates the strategy that the StatefulSet controller will use to perform updates. */
export interface StatefulSetUpdateStrategy {
  /** RollingUpdate is used to communicate parameters when Type is RollingUpdateStatefulSetStrategyType. */
  rollingUpdate?: RollingUpdateStatefulSetStrategy | undefined;
  /** Type indicates the type of the StatefulSetUpdateStrategy. */
  type?: 'OnDelete' | 'Recreate' | 'RollingUpdate' | undefined;
}
