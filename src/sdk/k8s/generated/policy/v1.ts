// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type * as meta_v1 from '../meta/v1.ts';
import type { Condition, KubeObject } from '../../../api/meta.ts';
import type { DateTime, Int32, Int64, IntOrString } from '../../../api/types.ts';
import { externalResource, type Resource } from '../../../api/resource.ts';

/** Eviction evicts a pod from its node subject to certain policies and safety constraints. */
export interface Eviction extends KubeObject {
  /** deleteOptions may be provided */
  deleteOptions?: meta_v1.DeleteOptions | undefined;
}

/** PodDisruptionBudget is an object to define the max disruption that can be caused to a collection of pods */
export interface PodDisruptionBudget extends KubeObject<'policy/v1', 'PodDisruptionBudget'> {
  /** spec is the specification of the desired behavior of the PodDisruptionBudget. */
  spec?: PodDisruptionBudgetSpec | undefined;
  /** status is the most recently observed status of the PodDisruptionBudget. */
  status?: PodDisruptionBudgetStatus | undefined;
}
export const PodDisruptionBudget: Resource<PodDisruptionBudget> = /* @__PURE__ */ externalResource<PodDisruptionBudget>({ group: 'policy', version: 'v1', kind: 'PodDisruptionBudget', plural: 'poddisruptionbudgets', scope: 'Namespaced' });

/** PodDisruptionBudgetSpec is a description of a PodDisruptionBudget. */
export interface PodDisruptionBudgetSpec {
  /** maxUnavailable indicates that an eviction is allowed if at most "maxUnavailable" pods selected by "selector" are unavailable after the eviction, i.e. even in absence of the evicted pod. */
  maxUnavailable?: IntOrString | undefined;
  /** minAvailable indicates that an eviction is allowed if at least "minAvailable" pods selected by "selector" will still be available after the eviction, i.e. even in the absence of the evicted pod. */
  minAvailable?: IntOrString | undefined;
  /** selector is a label query over pods whose evictions are managed by the disruption budget. */
  selector?: meta_v1.LabelSelector | undefined;
  /** unhealthyPodEvictionPolicy defines the criteria for when unhealthy pods should be considered for eviction. */
  unhealthyPodEvictionPolicy?: 'AlwaysAllow' | 'IfHealthyBudget' | undefined;
}

/** PodDisruptionBudgetStatus represents information about the status of a PodDisruptionBudget. */
export interface PodDisruptionBudgetStatus {
  /** Conditions contain conditions for PDB. */
  conditions?: Condition[] | undefined;
  /** current number of healthy pods */
  currentHealthy?: Int32 | undefined;
  /** minimum desired number of healthy pods */
  desiredHealthy?: Int32 | undefined;
  /** DisruptedPods contains information about pods whose eviction was processed by the API server eviction subresource handler but has not yet been observed by the PodDisruptionBudget controller. */
  disruptedPods?: Record<string, DateTime> | undefined;
  /** Number of pod disruptions that are currently allowed. */
  disruptionsAllowed?: Int32 | undefined;
  /** total number of pods counted by this disruption budget */
  expectedPods?: Int32 | undefined;
  /** Most recent generation observed when updating this PDB status. */
  observedGeneration?: Int64 | undefined;
}
