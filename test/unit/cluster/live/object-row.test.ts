// The words of the page about Pods, workloads and nodes.
import { expect, test } from 'vitest';
import { describeRow } from '../../../../src/cluster/live/objects/object-row.ts';

function rowOf(apiVersion: string, kind: string, parts: object) {
  const object = { apiVersion, kind, metadata: { name: 'x', namespace: 'shop' }, ...parts };
  return describeRow('id', object, { owner: undefined });
}

const wordsOf = (apiVersion: string, kind: string, parts: object) =>
  rowOf(apiVersion, kind, parts).words?.map(({ text, tone }) => `${tone}: ${text}`);

const ready = [{ type: 'Ready', status: 'True' }];
const container = (rest: object) => ({ name: 'web', image: 'web:1', restartCount: 0, ready: false, ...rest });
const spec = { containers: [{ name: 'web' }, { name: 'proxy' }] };

test.each([
  [
    'that is ready',
    {
      phase: 'Running',
      conditions: ready,
      containerStatuses: [container({ ready: true }), container({ ready: true })],
    },
    ['good: Running', 'good: 2/2 ready'],
  ],
  [
    'that crashes',
    {
      phase: 'Running',
      containerStatuses: [
        container({ ready: true, restartCount: 1 }),
        container({
          restartCount: 2,
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: { terminated: { exitCode: 3 } },
        }),
      ],
    },
    [
      'good: Running',
      'wait: 1/2 ready',
      'wait: 3 restarts',
      'bad: container web: CrashLoopBackOff, it ended with exit code 3',
    ],
  ],
  [
    'that nobody has placed yet',
    { phase: 'Pending' },
    ['wait: Pending', 'wait: 0/2 ready', 'wait: waits to be scheduled on a node'],
  ],
  [
    'whose image is missing',
    {
      phase: 'Pending',
      containerStatuses: [
        container({ state: { waiting: { reason: 'ErrImagePull', message: 'x'.repeat(999) } } }),
      ],
    },
    [
      'wait: Pending',
      'wait: 0/2 ready',
      `bad: ${`container web: ErrImagePull of web:1: ${'x'.repeat(999)}`.slice(0, 300)}`,
    ],
  ],
  [
    'that was evicted',
    { phase: 'Failed', reason: 'Evicted', message: 'memory' },
    ['bad: Failed', 'bad: Evicted: memory'],
  ],
  [
    'that has done its work',
    {
      phase: 'Succeeded',
      conditions: [{ type: 'Ready', status: 'False', reason: 'PodCompleted' }],
      containerStatuses: [container({ state: { terminated: { exitCode: 0 } } })],
    },
    ['good: Succeeded'],
  ],
])('of a Pod %s', (_name, status, words) => {
  expect(wordsOf('v1', 'Pod', { spec, status })).toEqual(words);
  expect(rowOf('v1', 'Pod', { spec, status }).conditions).toEqual([]);
});

test('of workloads: how many of their Pods are ready, beside their conditions', () => {
  const conditions = [{ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' }];
  const deployment = { spec: { replicas: 2 }, status: { readyReplicas: 1, conditions } };
  expect(wordsOf('apps/v1', 'Deployment', deployment)).toEqual(['wait: 1/2 ready']);
  expect(rowOf('apps/v1', 'Deployment', deployment).conditions).toMatchObject(conditions);
  expect(wordsOf('apps/v1', 'StatefulSet', { status: { readyReplicas: 1 } })).toEqual(['good: 1/1 ready']);
  expect(wordsOf('apps/v1', 'ReplicaSet', { spec: { replicas: 0 } })).toEqual(['good: 0/0 ready']);
  const daemons = { status: { numberReady: 1, desiredNumberScheduled: 3 } };
  expect(wordsOf('apps/v1', 'DaemonSet', daemons)).toEqual(['wait: 1/3 ready']);
  expect(wordsOf('batch/v1', 'Job', { status: { active: 1, failed: 10 } })).toEqual([
    'wait: 1 active',
    'bad: 10 failed',
  ]);
});

test('of nodes: whether they are ready, and why not', () => {
  const notReady = { type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown', message: 'no news' };
  expect(wordsOf('v1', 'Node', { status: { conditions: [notReady] } })).toEqual([
    'bad: NotReady (NodeStatusUnknown: no news)',
  ]);
  expect(wordsOf('v1', 'Node', { spec: { unschedulable: true }, status: { conditions: ready } })).toEqual([
    'good: Ready',
    'wait: cordoned',
  ]);
});

test('a custom kind of the same name has conditions only', () => {
  const conditions = [{ type: 'Ready', status: 'True', reason: 'Served', message: '' }, { type: 1 }, 'Ready'];
  const row = rowOf('example.com/v1', 'Pod', { status: { conditions } });
  expect(row).toMatchObject({ conditions: [conditions[0]] });
  expect(row.words).toBeUndefined();
});
