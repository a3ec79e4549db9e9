import { container, create, lateImage, probedContainer, refs, untilPod, type Scenario } from '../scenario.ts';

const pods = { kind: 'Pod' };
/** States in between depend on when the controller looks at its Pods: those of a busy machine may be ready before it has counted them. */
const deployment = { kind: 'Deployment', without: ['observed'], compare: 'final' } as const;

/** So do those of a StatefulSet, which writes its status before and after it creates a Pod. */
const statefulSet = { kind: 'StatefulSet', compare: 'final' } as const;

/** Deployments and StatefulSets. */
export const workloads: readonly Scenario[] = [
  {
    name: 'a Deployment rolls out',
    watch: [pods, deployment],
    steps: [
      create.workload('Deployment', { replicas: 1 }),
      { until: 'Deployment', shows: { available: '1', Progressing: 'True NewReplicaSetAvailable' } },
    ],
  },
  {
    name: 'a Deployment is updated, with one Pod unavailable at a time',
    watch: [pods, deployment],
    steps: [
      create.workload('Deployment', {
        replicas: 2,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
      }),
      { until: 'Deployment', shows: { available: '2', Progressing: 'True NewReplicaSetAvailable' } },
      {
        patch: refs.deployment,
        with: { spec: { template: { metadata: { labels: { app: 'web', release: '2' } } } } },
      },
      {
        until: 'Deployment',
        shows: { observed: '2', updated: '2', available: '2', replicas: '2', terminating: '-' },
      },
      { until: 'Deployment', shows: { Progressing: 'True NewReplicaSetAvailable' } },
    ],
  },
  {
    name: 'a Deployment whose image cannot be pulled exceeds its deadline',
    watch: [pods, deployment],
    unpushed: [lateImage],
    steps: [
      create.workload(
        'Deployment',
        { replicas: 1, progressDeadlineSeconds: 4 },
        { containers: [container('main', { image: lateImage })] },
      ),
      untilPod({ main: 'ImagePullBackOff' }),
      { until: 'Deployment', shows: { Progressing: 'False ProgressDeadlineExceeded' } },
    ],
  },
  {
    name: 'a StatefulSet starts its Pods in order, and ends them in reverse order',
    watch: [{ kind: 'Pod', compare: 'order' }, statefulSet],
    steps: [
      create.workload('StatefulSet', { replicas: 2, serviceName: 'web' }),
      { until: 'StatefulSet', shows: { available: '2' } },
      { patch: refs.statefulSet, with: { spec: { replicas: 0 } } },
      { untilGone: 'Pod' },
      { until: 'StatefulSet', shows: { replicas: '-' } },
    ],
  },
  {
    name: 'a StatefulSet waits for a Pod that is not ready',
    watch: [{ kind: 'Pod', compare: 'order' }, statefulSet],
    probed: ['web-0', 'web-1'],
    steps: [
      create.workload('StatefulSet', { replicas: 2, serviceName: 'web' }, { containers: [probedContainer] }),
      untilPod({ main: 'running, started' }),
      { probe: 'web-0', succeeds: true },
      untilPod({ Ready: 'True' }),
      untilPod({ main: 'running, started' }),
    ],
  },
  {
    name: 'a HorizontalPodAutoscaler without metrics leaves its Deployment as it is',
    watch: [{ kind: 'HorizontalPodAutoscaler' }, deployment],
    steps: [
      create.workload('Deployment', { replicas: 2 }),
      { until: 'Deployment', shows: { available: '2', Progressing: 'True NewReplicaSetAvailable' } },
      create.any('autoscaling/v2', 'HorizontalPodAutoscaler', 'web', {
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
          minReplicas: 1,
          maxReplicas: 5,
          metrics: [
            {
              type: 'Resource',
              resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
            },
          ],
        },
      }),
      { until: 'HorizontalPodAutoscaler', shows: { ScalingActive: 'False FailedGetResourceMetric' } },
    ],
  },
];
