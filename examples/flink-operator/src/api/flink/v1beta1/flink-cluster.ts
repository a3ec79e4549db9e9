import { defineResource, type Condition, type CustomResource, type Int32, type ListMap } from 'opsdk';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

export type LogLevel = 'TRACE' | 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';

/** FlinkJob is a job that the cluster runs. */
export interface FlinkJob {
  /**
   * Jar is the name of a file in `/opt/flink/usrlib` of the image.
   *
   * @pattern ^[A-Za-z0-9._-]+\.jar$
   * @maxLength 200
   */
  jar: string;
  /**
   * EntryClass is the class with `main`. Default: that of the jar's manifest.
   *
   * @maxLength 500
   */
  entryClass?: string;
  /**
   * Args of `main`.
   *
   * @maxItems 100
   */
  args?: string[];
}

/** FlinkProcess is what each process of a kind gets. */
export interface FlinkProcess {
  /**
   * MemoryMB is the memory of the process in megabytes, all of it included.
   *
   * @minimum 256
   */
  memoryMB: Int32;
}

/** FlinkTaskManagers are the processes that do the work. */
export interface FlinkTaskManagers extends FlinkProcess {
  /**
   * Slots of each process. There are as many processes as the parallelism asks for.
   *
   * @minimum 1
   * @maximum 64
   * @default 1
   */
  slots?: Int32;
}

/** FlinkClusterSpec defines the desired state of FlinkCluster. */
export interface FlinkClusterSpec {
  /** @minLength 1 */
  image: string;
  /**
   * Parallelism of the cluster: the number of slots that all TaskManagers have together.
   *
   * @minimum 1
   * @maximum 1000
   */
  parallelism: Int32;
  jobManager: FlinkProcess;
  taskManagers: FlinkTaskManagers;
  /**
   * ConfigMap is the name of a ConfigMap whose key `flink.properties` has further settings of Flink.
   *
   * @minLength 1
   * @maxLength 253
   */
  configMap: string;
  /** LogLevel of all processes. */
  logLevel: LogLevel;
  /** Job that the cluster runs. Another one takes its place once it has ended. Without it, this is a session cluster. */
  job?: FlinkJob;
}

/** FlinkClusterStatus defines the observed state of FlinkCluster. */
export interface FlinkClusterStatus {
  /** TaskManagers that are ready. */
  taskManagers?: Int32;
  /** JobId is the id of the job that was submitted, in hexadecimal. */
  jobId?: string;
  /** JobState is Flink's state of the job, such as `RUNNING`. */
  jobState?: string;
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
}

/** FlinkCluster is a cluster of Apache Flink, with at most one job. */
export interface FlinkCluster extends CustomResource<'flink.apache.org/v1beta1', 'FlinkCluster'> {
  spec: FlinkClusterSpec;
  status?: FlinkClusterStatus;
}

export const FlinkCluster = defineResource<FlinkCluster>({
  group: 'flink.apache.org',
  version: 'v1beta1',
  kind: 'FlinkCluster',
  scope: 'Namespaced',
  storage: true,
  shortNames: ['fc'],
  printerColumns: [
    { name: 'Parallelism', type: 'integer', jsonPath: '.spec.parallelism' },
    { name: 'TaskManagers', type: 'integer', jsonPath: '.status.taskManagers' },
    { name: 'Job', type: 'string', jsonPath: '.status.jobState' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
});
