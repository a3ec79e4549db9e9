import { defineResource, type AtomicList, type CustomResource, type DateTime } from 'opsdk';
import type { NodeAffinity, PersistentVolumeClaimSpec, PodTemplateSpec } from 'opsdk/k8s/core/v1';

/**
 * CronField is a field of a Cron schedule.
 *
 * @pattern ^[0-9*\/,-]+$
 */
export type CronField = string;

/**
 * CronSchedule is a schedule in parts; a part that is missing stands for every value.
 *
 * @minProperties 1
 */
export interface CronSchedule {
  /** Minute of the hour. */
  minute?: CronField;

  /** Hour of the day. */
  hour?: CronField;

  dayOfMonth?: CronField;
}

/** CronJobSpec defines the desired state of CronJob. */
export interface CronJobSpec {
  /** Schedule in parts. */
  schedule: CronSchedule;

  /** Template of the pod that is run. */
  template: PodTemplateSpec;

  /** VolumeClaims are made before the first run. */
  volumeClaims?: AtomicList<PersistentVolumeClaimSpec>;

  /** NodeAffinity chooses the nodes. */
  nodeAffinity?: NodeAffinity;
}

/** CronJobStatus defines the observed state of CronJob. */
export interface CronJobStatus {
  /** LastScheduleTime is when the job was last successfully scheduled. */
  lastScheduleTime?: DateTime;
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
  version: 'v2',
  kind: 'CronJob',
  storage: true,
  printerColumns: [{ name: 'Last', type: 'date', jsonPath: '.status.lastScheduleTime' }],
});
