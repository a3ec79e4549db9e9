import {
  defineResource,
  type AtomicList,
  type Condition,
  type CustomResource,
  type DateTime,
  type Int32,
  type Int64,
  type ListMap,
} from 'opsdk';
import type { JobTemplateSpec } from 'opsdk/k8s/batch/v1';
import type { ObjectReference } from 'opsdk/k8s/core/v1';

/** ConcurrencyPolicy describes how the job will be handled. */
export type ConcurrencyPolicy = 'Allow' | 'Forbid' | 'Replace';

/** CronJobSpec defines the desired state of CronJob. */
export interface CronJobSpec {
  /**
   * Schedule in Cron format, see https://en.wikipedia.org/wiki/Cron.
   *
   * @minLength 1
   */
  schedule: string;

  /**
   * StartingDeadlineSeconds is an optional deadline in seconds for starting the job
   * if it misses its scheduled time for any reason.
   *
   * Missed runs count as failed ones.
   *
   * @minimum 0
   * @allow schema/int64-maximum deadlines are short
   */
  startingDeadlineSeconds?: Int64;

  /**
   * ConcurrencyPolicy specifies how to treat concurrent executions of a job.
   *
   * @default Allow
   */
  concurrencyPolicy?: ConcurrencyPolicy;

  /** Suspend tells the controller to suspend subsequent executions. */
  suspend?: boolean;

  /** JobTemplate is the job that will be created. */
  jobTemplate: JobTemplateSpec;

  /**
   * SuccessfulJobsHistoryLimit is the number of successful finished jobs to retain.
   *
   * @minimum 0
   */
  successfulJobsHistoryLimit?: Int32;
}

/** CronJobStatus defines the observed state of CronJob. */
export interface CronJobStatus {
  /**
   * Active is a list of pointers to currently running jobs.
   *
   * @minItems 1
   * @maxItems 10
   */
  active?: AtomicList<ObjectReference>;

  /** LastScheduleTime is when the job was last successfully scheduled. */
  lastScheduleTime?: DateTime;

  /** Conditions represent the current state of the CronJob resource. */
  conditions?: ListMap<Condition, 'type'>;
}

/** CronJob is the Schema for the cronjobs API. */
export interface CronJob extends CustomResource {
  /** Spec defines the desired state of CronJob. */
  spec: CronJobSpec;

  /** Status defines the observed state of CronJob. */
  status?: CronJobStatus;
}

export const CronJob = defineResource<CronJob>({
  group: 'batch.peers.example.com',
  version: 'v1',
  kind: 'CronJob',
  served: false,
  storage: false,
});
