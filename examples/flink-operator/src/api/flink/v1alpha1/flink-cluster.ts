import { defineResource, type CustomResource, type Int32 } from 'opsdk';
import type { FlinkClusterStatus, LogLevel } from '../v1beta1/flink-cluster.ts';

// From hack/flinkclusters-v1alpha1.yaml, by `op-sdk import crd`, with bounds. A session cluster: there are no jobs in this version.

export interface FlinkClusterSpec {
  /**
   * @minimum 1
   * @maximum 1000
   */
  parallelism: Int32;
  /** @minimum 256 */
  jobmanagerMemoryMB: Int32;
  /** @minimum 256 */
  taskManagerMemoryMB: Int32;
  /** @minLength 1 */
  image: string;
  /**
   * @minLength 1
   * @maxLength 253
   */
  configMap: string;
  logLevel: LogLevel;
}

/** FlinkCluster is a session cluster of Apache Flink. */
export interface FlinkCluster extends CustomResource<'flink.apache.org/v1alpha1', 'FlinkCluster'> {
  spec: FlinkClusterSpec;
  status?: FlinkClusterStatus;
}

export const FlinkCluster = defineResource<FlinkCluster>({
  group: 'flink.apache.org',
  version: 'v1alpha1',
  kind: 'FlinkCluster',
  scope: 'Namespaced',
  shortNames: ['fc'],
});
