import { defineConversion } from 'opsdk';
import { FlinkCluster } from '../../api/flink/v1beta1/flink-cluster.ts';
import { FlinkCluster as FlinkClusterV1alpha1 } from '../../api/flink/v1alpha1/flink-cluster.ts';

/** v1alpha1 has no job and no slots: they are kept in an annotation when a v1beta1 object is written as v1alpha1. */
export const flinkClusterConversion = defineConversion(FlinkCluster).spoke(FlinkClusterV1alpha1, {
  to: ({ spec: { jobmanagerMemoryMB, taskManagerMemoryMB, ...rest }, status }) => ({
    spec: {
      ...rest,
      job: undefined,
      jobManager: { memoryMB: jobmanagerMemoryMB },
      taskManagers: { memoryMB: taskManagerMemoryMB, slots: 1 },
    },
    status,
  }),
  from: ({ spec: { image, parallelism, configMap, logLevel, jobManager, taskManagers }, status }) => ({
    spec: {
      ...{ image, parallelism, configMap, logLevel },
      jobmanagerMemoryMB: jobManager.memoryMB,
      taskManagerMemoryMB: taskManagers.memoryMB,
    },
    status,
  }),
});
