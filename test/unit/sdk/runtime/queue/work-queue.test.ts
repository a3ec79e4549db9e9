import { describe, expect, it, vi } from 'vitest';
import { LONGEST_TIMER_MS, systemClock } from '../../../../../src/sdk/net/waits.ts';
import {
  ExponentialBackoff,
  LOW_PRIORITY,
  WorkQueue,
  type QueueObserver,
} from '../../../../../src/sdk/runtime/queue/index.ts';
import { ManualClock } from '../manual-clock.ts';

function setUp() {
  const clock = new ManualClock();
  return { clock, queue: new WorkQueue({ clock }) };
}

/** Everything that is ready, taken and given back. */
async function takeAll(queue: WorkQueue): Promise<string[]> {
  const keys: string[] = [];
  while (queue.length > 0) {
    const key = await queue.get();
    if (key === undefined) break;
    keys.push(key);
    queue.done(key);
  }
  return keys;
}

describe('work queue', () => {
  it('W1: adding a key that waits changes nothing', async () => {
    const { queue } = setUp();
    queue.add('a');
    queue.add('a');
    expect(await takeAll(queue)).toEqual(['a']);
  });

  it('W2: adding while a worker has the key gives exactly one more run', async () => {
    const { queue } = setUp();
    queue.add('a');
    expect(await queue.get()).toBe('a');
    queue.add('a');
    queue.add('a');
    expect(queue.length).toBe(0);
    queue.done('a');
    expect(await takeAll(queue)).toEqual(['a']);
  });

  it('W3: no two workers have the same key', async () => {
    const { queue } = setUp();
    queue.add('a');
    await queue.get();
    queue.add('a');
    const second = vi.fn();
    const waiting = queue.get().then(second);
    await Promise.resolve();
    expect(second).not.toHaveBeenCalled();
    queue.done('a');
    await waiting;
    expect(second).toHaveBeenCalledWith('a');
  });

  it('W4: first in, first out', async () => {
    const { queue } = setUp();
    const keys = Array.from({ length: 5000 }, (_, i) => `k${i}`);
    for (const key of keys) queue.add(key);
    expect(await takeAll(queue)).toEqual(keys);
  });

  it('W4: first in, first out inside one priority, a higher one first', async () => {
    const { queue } = setUp();
    const expected: string[] = [];
    for (let i = 0; i < 3000; i++) queue.add(`${i % 3}-${i}`, { priority: i % 3 });
    for (const priority of [2, 1, 0])
      for (let i = 0; i < 3000; i++) if (i % 3 === priority) expected.push(`${priority}-${i}`);
    expect(await takeAll(queue)).toEqual(expected);
  });

  it('W5: the earliest of several delays counts, in whatever order they come', async () => {
    const { queue, clock } = setUp();
    queue.addAfter('late', 1000);
    queue.addAfter('late', 5000);
    queue.addAfter('early', 5000);
    queue.addAfter('early', 500);
    clock.advance(499);
    expect(queue.length).toBe(0);
    clock.advance(1);
    expect(await takeAll(queue)).toEqual(['early']);
    clock.advance(500);
    expect(await takeAll(queue)).toEqual(['late']);
    clock.advance(100_000);
    expect(queue.length).toBe(0);
  });

  it('W5: an add without delay beats a delayed one, which then does not run again', async () => {
    const { queue, clock } = setUp();
    queue.addAfter('a', 1000);
    queue.add('a');
    expect(await takeAll(queue)).toEqual(['a']);
    clock.advance(10_000);
    expect(queue.length).toBe(0);
    queue.add('a');
    queue.addAfter('a', 1000);
    expect(await takeAll(queue)).toEqual(['a']);
    clock.advance(10_000);
    expect(queue.length).toBe(0);
  });

  it('W5: a delay asked for while a worker has the key starts at once and holds back until done', async () => {
    const { queue, clock } = setUp();
    queue.add('a');
    await queue.get();
    queue.addAfter('a', 100);
    clock.advance(100);
    expect(queue.length).toBe(0);
    queue.done('a');
    expect(queue.length).toBe(1);
  });

  it('W6: 5 ms, doubled with each failure, at most 1,000 s, and forget resets it', () => {
    const backoff = new ExponentialBackoff();
    expect([1, 2, 3, 4].map(() => backoff.next('a'))).toEqual([5, 10, 20, 40]);
    expect(backoff.failures('a')).toBe(4);
    expect(backoff.next('other')).toBe(5);
    backoff.forget('a');
    expect(backoff.failures('a')).toBe(0);
    expect(backoff.next('a')).toBe(5);
  });

  it('W6: does not overflow', () => {
    const backoff = new ExponentialBackoff();
    const delays = Array.from({ length: 2000 }, () => backoff.next('a'));
    expect(delays[17]).toBe(655_360);
    expect(new Set(delays.slice(18))).toEqual(new Set([1_000_000]));
  });

  it('W6: the queue waits as the limiter says', async () => {
    const { queue, clock } = setUp();
    const waits: number[] = [];
    for (let i = 0; i < 4; i++) {
      queue.addRateLimited('a');
      const start = clock.now();
      while (queue.length === 0) clock.advance(1);
      waits.push(clock.now() - start);
      await takeAll(queue);
    }
    expect(waits).toEqual([5, 10, 20, 40]);
    expect(queue.failures('a')).toBe(4);
    queue.forget('a');
    queue.addRateLimited('a');
    clock.advance(5);
    expect(queue.length).toBe(1);
  });

  // W8 (a result together with an error: the error wins) cannot happen here: a reconcile either returns or throws. The rest
  // of W7 and W8 is in controller-runner.test.ts.

  it('W9: the highest priority of all adds counts, and is never lowered', async () => {
    const { queue } = setUp();
    queue.add('raised', { priority: LOW_PRIORITY });
    queue.add('low', { priority: LOW_PRIORITY });
    queue.add('kept');
    queue.add('normal');
    queue.add('kept', { priority: LOW_PRIORITY });
    queue.add('raised');
    // It has waited longer than those of its new priority.
    expect(await takeAll(queue)).toEqual(['raised', 'kept', 'normal', 'low']);
  });

  it('W9: the highest priority counts for delayed keys and those that changed during their run, too', async () => {
    const { queue, clock } = setUp();
    queue.addAfter('delayed', 100, { priority: LOW_PRIORITY });
    queue.addAfter('delayed', 200, { priority: 5 });
    queue.add('added', { priority: LOW_PRIORITY });
    queue.addAfter('added', 1000, { priority: 7 });
    queue.addAfter('undelayed', 1000, { priority: 6 });
    queue.add('undelayed', { priority: LOW_PRIORITY });
    queue.add('running', { priority: 10 });
    expect(await queue.get()).toBe('running');
    queue.add('running', { priority: LOW_PRIORITY });
    queue.add('running', { priority: 4 });
    queue.done('running');
    clock.advance(100);
    queue.add('normal');
    expect(await takeAll(queue)).toEqual(['added', 'undelayed', 'delayed', 'running', 'normal']);
  });

  it('W9: a retry has the priority of its run, unless it brings one', async () => {
    const { queue, clock } = setUp();
    const retry = async (again: () => void): Promise<number | undefined> => {
      queue.add('a', { priority: LOW_PRIORITY });
      await queue.get();
      again();
      queue.done('a');
      clock.advance(1000);
      await queue.get();
      const priority = queue.held('a')?.priority;
      queue.done('a');
      return priority;
    };
    expect(await retry(() => queue.addRateLimited('a'))).toBe(LOW_PRIORITY);
    expect(await retry(() => queue.addAfter('a', 1000))).toBe(LOW_PRIORITY);
    expect(await retry(() => queue.addAfter('a', 0))).toBe(LOW_PRIORITY);
    expect(await retry(() => queue.addAfter('a', 1000, { priority: 3 }))).toBe(3);
    expect(await retry(() => queue.add('a'))).toBe(0);
  });

  it('W10: shut down without drain unblocks get, drops what waits, ignores adds and waits for the workers', async () => {
    const { queue, clock } = setUp();
    queue.add('a');
    await queue.get();
    const blocked = queue.get();
    queue.addAfter('later', 1);
    const down = vi.fn();
    const closed = queue.shutDown().then(down);
    expect(await blocked).toBeUndefined();
    queue.add('b');
    queue.addAfter('c', 1);
    queue.addRateLimited('d');
    clock.advance(1_000_000);
    expect(queue.length).toBe(0);
    expect(clock.timers).toBe(0);
    expect(down).not.toHaveBeenCalled();
    queue.done('a');
    await closed;
    expect(await queue.get()).toBeUndefined();
  });

  it('W10: shut down with drain hands out what is ready, also what changed meanwhile', async () => {
    const { queue } = setUp();
    queue.add('a');
    queue.add('b');
    await queue.get();
    queue.add('a');
    const down = vi.fn();
    const closed = queue.shutDownWithDrain().then(down);
    queue.add('ignored');
    expect(await queue.get()).toBe('b');
    queue.done('b');
    queue.done('a');
    expect(await queue.get()).toBe('a');
    await Promise.resolve();
    expect(down).not.toHaveBeenCalled();
    queue.done('a');
    await closed;
    expect(await queue.get()).toBeUndefined();
  });

  it('W10: an idle queue shuts down at once', async () => {
    await setUp().queue.shutDown();
    await setUp().queue.shutDownWithDrain();
  });

  it('W11: any number of delayed keys share one timer, and a key is held once', async () => {
    const { queue, clock } = setUp();
    for (let i = 0; i < 10_000; i++) queue.addAfter(`k${i % 10}`, 10_000 - i);
    expect(clock.timers).toBe(1);
    clock.advance(10_000);
    expect((await takeAll(queue)).length).toBe(10);
    expect(clock.timers).toBe(0);
  });

  it('W11: tells depth of ready keys only, adds, retries, waits and work', async () => {
    const clock = new ManualClock();
    const log: unknown[][] = [];
    const observer: QueueObserver = {
      added: () => log.push(['added']),
      retried: () => log.push(['retried']),
      depth: (n, priority) => log.push(['depth', n, priority]),
      waited: (s) => log.push(['waited', s]),
      worked: (s) => log.push(['worked', s]),
    };
    const queue = new WorkQueue({ clock, observer });
    queue.addAfter('later', 600_000);
    queue.add('a');
    queue.add('a');
    clock.advance(2000);
    await queue.get();
    queue.addAfter('a', 60_000);
    clock.advance(3000);
    expect(queue.unfinishedWork).toEqual({ total: 3, longest: 3 });
    queue.done('a');
    expect(queue.unfinishedWork).toEqual({ total: 0, longest: 0 });
    expect(log).toEqual([
      ['retried'],
      ['added'],
      ['depth', 1, 0],
      ['depth', 0, 0],
      ['waited', 2],
      ['retried'],
      ['worked', 3],
    ]);
  });

  it('W11: tells the depth of each priority, also when a key is raised and when all are dropped', async () => {
    const depths = new Map<number, number>();
    const observer: QueueObserver = {
      added: () => undefined,
      retried: () => undefined,
      depth: (n, priority) => depths.set(priority, n),
      waited: () => undefined,
      worked: () => undefined,
    };
    const queue = new WorkQueue({ clock: new ManualClock(), observer });
    for (const key of ['a', 'b', 'c']) queue.add(key, { priority: LOW_PRIORITY });
    expect([...depths]).toEqual([[LOW_PRIORITY, 3]]);
    queue.add('b');
    expect([...depths]).toEqual([
      [LOW_PRIORITY, 2],
      [0, 1],
    ]);
    await queue.shutDown();
    expect([...depths]).toEqual([
      [LOW_PRIORITY, 0],
      [0, 0],
    ]);
  });

  it('W12: a delay beyond what setTimeout takes does not fire at once', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const fired = vi.fn();
      const month = LONGEST_TIMER_MS + 500_000_000;
      systemClock.after(month, fired);
      vi.advanceTimersByTime(LONGEST_TIMER_MS + 1000);
      expect(fired).not.toHaveBeenCalled();
      vi.advanceTimersByTime(500_000_000);
      expect(fired).toHaveBeenCalledTimes(1);
      const cancel = systemClock.after(month, fired);
      vi.advanceTimersByTime(LONGEST_TIMER_MS + 1000);
      cancel();
      vi.advanceTimersByTime(month);
      expect(fired).toHaveBeenCalledTimes(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('W13: a jump of the wall clock moves nothing', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const before = systemClock.now();
      vi.setSystemTime(Date.now() + 10 * 365 * 24 * 3_600_000);
      expect(systemClock.now() - before).toBeLessThan(60_000);
    } finally {
      vi.useRealTimers();
    }
  });
});
