import type { SchedulerProfile, SchedulerSpec } from '../api/scheduling/v1alpha1/scheduler.ts';

/** Settings of the plugins of each profile. Source: kubescheduler.config.k8s.io/v1, and OpenShift's profiles of these names. */
const profiles: Readonly<Record<SchedulerProfile, object>> = {
  LowNodeUtilization: {},
  HighNodeUtilization: {
    plugins: { score: { disabled: [{ name: 'NodeResourcesBalancedAllocation' }] } },
    pluginConfig: [
      {
        name: 'NodeResourcesFit',
        args: { scoringStrategy: { type: 'MostAllocated', resources: resources() } },
      },
    ],
  },
  NoScoring: { plugins: { preScore: { disabled: [{ name: '*' }] }, score: { disabled: [{ name: '*' }] } } },
};

function resources(): readonly object[] {
  return [
    { name: 'cpu', weight: 1 },
    { name: 'memory', weight: 1 },
  ];
}

/** The configuration of kube-scheduler, in the order in which it is written. */
export function schedulerConfiguration(
  {
    profile = 'LowNodeUtilization',
    schedulerName = 'cluster-scheduler',
    percentageOfNodesToScore,
  }: SchedulerSpec,
  namespace: string,
) {
  return {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    leaderElection: { leaderElect: true, resourceNamespace: namespace, resourceName: schedulerName },
    ...(percentageOfNodesToScore !== undefined && { percentageOfNodesToScore }),
    profiles: [{ schedulerName, ...profiles[profile] }],
  };
}
