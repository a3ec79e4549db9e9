// What becomes of the Pods of tests, on a real API server: a stand-in for the node says it, and serves their logs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Pod, ResourceQuota } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../../src/sdk/kube/index.ts';
import { eventually } from '../../../../src/testing/index.ts';
import {
  sharedControlPlane,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../helpers/control-plane.ts';
import { clientOf } from '../../cluster/helpers.ts';
import { container, ended, leftIn, nameOf, pass, passed, resultsOf, scorecard, stageOf } from './helpers.ts';
import { standInNode, type Fate } from './stand-in-node.ts';

let plane: SharedControlPlane;
let client: KubeClient;
beforeAll(async () => {
  plane = await sharedControlPlane();
  client = await clientOf(plane);
});
afterAll(() => client.close());

test('whatever becomes of a Pod is a result', async () => {
  const namespace = await uniqueNamespace(plane, 'scorecard');
  const two = {
    results: [
      { name: 'one', state: 'pass' },
      { name: 'two', state: 'fail', errors: ['bad \u001b[31m'] },
    ],
  };
  const fates: Readonly<Record<string, Fate>> = {
    two: ended(JSON.stringify(two)),
    garbage: ended('this is not json\n'),
    silence: ended(''),
    crash: ended(Array.from({ length: 30 }, (_, line) => `line ${line}\n`).join(''), 3),
    'pass-and-exit-1': ended(passed('pass-and-exit-1'), 1),
    large: ended(`{"results": [${' '.repeat(4 * 1024 * 1024)}]}`),
    'no-log': ended(undefined),
    untar: {
      status: {
        phase: 'Failed',
        initContainerStatuses: [
          container('scorecard-untar', { terminated: { exitCode: 127, reason: 'StartError' } }),
        ],
        containerStatuses: [container('scorecard-test', { waiting: { reason: 'PodInitializing' } })],
      },
      logs: { 'scorecard-untar': 'tar: not found\n' },
    },
    evicted: { status: { phase: 'Failed', reason: 'Evicted', message: 'the node was low on memory' } },
    'invalid-image': {
      status: {
        phase: 'Pending',
        containerStatuses: [container('scorecard-test', { waiting: { reason: 'InvalidImageName' } })],
      },
    },
  };
  await using node = await standInNode(client, namespace, (pod) => fates[nameOf(pod)]);
  const run = await scorecard({
    namespace,
    stages: [stageOf(true, ...Object.keys(fates))],
    // Nothing here waits for the end of this time.
    flags: ['-o', 'json', '-w', '20m'],
  });
  expect([run.code, node.taken.length]).toEqual([1, Object.keys(fates).length]);
  const lastLines = Array.from({ length: 20 }, (_, line) => `line ${line + 10}\n`).join('');
  const protocol = [expect.stringContaining('print one JSON document and nothing else')];
  const none = { creationTimestamp: null };
  expect(resultsOf(run)).toEqual([
    { ...none, name: 'one', state: 'pass' },
    { ...none, name: 'two', state: 'fail', errors: ['bad \u001b[31m'] },
    {
      ...none,
      name: 'garbage',
      state: 'error',
      log: 'this is not json\n',
      errors: ['the log of container scorecard-test is not JSON'],
      suggestions: protocol,
    },
    {
      ...none,
      name: 'silence',
      state: 'error',
      errors: ['the log of container scorecard-test is empty'],
      suggestions: protocol,
    },
    {
      ...none,
      name: 'crash',
      state: 'error',
      log: lastLines,
      errors: [
        'container scorecard-test ended with exit code 3: Error',
        'the log of container scorecard-test is not JSON',
      ],
      suggestions: protocol,
    },
    { ...none, name: 'pass-and-exit-1', state: 'pass' },
    {
      ...none,
      name: 'large',
      state: 'error',
      log: `${' '.repeat(7998)}]}\n`,
      errors: ['the log of container scorecard-test has more than 4194304 bytes'],
      suggestions: protocol,
    },
    {
      ...none,
      name: 'no-log',
      state: 'error',
      errors: [
        'the log of container scorecard-test cannot be read',
        expect.stringContaining('the container runtime has no such log'),
      ],
    },
    {
      ...none,
      name: 'untar',
      state: 'error',
      log: 'tar: not found\n',
      errors: ['container scorecard-untar ended with exit code 127: StartError'],
    },
    {
      ...none,
      name: 'evicted',
      state: 'error',
      errors: [expect.stringMatching(/^Pod scorecard-test-\w+: Evicted: the node was low on memory$/)],
    },
    {
      ...none,
      name: 'invalid-image',
      state: 'error',
      errors: ['container scorecard-test (example.com/scorecard-test:v1): InvalidImageName'],
      suggestions: [
        'push the image, and check its name',
        expect.stringContaining('imagePullSecrets'),
        expect.stringContaining('kind load docker-image'),
      ],
    },
  ]);
  expect(await leftIn(client, namespace)).toEqual([]);
});

test('text for a terminal has no control characters', async () => {
  const namespace = await uniqueNamespace(plane, 'scorecard');
  const log = JSON.stringify({
    results: [{ name: 'a', state: 'fail', log: 'x\u001b[2Jy', errors: ['\u0007'] }],
  });
  await using _node = await standInNode(client, namespace, () => ended(log));
  const run = await scorecard({ namespace, stages: [stageOf(false, 'a')] });
  expect(run.stdout).toContain('\tErrors:\n\t\t\\x07\n\tLog:\n\t\tx\\x1b[2Jy\n');
});

describe('the time of a test', () => {
  test('each has its own, and its end is a result', async () => {
    const namespace = await uniqueNamespace(plane, 'scorecard');
    const waiting = { reason: 'ImagePullBackOff', message: 'Back-off pulling image' };
    const fates: Readonly<Record<string, (pod: Pod) => Fate>> = {
      missing: () => ({
        status: { phase: 'Pending', containerStatuses: [container('scorecard-test', { waiting })] },
      }),
      slow: () => ({
        status: {
          phase: 'Running',
          containerStatuses: [
            container('scorecard-test', { running: { startedAt: '2026-01-01T00:00:00Z' } }),
          ],
        },
        logs: { 'scorecard-test': 'still at it\n' },
      }),
      quick: pass,
    };
    await using _node = await standInNode(client, namespace, (pod) => fates[nameOf(pod)]?.(pod));
    const run = await scorecard({
      namespace,
      // The last one begins when the time of the others is over.
      stages: [stageOf(true, 'missing', 'slow'), stageOf(false, 'quick')],
      flags: ['-o', 'json', '-w', '30s'],
    });
    expect(run.code).toBe(1);
    const late = 'the test did not end within 30s';
    expect(resultsOf(run)).toMatchObject([
      {
        name: 'missing',
        state: 'error',
        errors: [
          late,
          'container scorecard-test (example.com/scorecard-test:v1): ImagePullBackOff: Back-off pulling image',
        ],
        suggestions: [
          'push the image, and check its name',
          expect.stringContaining('imagePullSecrets'),
          expect.stringContaining('kind load docker-image'),
        ],
      },
      {
        name: 'slow',
        state: 'error',
        errors: [late, 'container scorecard-test is still running'],
        log: 'still at it\n',
      },
      { name: 'quick', state: 'pass' },
    ]);
    expect(await leftIn(client, namespace)).toEqual([]);
  });

  test('without a node', async () => {
    const namespace = await uniqueNamespace(plane, 'scorecard');
    const run = await scorecard({ namespace, stages: [stageOf(false, 'a')], flags: ['-ojson', '-w', '1s'] });
    expect(resultsOf(run)).toMatchObject([
      {
        state: 'error',
        errors: [
          'the test did not end within 1s',
          expect.stringContaining('waits to be scheduled on a node'),
        ],
      },
    ]);
  });
});

test('a Pod that is refused although its dry run was not', async () => {
  const namespace = await uniqueNamespace(plane, 'scorecard');
  const key = { name: 'one', namespace };
  await client.create(ResourceQuota, { metadata: key, spec: { hard: { pods: '1' } } });
  const isKnown = async (): Promise<boolean> =>
    (await client.get(ResourceQuota, key)).status?.hard?.['pods'] === '1';
  await eventually(isKnown, { timeout: 90_000, interval: 50 });
  const run = await scorecard({
    namespace,
    stages: [stageOf(true, 'a', 'b')],
    flags: ['-o', 'json', '-w', '1s'],
  });
  const all = resultsOf(run).map(({ errors }) => (errors as string[]).join(' '));
  expect(all.toSorted()).toEqual([
    expect.stringMatching(/^the Pod was not created .* exceeded quota/),
    expect.stringContaining('the test did not end within 1s'),
  ]);
  expect(await leftIn(client, namespace)).toEqual([]);
});
