// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type { KubeObject } from '../../../api/meta.ts';
import type { DateTime, Int32, Int64 } from '../../../api/types.ts';
import { externalResource, type Resource } from '../../../api/resource.ts';

/** CrossVersionObjectReference contains enough information to let you identify the referred resource. */
export interface CrossVersionObjectReference {
  /** apiVersion is the API version of the referent */
  apiVersion?: string | undefined;
  /** kind is the kind of the referent; More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds */
  kind: string;
  /** name is the name of the referent; More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#names */
  name: string;
}

/** configuration of a horizontal pod autoscaler. */
export interface HorizontalPodAutoscaler extends KubeObject<'autoscaling/v1', 'HorizontalPodAutoscaler'> {
  /** spec defines the behaviour of autoscaler. */
  spec: HorizontalPodAutoscalerSpec;
  /** status is the current information about the autoscaler. */
  status?: HorizontalPodAutoscalerStatus | undefined;
}
export const HorizontalPodAutoscaler: Resource<HorizontalPodAutoscaler> = /* @__PURE__ */ externalResource<HorizontalPodAutoscaler>({ group: 'autoscaling', version: 'v1', kind: 'HorizontalPodAutoscaler', plural: 'horizontalpodautoscalers', scope: 'Namespaced' });

/** specification of a horizontal pod autoscaler. */
export interface HorizontalPodAutoscalerSpec {
  /** maxReplicas is the upper limit for the number of pods that can be set by the autoscaler; cannot be smaller than MinReplicas. */
  maxReplicas: Int32;
  /** minReplicas is the lower limit for the number of replicas to which the autoscaler can scale down. */
  minReplicas?: Int32 | undefined;
  /** scaleTargetRef is the reference to scaled resource; horizontal pod autoscaler will learn the current resource consumption and will set the desired number of pods by using its Scale subresource. */
  scaleTargetRef: CrossVersionObjectReference;
  /** targetCPUUtilizationPercentage is the target average CPU utilization (represented as a percentage of requested CPU) over all the pods; if not specified the default autoscaling policy will be used. */
  targetCPUUtilizationPercentage?: Int32 | undefined;
}

/** current status of a horizontal pod autoscaler */
export interface HorizontalPodAutoscalerStatus {
  /** currentCPUUtilizationPercentage is the current average CPU utilization over all pods, represented as a percentage of requested CPU, e.g. 70 means that an average pod is using now 70% of its requested CPU. */
  currentCPUUtilizationPercentage?: Int32 | undefined;
  /** currentReplicas is the current number of replicas of pods managed by this autoscaler. */
  currentReplicas: Int32;
  /** desiredReplicas is the desired number of replicas of pods managed by this autoscaler. */
  desiredReplicas: Int32;
  /** lastScaleTime is the last time the HorizontalPodAutoscaler scaled the number of pods; used by the autoscaler to control how often the number of pods is changed. */
  lastScaleTime?: DateTime | undefined;
  /** observedGeneration is the most recent generation observed by this autoscaler. */
  observedGeneration?: Int64 | undefined;
}

/** Scale represents a scaling request for a resource. */
export interface Scale extends KubeObject {
  /** spec defines the behavior of the scale. */
  spec?: ScaleSpec | undefined;
  /** status is the current status of the scale. */
  status?: ScaleStatus | undefined;
}

/** ScaleSpec describes the attributes of a scale subresource. */
export interface ScaleSpec {
  /** replicas is the desired number of instances for the scaled object. */
  replicas?: Int32 | undefined;
}

/** ScaleStatus represents the current status of a scale subresource. */
export interface ScaleStatus {
  /** replicas is the actual number of observed instances of the scaled object. */
  replicas: Int32;
  /** selector is the label query over pods that should match the replicas count. */
  selector?: string | undefined;
}
