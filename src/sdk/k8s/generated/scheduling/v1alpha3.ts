// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type { Int32, JsonObject } from '../../../api/types.ts';

/** TopologyConstraint defines a topology constraint for a PodGroup. */
export interface TopologyConstraint {
  /** key specifies the key of the node label representing the topology domain. */
  key: string;
}

/** WorkloadPodGroupAllDisruptionMode indicates that all pods in the group must be disrupted together. */
export type WorkloadPodGroupAllDisruptionMode = JsonObject;

/** WorkloadPodGroupBasicSchedulingPolicy indicates standard Kubernetes scheduling behavior. */
export type WorkloadPodGroupBasicSchedulingPolicy = JsonObject;

/** WorkloadPodGroupDisruptionMode defines how individual pods within a group can be disrupted. */
export interface WorkloadPodGroupDisruptionMode {
  /** all specifies that all pods in the group must be disrupted together. */
  all?: WorkloadPodGroupAllDisruptionMode | undefined;
  /** single specifies that pods can be disrupted independently from each other. */
  single?: WorkloadPodGroupSingleDisruptionMode | undefined;
}

/** WorkloadPodGroupGangSchedulingPolicy defines the parameters for gang (all-or-nothing) scheduling. */
export interface WorkloadPodGroupGangSchedulingPolicy {
  /** minCount is the minimum number of pods that must be scheduled at the same time for the scheduler to admit the entire group. */
  minCount?: Int32 | undefined;
}

/** WorkloadPodGroupResourceClaim references a dynamic resource claim that is shared across pods in the group. */
export interface WorkloadPodGroupResourceClaim {
  /** name uniquely identifies this resource claim inside the group. */
  name: string;
  /** resourceClaimName is the name of a ResourceClaim object in the same namespace. */
  resourceClaimName?: string | undefined;
  /** resourceClaimTemplateName is the name of a ResourceClaimTemplate object in the same namespace. */
  resourceClaimTemplateName?: string | undefined;
}

/** WorkloadPodGroupSchedulingConstraints defines leaf-level scheduling constraints, such as topology. */
export interface WorkloadPodGroupSchedulingConstraints {
  /** topology specifies desired topological placements for all pods within the pod group. */
  topology?: TopologyConstraint[] | undefined;
}

/** WorkloadPodGroupSchedulingPolicy defines the scheduling policy for a group of pods managed by a workload controller. */
export interface WorkloadPodGroupSchedulingPolicy {
  /** basic specifies that standard, pod-by-pod Kubernetes scheduling behavior should be used. */
  basic?: WorkloadPodGroupBasicSchedulingPolicy | undefined;
  /** gang specifies all-or-nothing scheduling semantics. */
  gang?: WorkloadPodGroupGangSchedulingPolicy | undefined;
}

/** WorkloadPodGroupSingleDisruptionMode indicates that individual pods can be disrupted independently. */
export type WorkloadPodGroupSingleDisruptionMode = JsonObject;
