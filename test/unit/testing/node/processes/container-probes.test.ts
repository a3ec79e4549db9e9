import { expect, test } from 'vitest';
import type { Container } from '../../../../../src/sdk/k8s/generated/core/v1.ts';
import { ContainerProbes } from '../../../../../src/testing/node/processes/container-probes.ts';
import { ManualClock } from '../../../sdk/runtime/manual-clock.ts';

/** Probes of a container whose commands succeed while their first word is in `working`. */
function setUp(container: Partial<Container>) {
  const clock = new ManualClock();
  const working = new Set<string>();
  const notes: string[] = [];
  const killed: string[] = [];
  const probes = new ContainerProbes({
    container: { name: 'app', ...container },
    clock,
    changed: () => undefined,
    failed: (note) => notes.push(note),
    kill: (probe) => killed.push(probe),
  });
  probes.begin({
    container: { name: 'app' },
    address: '127.0.0.1',
    execute: ([word = '']) => Promise.resolve(working.has(word) ? undefined : `${word} failed`),
  });
  /** Lets time pass in steps in which every due probe ends. */
  const pass = async (seconds: number): Promise<void> => {
    for (let step = 0; step < seconds * 4; step++) {
      clock.advance(250);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { probes, working, notes, killed, pass };
}

const probe = (word: string, more: object = {}) => ({ exec: { command: [word] }, ...more });

test('a container without probes is ready at once', () => {
  const { probes } = setUp({});
  expect([probes.isStarted, probes.isReady]).toEqual([true, true]);
});

test('readiness comes soon, goes after the threshold, and comes back', async () => {
  const { probes, working, pass, notes } = setUp({
    readinessProbe: probe('ready', { periodSeconds: 10, failureThreshold: 2 }),
  });
  await pass(5);
  expect(probes.isReady).toBe(false);
  expect(notes).toEqual(['Readiness probe failed: ready failed']);
  working.add('ready');
  await pass(1);
  expect(probes.isReady).toBe(true);
  working.delete('ready');
  await pass(11);
  expect(probes.isReady).toBe(true);
  await pass(10);
  expect(probes.isReady).toBe(false);
  working.add('ready');
  await pass(10);
  expect(probes.isReady).toBe(true);
});

test('a container that is not alive is killed after the threshold', async () => {
  const { working, pass, killed } = setUp({
    livenessProbe: probe('alive', { periodSeconds: 5, failureThreshold: 3, initialDelaySeconds: 2 }),
  });
  working.add('alive');
  await pass(20);
  expect(killed).toEqual([]);
  working.delete('alive');
  await pass(11);
  expect(killed).toEqual([]);
  await pass(5);
  expect(killed[0]).toBe('liveness');
});

test('other probes wait for the startup probe, whose failures count once a period', async () => {
  const { probes, working, pass, killed, notes } = setUp({
    startupProbe: probe('up', { periodSeconds: 5, failureThreshold: 4 }),
    livenessProbe: probe('alive', { periodSeconds: 1, failureThreshold: 1 }),
  });
  await pass(14);
  expect(killed).toEqual([]);
  expect(notes).toEqual(Array.from({ length: 3 }, () => 'Startup probe failed: up failed'));
  working.add('up').add('alive');
  await pass(1);
  expect([probes.isStarted, probes.isReady]).toEqual([true, true]);
  working.delete('up');
  await pass(20);
  expect(killed).toEqual([]);
});

test('a startup that takes too long is given up', async () => {
  const { pass, killed, probes } = setUp({
    startupProbe: probe('up', { periodSeconds: 1, failureThreshold: 2 }),
  });
  await pass(3);
  expect(killed[0]).toBe('startup');
  probes.end();
  const before = killed.length;
  await pass(5);
  expect(killed).toHaveLength(before);
});
