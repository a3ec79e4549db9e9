import { container, create, lateImage, probedContainer, refs, untilPod, type Scenario } from '../scenario.ts';

const pods = [{ kind: 'Pod' }];
/**
 * A kubelet shows the back-off when it looks at the Pod again, which is when the first one ends; the pretended node shows it at once. So a
 * Pod that is deleted meanwhile is the same in the end only.
 */
const ended = [{ kind: 'Pod', compare: 'final' }] as const;
const gone = { untilGone: 'Pod' };
const remove = { remove: refs.pod };
const other = container('other');

/** Containers of one Pod: how they start, end and are started again. */
export const containers: readonly Scenario[] = [
  {
    name: 'a Pod ends within its grace period',
    watch: pods,
    steps: [create.pod(), untilPod({ Ready: 'True' }), remove, gone],
  },
  {
    name: 'a Pod is deleted by force',
    watch: pods,
    steps: [create.pod(), untilPod({ Ready: 'True' }), { ...remove, graceSeconds: 0 }, gone],
  },
  {
    name: 'a Pod is deleted before its containers can start',
    watch: pods,
    unpushed: [lateImage],
    steps: [
      create.pod({ containers: [container('main', { image: lateImage })] }),
      untilPod({ main: 'ImagePullBackOff' }),
      remove,
      gone,
    ],
  },
  {
    name: 'a container that crashes is started again at once, and then after a back-off',
    watch: pods,
    exits: { main: [3, 3] },
    steps: [create.pod(), untilPod({ main: 'running, ready, started', 'main restarts': '2' })],
  },
  {
    name: 'a Pod is deleted during a back-off',
    watch: ended,
    exits: { main: [3, 3] },
    steps: [
      create.pod(),
      untilPod({ main: 'running, ready, started', 'main restarts': '1' }),
      untilPod({ main: 'running, ready, started' }, 0),
      remove,
      gone,
    ],
  },
  {
    name: 'one of two containers crashes',
    watch: pods,
    steps: [
      create.pod({ containers: [container('main'), other] }),
      untilPod({ Ready: 'True' }),
      { exit: 'other', code: 3 },
      untilPod({ Ready: 'True', 'other restarts': '1' }),
    ],
  },
  {
    name: 'a container fails in a Pod that is never restarted',
    watch: pods,
    exits: { main: [3] },
    steps: [create.pod({ restartPolicy: 'Never' }), untilPod({ phase: 'Failed' })],
  },
  {
    name: 'a container fails beside one that runs on, in a Pod that is never restarted',
    watch: pods,
    exits: { main: [3] },
    steps: [
      create.pod({ restartPolicy: 'Never', containers: [container('main'), container('other')] }),
      untilPod({ main: 'Error 3' }),
      { exit: 'other', code: 0 },
      untilPod({ phase: 'Failed' }),
    ],
  },
  {
    name: 'a container fails once in a Pod that is restarted on failure',
    watch: pods,
    exits: { main: [3, 0] },
    steps: [create.pod({ restartPolicy: 'OnFailure' }), untilPod({ phase: 'Succeeded' })],
  },
  {
    name: 'an init container fails in a Pod that is never restarted',
    watch: pods,
    exits: { first: [3] },
    steps: [
      create.pod({ restartPolicy: 'Never', initContainers: [container('first')] }),
      untilPod({ phase: 'Failed' }),
    ],
  },
  {
    name: 'an init container fails once in a Pod that is always restarted',
    watch: pods,
    exits: { first: [3, 0] },
    steps: [create.pod({ initContainers: [container('first')] }), untilPod({ Ready: 'True' })],
  },
  {
    name: 'a Pod is deleted during a back-off of an init container',
    watch: ended,
    exits: { first: [3, 3] },
    steps: [
      create.pod({ initContainers: [container('first')] }),
      untilPod({ first: 'running, started', 'first restarts': '1' }),
      untilPod({ first: 'running, started' }, 0),
      remove,
      gone,
    ],
  },
  {
    name: 'an init container, then a sidecar, then the containers',
    watch: pods,
    exits: { first: [0] },
    steps: [
      create.pod({ initContainers: [container('first'), container('sidecar', { restartPolicy: 'Always' })] }),
      untilPod({ Ready: 'True' }),
      remove,
      gone,
    ],
  },
  {
    name: 'an image that cannot be pulled, until it is pushed',
    watch: pods,
    unpushed: [lateImage],
    steps: [
      create.pod({ containers: [container('main', { image: lateImage })] }),
      untilPod({ main: 'ImagePullBackOff' }),
      { push: lateImage },
      untilPod({ Ready: 'True' }),
    ],
  },
  {
    name: 'a ConfigMap of the environment is missing, until it is created',
    watch: pods,
    steps: [
      create.pod({
        containers: [
          container('main', {
            env: [{ name: 'LEVEL', valueFrom: { configMapKeyRef: { name: 'late', key: 'level' } } }],
          }),
        ],
      }),
      untilPod({ main: 'CreateContainerConfigError' }),
      create.any('v1', 'ConfigMap', 'late', { data: { level: 'debug' } }),
      untilPod({ Ready: 'True' }),
    ],
  },
  {
    name: 'a Secret of a volume is missing, until it is created',
    watch: pods,
    steps: [
      create.pod({ volumes: [{ name: 'late', secret: { secretName: 'late' } }] }),
      untilPod({ main: 'ContainerCreating' }),
      create.any('v1', 'Secret', 'late'),
      untilPod({ Ready: 'True' }),
    ],
  },
  {
    name: 'a Pod is active longer than its deadline',
    watch: pods,
    steps: [create.pod({ activeDeadlineSeconds: 4 }), untilPod({ phase: 'Failed', main: 'Completed 0' })],
  },
  {
    name: 'a readiness probe succeeds late, and fails again',
    watch: pods,
    probed: ['pod'],
    steps: [
      create.pod({ containers: [probedContainer] }),
      untilPod({ main: 'running, started' }),
      { probe: 'pod', succeeds: true },
      untilPod({ Ready: 'True' }),
      { probe: 'pod', succeeds: false },
      untilPod({ Ready: 'False ContainersNotReady' }),
    ],
  },
];
