// Failed programs of Pods, from the statuses that a kubelet writes.
import { describe, expect, test } from 'vitest';
import { programFailures } from '../../../../src/cli/actions/dev/show-programs.ts';
import type { ContainerState, Pod } from '../../../../src/sdk/k8s/generated/core/v1.ts';

const podWith = (state: ContainerState, lastState: ContainerState = {}, metadata: object = {}): Pod =>
  ({
    metadata: { namespace: 'default', name: 'web', uid: '1', ...metadata },
    status: { containerStatuses: [{ name: 'c', state, lastState }] },
  }) as unknown as Pod;

const texts = (pod: Pod): readonly string[] => programFailures(pod).map(({ text }) => text);
const keys = (pod: Pod): readonly string[] => programFailures(pod).map(({ key }) => key);

const log = 'its log: kubectl logs -n default web -c c';
const backOff: ContainerState = { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s' } };
const ended = (exitCode: number, finishedAt = '2026-01-01T00:00:00Z'): ContainerState => ({
  terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', finishedAt },
});
const notStarted = (finishedAt: string): ContainerState => ({
  terminated: { exitCode: 128, reason: 'StartError', message: 'no program "sh"', finishedAt },
});

describe('a program that has ended', () => {
  test('with an error is named with its log, once for each end', () => {
    const text = `container c of Pod default/web ended with exit code 3; ${log}`;
    expect(texts(podWith(ended(3)))).toEqual([text]);
    expect(texts(podWith(backOff, ended(3)))).toEqual([text]);
    expect(keys(podWith(backOff, ended(3)))).toEqual(keys(podWith(ended(3))));
    expect(keys(podWith(ended(3, '2026-01-01T00:00:09Z')))).not.toEqual(keys(podWith(ended(3))));
  });

  test('without an error has failed only where it was to go on', () => {
    expect(texts(podWith(ended(0)))).toEqual([]);
    expect(texts(podWith({ running: {} }, ended(0)))).toEqual([]);
    expect(texts(podWith(backOff, ended(0)))).toEqual([
      `container c of Pod default/web ended with exit code 0 and is restarted; ${log}`,
    ]);
  });

  test('because its Pod was deleted has not failed', () => {
    const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' };
    expect(texts(podWith(ended(143), {}, deleted))).toEqual([]);
  });
});

test('a program that cannot be started is named with the reason instead of a log, once', () => {
  const pods = [
    podWith(notStarted('2026-01-01T00:00:00Z')),
    podWith(backOff, notStarted('2026-01-01T00:00:09Z')),
    podWith({ waiting: { reason: 'CreateContainerConfigError', message: 'no program "sh"' } }),
  ];
  const text = 'container c of Pod default/web cannot be started: no program "sh"';
  expect(pods.flatMap(texts)).toEqual([text, text, text]);
  expect(new Set(pods.flatMap(keys)).size).toBe(1);
});

test('containers that run, or wait for something, have not failed', () => {
  expect(texts(podWith({ running: {} }))).toEqual([]);
  expect(texts(podWith({ waiting: { reason: 'ContainerCreating' } }))).toEqual([]);
});
