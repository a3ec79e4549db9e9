// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type { KubeObject } from '../../../api/meta.ts';
import type { Int32 } from '../../../api/types.ts';
import { externalResource, type Resource } from '../../../api/resource.ts';

/** PriorityClass defines mapping from a priority class name to the priority integer value. */
export interface PriorityClass extends KubeObject<'scheduling.k8s.io/v1', 'PriorityClass'> {
  /** description is an arbitrary string that usually provides guidelines on when this priority class should be used. */
  description?: string | undefined;
  /** globalDefault specifies whether this PriorityClass should be considered as the default priority for pods that do not have any priority class. */
  globalDefault?: boolean | undefined;
  /** preemptionPolicy is the Policy for preempting pods with lower priority. */
  preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
  /** value represents the integer value of this priority class. */
  value?: Int32 | undefined;
}
export const PriorityClass: Resource<PriorityClass> = /* @__PURE__ */ externalResource<PriorityClass>({ group: 'scheduling.k8s.io', version: 'v1', kind: 'PriorityClass', plural: 'priorityclasses', scope: 'Cluster' });
