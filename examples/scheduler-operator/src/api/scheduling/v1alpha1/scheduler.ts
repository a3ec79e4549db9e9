import { defineResource, type CustomResource, type Int32 } from 'opsdk';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/** SchedulerProfile is a set of settings of kube-scheduler that fit together. */
export type SchedulerProfile =
  /** Spreads Pods: nodes with the most free resources come first. */
  | 'LowNodeUtilization'
  /** Packs Pods: nodes with the least free resources come first, so that others become empty. */
  | 'HighNodeUtilization'
  /** Takes the first node that fits, for many short Pods. */
  | 'NoScoring';

/** SchedulerSpec says how Pods are scheduled. */
export interface SchedulerSpec {
  /**
   * Profile is a set of settings that fit together.
   *
   * @default LowNodeUtilization
   */
  profile?: SchedulerProfile;
  /**
   * SchedulerName is the name by which Pods ask for this scheduler in `spec.schedulerName`.
   *
   * @pattern ^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$
   * @maxLength 253
   * @default cluster-scheduler
   * @cel self != 'default-scheduler' : "default-scheduler is the scheduler of the control plane"
   */
  schedulerName?: string;
  /**
   * PercentageOfNodesToScore ends the search for a node early. Default: by the size of the cluster.
   *
   * @minimum 1
   * @maximum 100
   */
  percentageOfNodesToScore?: Int32;
}

/**
 * Scheduler is how Pods are scheduled: what users of the cluster decide.
 *
 * @cel self.metadata.name == 'cluster' : "there is one Scheduler, and its name is cluster"
 */
export interface Scheduler extends CustomResource<'scheduling.example.com/v1alpha1', 'Scheduler'> {
  spec: SchedulerSpec;
}

export const Scheduler = defineResource<Scheduler>({
  group: 'scheduling.example.com',
  version: 'v1alpha1',
  kind: 'Scheduler',
  scope: 'Cluster',
  storage: true,
  printerColumns: [
    { name: 'Profile', type: 'string', jsonPath: '.spec.profile' },
    { name: 'SchedulerName', type: 'string', jsonPath: '.spec.schedulerName' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
});
