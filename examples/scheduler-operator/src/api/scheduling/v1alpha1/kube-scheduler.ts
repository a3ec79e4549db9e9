import { defineResource, type Condition, type CustomResource, type Int32, type ListMap } from 'opsdk';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/** KubeSchedulerSpec says how the operator runs the scheduler: what administrators decide. */
export interface KubeSchedulerSpec {
  /**
   * ManagementState says what the operator does: it keeps the scheduler, leaves it alone, or removes it.
   *
   * @default Managed
   */
  managementState?: 'Managed' | 'Unmanaged' | 'Removed';
  /**
   * LogLevel of the scheduler.
   *
   * @default Normal
   */
  logLevel?: 'Normal' | 'Debug' | 'Trace' | 'TraceAll';
  /**
   * Replicas of which one schedules and the others wait.
   *
   * @minimum 1
   * @maximum 5
   * @default 2
   */
  replicas?: Int32;
  /**
   * Image of kube-scheduler, in the version of the cluster.
   *
   * @minLength 1
   */
  image: string;
}

/** KubeSchedulerStatus defines the observed state of KubeScheduler. */
export interface KubeSchedulerStatus {
  /** Profile that the scheduler has. */
  profile?: string;
  /** ReadyReplicas is the number of replicas that are ready. */
  readyReplicas?: Int32;
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
}

/**
 * KubeScheduler is a second scheduler of the cluster, and how the operator runs it.
 *
 * @cel self.metadata.name == 'cluster' : "there is one KubeScheduler, and its name is cluster"
 */
export interface KubeScheduler extends CustomResource<'scheduling.example.com/v1alpha1', 'KubeScheduler'> {
  spec: KubeSchedulerSpec;
  status?: KubeSchedulerStatus;
}

export const KubeScheduler = defineResource<KubeScheduler>({
  group: 'scheduling.example.com',
  version: 'v1alpha1',
  kind: 'KubeScheduler',
  scope: 'Cluster',
  storage: true,
  printerColumns: [
    { name: 'State', type: 'string', jsonPath: '.spec.managementState' },
    { name: 'Profile', type: 'string', jsonPath: '.status.profile' },
    { name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].status' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
});
