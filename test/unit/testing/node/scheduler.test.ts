import { setImmediate as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Scheduler } from '../../../../src/testing/node/scheduler.ts';
import { ManualClock } from '../../sdk/runtime/manual-clock.ts';

type Options = ConstructorParameters<typeof Scheduler>[0];

// Changes arrive while it ends a look, too. One that is missed then may be the last one: a volume that was bound, and Pods that wait for it.
test.each(Array.from({ length: 12 }, (_, ticks) => ticks))(
  'the scheduler looks again after a change that comes %i ticks after another one',
  async (ticks) => {
    let looks = 0;
    const scheduler = new Scheduler({
      signal: new AbortController().signal,
      clock: new ManualClock(),
      pods: () => {
        looks++;
        return [];
      },
      nodes: () => [],
      onError: (error: unknown) => {
        throw error;
      },
    } as Partial<Options> as Options);
    scheduler.schedule();
    for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
    const before = looks;
    scheduler.schedule();
    await pause();
    expect(looks).toBeGreaterThan(before);
  },
);

// Otherwise a Pod that waits for a node at the end keeps the process alive.
test.each([
  ['before', 0],
  ['while it waits for the next try', 1],
])('the scheduler does not try again after its end, %s', async (_, errorsBefore) => {
  const stop = new AbortController();
  const clock = new ManualClock();
  let requests = 0;
  let errors = 0;
  const scheduler = new Scheduler({
    signal: stop.signal,
    clock,
    pods: () => [{ metadata: { name: 'web', namespace: 'default', uid: 'u' }, spec: { containers: [] } }],
    nodes: () => [],
    now: () => new Date(0),
    namespaceLabels: () => ({}),
    volumeReason: () => undefined,
    record: () => ({ warning: () => undefined, normal: () => undefined }),
    client: {
      patch: () => {
        requests++;
        if (errorsBefore === 0) stop.abort();
        return Promise.reject(new Error('the API server has ended'));
      },
    },
    onError: () => errors++,
  } as unknown as Options);
  scheduler.schedule();
  await pause();
  expect([requests, errors]).toEqual([1, errorsBefore]);
  stop.abort();
  clock.advance(10_000);
  scheduler.schedule();
  await pause();
  expect([requests, errors]).toEqual([1, errorsBefore]);
});
