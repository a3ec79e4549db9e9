// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type * as core_v1 from '../core/v1.ts';
import type * as meta_v1 from '../meta/v1.ts';
import type * as scheduling_v1alpha3 from '../scheduling/v1alpha3.ts';
import type { KubeObject, ObjectMeta } from '../../../api/meta.ts';
import type { DateTime, Int32, Int64 } from '../../../api/types.ts';
import { externalResource, type Resource } from '../../../api/resource.ts';

/** CronJob represents the configuration of a single cron job. */
export interface CronJob extends KubeObject<'batch/v1', 'CronJob'> {
  /** Specification of the desired behavior of a cron job, including the schedule. */
  spec: CronJobSpec;
  /** Current status of a cron job. */
  status?: CronJobStatus | undefined;
}
export const CronJob: Resource<CronJob> = /* @__PURE__ */ externalResource<CronJob>({ group: 'batch', version: 'v1', kind: 'CronJob', plural: 'cronjobs', scope: 'Namespaced' });

/** CronJobSpec describes how the job execution will look like and when it will actually run. */
export interface CronJobSpec {
  /** Specifies how to treat concurrent executions of a Job. */
  concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace' | undefined;
  /** The number of failed finished jobs to retain. */
  failedJobsHistoryLimit?: Int32 | undefined;
  /** Specifies the job that will be created when executing a CronJob. */
  jobTemplate: JobTemplateSpec;
  /** The schedule in Cron format, see https://en.wikipedia.org/wiki/Cron. */
  schedule: string;
  /** Optional deadline in seconds for starting the job if it misses scheduled time for any reason. */
  startingDeadlineSeconds?: Int64 | undefined;
  /** The number of successful finished jobs to retain. */
  successfulJobsHistoryLimit?: Int32 | undefined;
  /** This flag tells the controller to suspend subsequent executions, it does not apply to already started executions. */
  suspend?: boolean | undefined;
  /** The time zone name for the given schedule, see https://en.wikipedia.org/wiki/List_of_tz_database_time_zones. */
  timeZone?: string | undefined;
}

/** CronJobStatus represents the current state of a cron job. */
export interface CronJobStatus {
  /** A list of pointers to currently running jobs. */
  active?: core_v1.ObjectReference[] | undefined;
  /** Information when was the last time the job was successfully scheduled. */
  lastScheduleTime?: DateTime | undefined;
  /** Information when was the last time the job successfully completed. */
  lastSuccessfulTime?: DateTime | undefined;
}

/** Job represents the configuration of a single job. */
export interface Job extends KubeObject<'batch/v1', 'Job'> {
  /** Specification of the desired behavior of a job. */
  spec?: JobSpec | undefined;
  /** Current status of a job. */
  status?: JobStatus | undefined;
}
export const Job: Resource<Job> = /* @__PURE__ */ externalResource<Job>({ group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', scope: 'Namespaced' });

/** JobCondition describes current state of a job. */
export interface JobCondition {
  /** Last time the condition was checked. */
  lastProbeTime?: DateTime | undefined;
  /** Last time the condition transit from one status to another. */
  lastTransitionTime?: DateTime | undefined;
  /** Human readable message indicating details about last transition. */
  message?: string | undefined;
  /** (brief) reason for the condition's last transition. */
  reason?: string | undefined;
  /** Status of the condition, one of True, False, Unknown. */
  status: string;
  /** Type of job condition, Complete or Failed. */
  type: string;
}

/** JobSchedulingConfiguration composes the reusable workload-aware scheduling building blocks. */
export interface JobSchedulingConfiguration {
  /** DisruptionMode defines the mode in which the Job's pods can be disrupted. */
  disruptionMode?: scheduling_v1alpha3.WorkloadPodGroupDisruptionMode | undefined;
  /** ResourceClaims defines which ResourceClaims may be shared among Pods in the Job. */
  resourceClaims?: scheduling_v1alpha3.WorkloadPodGroupResourceClaim[] | undefined;
  /** SchedulingConstraints defines scheduling constraints (e.g. topology) for the Job's pods. */
  schedulingConstraints?: scheduling_v1alpha3.WorkloadPodGroupSchedulingConstraints | undefined;
  /** SchedulingPolicy defines the scheduling policy for this Job. */
  schedulingPolicy?: scheduling_v1alpha3.WorkloadPodGroupSchedulingPolicy | undefined;
}

/** JobSpec describes how the job execution will look like. */
export interface JobSpec {
  /** Specifies the duration in seconds relative to the startTime that the job may be continuously active before the system tries to terminate it; value must be positive integer. */
  activeDeadlineSeconds?: Int64 | undefined;
  /** Specifies the number of retries before marking this job failed. */
  backoffLimit?: Int32 | undefined;
  /** Specifies the limit for the number of retries within an index before marking this index as failed. */
  backoffLimitPerIndex?: Int32 | undefined;
  /** completionMode specifies how Pod completions are tracked. */
  completionMode?: 'Indexed' | 'NonIndexed' | undefined;
  /** Specifies the desired number of successfully finished pods the job should be run with. */
  completions?: Int32 | undefined;
  /** ManagedBy field indicates the controller that manages a Job. */
  managedBy?: string | undefined;
  /** manualSelector controls generation of pod labels and pod selectors. */
  manualSelector?: boolean | undefined;
  /** Specifies the maximal number of failed indexes before marking the Job as failed, when backoffLimitPerIndex is set. */
  maxFailedIndexes?: Int32 | undefined;
  /** Specifies the maximum desired number of pods the job should run at any given time. */
  parallelism?: Int32 | undefined;
  /** Specifies the policy of handling failed pods. */
  podFailurePolicy?: PodFailurePolicy | undefined;
  /** podReplacementPolicy specifies when to create replacement Pods. */
  podReplacementPolicy?: 'Failed' | 'TerminatingOrFailed' | undefined;
  /** scheduling defines the Workload-aware Scheduling configuration for this Job. */
  scheduling?: JobSchedulingConfiguration | undefined;
  /** A label query over pods that should match the pod count. */
  selector?: meta_v1.LabelSelector | undefined;
  /** successPolicy specifies the policy when the Job can be declared as succeeded. */
  successPolicy?: SuccessPolicy | undefined;
  /** suspend specifies whether the Job controller should create Pods or not. */
  suspend?: boolean | undefined;
  /** Describes the pod that will be created when executing a job. */
  template: core_v1.PodTemplateSpec;
  /** ttlSecondsAfterFinished limits the lifetime of a Job that has finished execution (either Complete or Failed). */
  ttlSecondsAfterFinished?: Int32 | undefined;
}

/** JobStatus represents the current state of a Job. */
export interface JobStatus {
  /** The number of pending and running pods which are not terminating (without a deletionTimestamp). */
  active?: Int32 | undefined;
  /** completedIndexes holds the completed indexes when .spec.completionMode = "Indexed" in a text format. */
  completedIndexes?: string | undefined;
  /** Represents time when the job was completed. */
  completionTime?: DateTime | undefined;
  /** The latest available observations of an object's current state. */
  conditions?: JobCondition[] | undefined;
  /** The number of pods which reached phase Failed. */
  failed?: Int32 | undefined;
  /** FailedIndexes holds the failed indexes when spec.backoffLimitPerIndex is set. */
  failedIndexes?: string | undefined;
  /** The number of active pods which have a Ready condition and are not terminating (without a deletionTimestamp). */
  ready?: Int32 | undefined;
  /** Represents time when the job controller started processing a job. */
  startTime?: DateTime | undefined;
  /** The number of pods which reached phase Succeeded. */
  succeeded?: Int32 | undefined;
  /** The number of pods which are terminating (in phase Pending or Running and have a deletionTimestamp). */
  terminating?: Int32 | undefined;
  /** uncountedTerminatedPods holds the UIDs of Pods that have terminated but the job controller hasn't yet accounted for in the status counters. */
  uncountedTerminatedPods?: UncountedTerminatedPods | undefined;
}

/** JobTemplateSpec describes the data a Job should have when created from a template */
export interface JobTemplateSpec {
  /** Standard object's metadata of the jobs created from this template. */
  metadata?: ObjectMeta | undefined;
  /** Specification of the desired behavior of the job. */
  spec?: JobSpec | undefined;
}

/** PodFailurePolicy describes how failed pods influence the backoffLimit. */
export interface PodFailurePolicy {
  /** A list of pod failure policy rules. */
  rules: PodFailurePolicyRule[];
}

/** PodFailurePolicyOnExitCodesRequirement describes the requirement for handling a failed pod based on its container exit codes. */
export interface PodFailurePolicyOnExitCodesRequirement {
  /** Restricts the check for exit codes to the container with the specified name. */
  containerName?: string | undefined;
  /** Represents the relationship between the container exit code(s) and the specified values. */
  operator: 'In' | 'NotIn';
  /** Specifies the set of values. */
  values: Int32[];
}

/** PodFailurePolicyOnPodConditionsPattern describes a pattern for matching an actual pod condition type. */
export interface PodFailurePolicyOnPodConditionsPattern {
  /** Specifies the required Pod condition status. */
  status?: string | undefined;
  /** Specifies the required Pod condition type. */
  type: string;
}

/** PodFailurePolicyRule describes how a pod failure is handled when the requirements are met. */
export interface PodFailurePolicyRule {
  /** Specifies the action taken on a pod failure when the requirements are satisfied. */
  action: 'Count' | 'FailIndex' | 'FailJob' | 'Ignore';
  /** Represents the requirement on the container exit codes. */
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement | undefined;
  /** Represents the requirement on the pod conditions. */
  onPodConditions?: PodFailurePolicyOnPodConditionsPattern[] | undefined;
}

/** SuccessPolicy describes when a Job can be declared as succeeded based on the success of some indexes. */
export interface SuccessPolicy {
  /** rules represents the list of alternative rules for the declaring the Jobs as successful before `.status.succeeded >= .spec.completions`. */
  rules: SuccessPolicyRule[];
}

/** SuccessPolicyRule describes rule for declaring a Job as succeeded. */
export interface SuccessPolicyRule {
  /** succeededCount specifies the minimal required size of the actual set of the succeeded indexes for the Job. */
  succeededCount?: Int32 | undefined;
  /** succeededIndexes specifies the set of indexes which need to be contained in the actual set of the succeeded indexes for the Job. */
  succeededIndexes?: string | undefined;
}

/** UncountedTerminatedPods holds UIDs of Pods that have terminated but haven't been accounted in Job status counters. */
export interface UncountedTerminatedPods {
  /** failed holds UIDs of failed Pods. */
  failed?: string[] | undefined;
  /** succeeded holds UIDs of succeeded Pods. */
  succeeded?: string[] | undefined;
}
