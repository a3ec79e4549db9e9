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
