import { describe, expect, test } from 'vitest';
import { podProblems, type PodLike } from '../../../src/cluster/rollout/pod-problems.ts';
import { imageNotToBePulled } from '../../../src/cluster/rollout/wait-rollout.ts';
import { rolloutStatus } from '../../../src/cluster/rollout/rollout-status.ts';

function stateOf(kind: string, spec: object, status: object, generation = 1): string {
  const workload = { apiVersion: 'apps/v1', kind, metadata: { name: 'web', generation }, spec, status };
  const result = rolloutStatus(workload);
  return result.state === 'done' ? 'done' : `${result.state}: ${result.message}`;
}
const seen = { observedGeneration: 1 };

describe('the rollout of', () => {
  test.each([
    [
      'a status of the past',
      'Deployment',
      {},
      { observedGeneration: 0, updatedReplicas: 1 },
      'waiting: its controller has not seen the change yet',
    ],
    [
      'no Pods yet',
      'Deployment',
      { replicas: 3 },
      { ...seen, updatedReplicas: 1 },
      'waiting: 1 of 3 new replicas exist',
    ],
    [
      'old Pods',
      'Deployment',
      { replicas: 2 },
      { ...seen, updatedReplicas: 2, replicas: 3 },
      'waiting: 1 old replicas have not ended yet',
    ],
    [
      'Pods that are not ready',
      'Deployment',
      {},
      { ...seen, updatedReplicas: 1, replicas: 1 },
      'waiting: 0 of 1 new replicas are available',
    ],
    [
      'ready Pods',
      'Deployment',
      {},
      { ...seen, updatedReplicas: 1, replicas: 1, availableReplicas: 1 },
      'done',
    ],
    ['no replicas', 'Deployment', { replicas: 0 }, seen, 'done'],
    [
      'refused Pods',
      'Deployment',
      {},
      { ...seen, conditions: [{ type: 'ReplicaFailure', status: 'True', message: 'exceeded quota' }] },
      'waiting: exceeded quota',
    ],
    [
      'the deadline',
      'Deployment',
      {},
      {
        ...seen,
        conditions: [
          { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'timed out' },
        ],
      },
      'failed: timed out',
    ],
    [
      'new Pods of a set',
      'DaemonSet',
      {},
      { ...seen, desiredNumberScheduled: 2, updatedNumberScheduled: 1 },
      'waiting: 1 of 2 new Pods exist',
    ],
    [
      'Pods of a set',
      'DaemonSet',
      {},
      { ...seen, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 1 },
      'waiting: 1 of 2 Pods are available',
    ],
    [
      'Pods of a set that runs',
      'DaemonSet',
      {},
      { ...seen, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2 },
      'done',
    ],
    [
      'a set that waits for people',
      'DaemonSet',
      { updateStrategy: { type: 'OnDelete' } },
      { ...seen, desiredNumberScheduled: 2 },
      'done',
    ],
    [
      'Pods one by one',
      'StatefulSet',
      { replicas: 2 },
      { ...seen, readyReplicas: 1 },
      'waiting: 1 of 2 Pods are ready',
    ],
    [
      'a new revision',
      'StatefulSet',
      { replicas: 1 },
      { ...seen, readyReplicas: 1, updatedReplicas: 0, currentRevision: 'a', updateRevision: 'b' },
      'waiting: 0 of 1 new Pods exist',
    ],
    [
      'the same revision',
      'StatefulSet',
      { replicas: 1 },
      { ...seen, readyReplicas: 1, currentRevision: 'b', updateRevision: 'b' },
      'done',
    ],
    [
      'a partition',
      'StatefulSet',
      { replicas: 3, updateStrategy: { rollingUpdate: { partition: 2 } } },
      { ...seen, readyReplicas: 3, updatedReplicas: 1, currentRevision: 'a', updateRevision: 'b' },
      'done',
    ],
    [
      'a partition that waits',
      'StatefulSet',
      { replicas: 3, updateStrategy: { rollingUpdate: { partition: 1 } } },
      { ...seen, readyReplicas: 3, updatedReplicas: 1 },
      'waiting: 1 of 2 new Pods exist',
    ],
  ])('%s', (_, kind, spec, status, expected) => {
    expect(stateOf(kind, spec, status)).toBe(expected);
  });
});

function problems(status: object): readonly string[] {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, status } as unknown as PodLike;
  return podProblems(pod).map(({ kind, message }) => `${kind}: ${message}`);
}
const one = (container: object): object => ({
  containerStatuses: [{ name: 'main', image: 'x:v1', ...container }],
});

describe('what keeps a Pod from being ready', () => {
  test.each([
    ['nothing', { conditions: [{ type: 'Ready', status: 'True' }], ...one({ ready: true }) }, []],
    [
      'no node',
      {
        conditions: [
          { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes' },
        ],
      },
      ['unschedulable: no node accepts it: 0/1 nodes'],
    ],
    ['no scheduler', { phase: 'Pending' }, ['starting: waits to be scheduled on a node']],
    [
      'its image',
      one({ state: { waiting: { reason: 'ErrImagePull', message: 'not found' } } }),
      ['image: container main: ErrImagePull of x:v1: not found'],
    ],
    [
      'a Secret',
      one({ state: { waiting: { reason: 'CreateContainerConfigError', message: 'secret "s" not found' } } }),
      ['config: container main: CreateContainerConfigError: secret "s" not found'],
    ],
    [
      'a crash',
      one({ state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated: { exitCode: 1 } } }),
      ['crash: container main: CrashLoopBackOff, it ended with exit code 1'],
    ],
    [
      'a crash with last words',
      one({
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated: { exitCode: 1, message: 'no such Secret\n' } },
      }),
      ['crash: container main: CrashLoopBackOff, it ended with exit code 1: no such Secret'],
    ],
    [
      'an end',
      one({ state: { terminated: { exitCode: 2, reason: 'Error' } } }),
      ['crash: container main ended with exit code 2: Error'],
    ],
    [
      'a container that ended, with what it wrote for this purpose',
      {
        containerStatuses: [
          { name: 'main', state: { terminated: { exitCode: 2, message: 'no such file\n' } } },
        ],
      },
      ['crash: container main ended with exit code 2: no such file'],
    ],
    [
      'a Pod that failed by its container',
      {
        phase: 'Failed',
        containerStatuses: [{ name: 'main', state: { terminated: { exitCode: 2, reason: 'Error' } } }],
      },
      ['crash: container main ended with exit code 2: Error'],
    ],
    [
      'an eviction',
      { phase: 'Failed', reason: 'Evicted', message: 'no space' },
      ['crash: Evicted: no space'],
    ],
    [
      'its probe',
      one({ state: { running: {} }, ready: false, restartCount: 2 }),
      [
        'not-ready: container main runs and has been restarted 2 times, but is not ready: its readiness probe does not succeed',
      ],
    ],
    [
      'an init container',
      {
        initContainerStatuses: [
          { name: 'done', state: { terminated: { exitCode: 0 } } },
          { name: 'init', state: { waiting: { reason: 'ImagePullBackOff' } }, image: 'y' },
        ],
        ...one({ state: { waiting: { reason: 'PodInitializing' } } }),
      },
      ['image: container init: ImagePullBackOff of y', 'starting: container main: PodInitializing'],
    ],
  ])('%s', (_, status, expected) => {
    expect(problems(status)).toEqual(expected);
  });
});

describe('an image that will not come by itself', () => {
  const waiting = (reason: string, message = ''): PodLike => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    status: one({ state: { waiting: { reason, message } } }),
  });
  const containerd = 'failed to pull and unpack image "r.example.com/a:v1": failed to resolve reference';

  test.each([
    ['ErrImagePull', `rpc error: code = NotFound desc = ${containerd} "r.example.com/a:v1": not found`],
    [
      'ImagePullBackOff',
      `Back-off pulling image "r.example.com/a:v1": ErrImagePull: ${containerd}: unexpected status from HEAD request to https://r.example.com/v2/a/manifests/v1: 401 Unauthorized`,
    ],
    [
      'ErrImagePull',
      `${containerd}: pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed`,
    ],
    ['ErrImagePull', 'no match for platform in manifest: not found'],
    ['ErrImagePull', 'reading manifest v1 in r.example.com/a: manifest unknown'],
    ['InvalidImageName', 'couldn\'t parse image reference "A B"'],
    ['ErrImageNeverPull', 'Container image "x:v1" is not present with pull policy of Never'],
  ])('%s: %s', (reason, message) => {
    expect(imageNotToBePulled(waiting(reason, message))).toBe('x:v1');
  });

  test.each([
    ['ImagePullBackOff', 'Back-off pulling image "r.example.com/a:v1"'],
    [
      'ErrImagePull',
      `${containerd}: failed to do request: Head "https://r.example.com/v2/": dial tcp: lookup r.example.com: no such host`,
    ],
    ['ErrImagePull', `${containerd}: Head "https://r.example.com/v2/": net/http: TLS handshake timeout`],
    ['ErrImagePull', `${containerd}: unexpected status from HEAD request: 503 Service Unavailable`],
    [
      'ErrImagePull',
      'toomanyrequests: You have reached your unauthenticated pull rate limit. 429 Too Many Requests; access denied',
    ],
    ['RegistryUnavailable', 'image pull failed because the registry is unavailable'],
    ['CreateContainerConfigError', 'secret "s" not found'],
    ['ContainerCreating', ''],
  ])('not %s: %s', (reason, message) => {
    expect(imageNotToBePulled(waiting(reason, message))).toBeUndefined();
  });
});
