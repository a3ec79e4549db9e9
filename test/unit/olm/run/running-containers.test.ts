import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../../src/sdk/api/index.ts';
import type { Judgement } from '../../../../src/olm/run/judgement.ts';
import { ObservedObjects } from '../../../../src/olm/run/observed.ts';
import { judgeRunning } from '../../../../src/olm/run/judge-installation.ts';
import { ago, available, deployment, namespace, now, object, pod } from './objects.ts';

const judge = (...objects: KubeObject[]): Judgement | undefined =>
  judgeRunning(new ObservedObjects(objects), { names: ['web'], namespace, now });

const probed = (probe: object = {}): KubeObject =>
  object('Deployment', 'web', {
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { spec: { containers: [{ name: 'manager', readinessProbe: probe }] } },
    },
  });
const plain = deployment(available);
const web = (state: object, more: Readonly<Record<string, unknown>> = {}): KubeObject =>
  pod('web-1', { labels: { app: 'web' }, ready: true, state, ...more });
const running = (seconds: number) => ({ running: { startedAt: ago(seconds) } });
const ended = (seconds: number, ranFor: number, more: object = {}) => ({
  restartCount: 1,
  lastState: {
    terminated: { exitCode: 1, finishedAt: ago(seconds), startedAt: ago(seconds + ranFor), ...more },
  },
});

describe('containers keep running', () => {
  test.each([
    ['without a probe, for long enough', plain, web(running(11))],
    ['with a probe, from the moment on that they are ready', probed(), web(running(1))],
    ['after a restart, for longer than before it', plain, web(running(30), ended(31, 5))],
    ['after a restart in a former run of a minute', plain, web(running(70), ended(71, 600))],
    ['where nothing says since when', plain, web({ running: {} })],
  ])('%s', (_, workload, seen) => {
    expect(judge(workload, seen)).toBeUndefined();
  });

  test('where an evicted Pod has been replaced', () => {
    const evicted = pod('web-0', { labels: { app: 'web' }, phase: 'Failed', state: { terminated: {} } });
    expect(judge(plain, evicted, web(running(11)))).toBeUndefined();
  });
});

describe('containers have to prove themselves', () => {
  test.each([
    [
      'without a probe, at their start',
      plain,
      web(running(2)),
      'has just been started, and has to run for 10 s',
    ],
    ['after a restart', plain, web(running(9), ended(10, 2)), 'was restarted, and has to run for 10 s'],
    [
      'after a restart, with a probe',
      probed(),
      web(running(12), ended(13, 20)),
      'was restarted, and has to run for 25 s',
    ],
    ['after their end with exit code 0', plain, web({ terminated: { exitCode: 0 } }), 'has ended'],
  ])('%s', (_, workload, seen, line) => {
    expect(judge(workload, seen)).toEqual({
      state: 'waiting',
      step: 'rollout',
      line: `waiting for Deployment web: container manager of Pod web-1 ${line}`,
    });
  });

  test('a crash loop is the cause, with its exit code and its log', () => {
    const loop = web(
      { waiting: { reason: 'CrashLoopBackOff' } },
      { ready: false, ...ended(3, 2, { exitCode: 137, reason: 'OOMKilled' }) },
    );
    expect(judge(plain, loop)).toMatchObject({
      state: 'failed',
      finding: {
        code: 'olm/operator-failing',
        message: expect.stringMatching(/exit code 137 \(OOMKilled/),
        log: { pod: 'web-1', namespace, container: 'manager', previous: true },
      },
    });
  });
});
