import { expect, it } from 'vitest';
import { drain } from '../../../../src/sdk/runtime/manager/run-life.ts';
import { ManualClock } from './manual-clock.ts';

function setUp(work: Promise<unknown>) {
  const clock = new ManualClock();
  const force = new AbortController();
  const abort = new AbortController();
  const result = drain({
    work,
    timeout: 30_000,
    force: force.signal,
    abort,
    reason: new Error('a part has failed'),
    clock,
    left: () => ['reconcile of Site a'],
  });
  result.catch(() => undefined);
  return { clock, force, abort, result };
}

const never = new Promise(() => undefined);

it('waits for the work, leaving nothing behind', async () => {
  const { clock, abort, result } = setUp(Promise.resolve());
  await result;
  expect(abort.signal.aborted).toBe(false);
  expect(clock.timers).toBe(0);
});

it('aborts after its time, not before, and gives a last moment', async () => {
  const { clock, abort, result } = setUp(never);
  clock.advance(29_999);
  await Promise.resolve();
  expect(abort.signal.aborted).toBe(false);
  clock.advance(1);
  await new Promise(setImmediate);
  expect(abort.signal.aborted).toBe(true);
  clock.advance(1000);
  await expect(result).rejects.toThrow('still running after 30 s: reconcile of Site a');
  await expect(result).rejects.toMatchObject({ cause: new Error('a part has failed') });
  expect(clock.timers).toBe(0);
});

it('aborts at once at the second signal', async () => {
  const { clock, force, abort, result } = setUp(never);
  force.abort();
  await new Promise(setImmediate);
  expect(abort.signal.aborted).toBe(true);
  clock.advance(1000);
  await expect(result).rejects.toThrow('still running at the second signal');
});
