import { container, create, lateImage, podSpec, refs, untilPod, type Scenario } from '../scenario.ts';

// `ready` counts Pods that the controller has seen ready, which those that end soon may never have been for it; `active` and
// `terminating` follow when the controller looks. What is left is in order.
const job = { kind: 'Job', without: ['ready', 'terminating'] };
const pods = { kind: 'Pod' };

/** Jobs and CronJobs. */
export const jobs: readonly Scenario[] = [
  {
    name: 'a Job succeeds',
    watch: [pods, job],
    exits: { main: [0] },
    steps: [create.job({}), { until: 'Job', shows: { succeeded: '1', Complete: 'True CompletionsReached' } }],
  },
  {
    name: 'a Job fails when its Pods have failed too often',
    watch: [pods, job],
    exits: { main: [3] },
    steps: [
      create.job({ backoffLimit: 1 }),
      { until: 'Job', shows: { failed: '2', Failed: 'True BackoffLimitExceeded' } },
    ],
  },
  {
    name: 'a Job with three completions, two at once',
    // The Pods end in any order, so that counts in between differ.
    watch: [pods, { ...job, compare: 'final' }],
    exits: { main: [0] },
    steps: [
      create.job({ completions: 3, parallelism: 2 }),
      { until: 'Job', shows: { succeeded: '3', Complete: 'True CompletionsReached' } },
    ],
  },
  {
    name: 'a Job is active longer than its deadline',
    // A pretended container of a Job ends by itself, so this one cannot start. A kubelet shows that it waits for another try after ten
    // seconds, the pretended node at once; the Job is deleted and fails in an order that depends on timing.
    unpushed: [lateImage],
    watch: [
      { ...pods, compare: 'final' },
      { ...job, compare: 'final' },
    ],
    steps: [
      create.job({ activeDeadlineSeconds: 4 }, { containers: [container('main', { image: lateImage })] }),
      { until: 'Job', shows: { failed: '1', Failed: 'True DeadlineExceeded' } },
    ],
  },
  {
    name: 'a sidecar of a Job ends after its container',
    watch: [pods, job],
    exits: { main: [0] },
    steps: [
      create.job({}, { initContainers: [container('sidecar', { restartPolicy: 'Always' })] }),
      untilPod({ phase: 'Succeeded' }),
      { until: 'Job', shows: { Complete: 'True CompletionsReached' } },
    ],
  },
  {
    name: 'a CronJob starts a Job that it has missed',
    watch: [pods, { ...job, compare: 'final' }, { kind: 'CronJob' }],
    exits: { main: [0] },
    steps: [
      create.any('batch/v1', 'CronJob', 'cron', {
        spec: {
          schedule: '0 0 1 1 *',
          suspend: true,
          jobTemplate: { spec: { template: { spec: podSpec({ restartPolicy: 'Never' }) } } },
        },
      }),
      // It was due on the first of January since then.
      {
        patch: refs.cronJob,
        with: { status: { lastScheduleTime: '2024-12-31T00:00:00Z' } },
        subresource: 'status',
      },
      { patch: refs.cronJob, with: { spec: { suspend: false } } },
      { until: 'CronJob', shows: { succeeded: 'true', active: '-' } },
    ],
  },
];
