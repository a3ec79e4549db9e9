import { create, untilPod, type Scenario } from '../scenario.ts';

const pods = { kind: 'Pod' };
const unschedulable = untilPod({ PodScheduled: 'False Unschedulable' });
const volume = {
  accessModes: ['ReadWriteOnce'],
  storageClassName: '$NS',
};

/** Pods and their node: scheduling, volumes and evictions. */
export const nodes: readonly Scenario[] = [
  {
    name: 'a Pod waits for the label of a node',
    watch: [pods],
    steps: [
      create.pod({ nodeSelector: { 'agreement.example.com/$NS': 'yes' } }),
      unschedulable,
      { node: { metadata: { labels: { 'agreement.example.com/$NS': 'yes' } } } },
      untilPod({ Ready: 'True' }),
    ],
    after: [{ node: { metadata: { labels: { 'agreement.example.com/$NS': null } } } }],
  },
  {
    name: 'a Pod waits for its claim to be bound',
    watch: [pods, { kind: 'PersistentVolumeClaim' }],
    steps: [
      create.any('v1', 'PersistentVolumeClaim', 'data', {
        spec: { ...volume, resources: { requests: { storage: '1Gi' } } },
      }),
      create.pod({ volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] }),
      unschedulable,
      create.any('v1', 'PersistentVolume', '$NS', {
        spec: {
          ...volume,
          capacity: { storage: '1Gi' },
          hostPath: { path: '/tmp' },
        },
      }),
      untilPod({ Ready: 'True' }),
    ],
    after: [{ remove: { apiVersion: 'v1', kind: 'PersistentVolume', name: '$NS' } }],
  },
  {
    name: 'a taint evicts a Pod',
    watch: [pods],
    steps: [
      create.pod({ tolerations: [] }),
      untilPod({ Ready: 'True' }),
      { node: { spec: { taints: [{ key: 'agreement', value: 'yes', effect: 'NoExecute' }] } } },
      { untilGone: 'Pod' },
    ],
    after: [{ node: { spec: { taints: [] } } }],
  },
  {
    name: 'a disruption budget refuses an eviction, and then allows it',
    watch: [pods, { kind: 'PodDisruptionBudget' }],
    steps: [
      create.pod({}, { labels: { app: 'kept' } }),
      untilPod({ Ready: 'True' }),
      create.any('policy/v1', 'PodDisruptionBudget', 'kept', {
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'kept' } } },
      }),
      { until: 'PodDisruptionBudget', shows: { healthy: '1', DisruptionAllowed: 'False InsufficientPods' } },
      { evict: 'pod', isRefused: true },
      {
        patch: { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', name: 'kept' },
        with: { spec: { minAvailable: 0 } },
      },
      { until: 'PodDisruptionBudget', shows: { allowed: '1' } },
      { evict: 'pod', isRefused: false },
      { untilGone: 'Pod' },
    ],
  },
];
