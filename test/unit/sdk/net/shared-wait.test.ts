import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { outsideWaits } from '../../../../src/sdk/net/index.ts';
import { SharedWait, type SharedRun } from '../../../../src/sdk/net/shared-wait.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(async () => {
  // A wait that goes on is named by `readyz` of every manager in this process.
  for (const answer of unanswered.splice(0)) answer('too late');
  await turn();
  expect(named()).toEqual([]);
  vi.useRealTimers();
});

const unanswered: ((value: string) => void)[] = [];

function hanging(limit = 60_000) {
  const runs: (SharedRun & { answer(value: string): void; fail(error: Error): void })[] = [];
  const wait = new SharedWait<string>({
    subject: 'plugin of test',
    limit: () => limit,
    late: (milliseconds) => new Error(`not within ${milliseconds}`),
    work: (run) =>
      new Promise((resolve, reject) => {
        unanswered.push(resolve);
        runs.push({
          signal: run.signal,
          hold: (holder) => run.hold(holder),
          answer: resolve,
          fail: reject,
        });
      }),
  });
  return { wait, runs };
}

// Other tests of this process may wait as well.
const named = () => outsideWaits.pending().filter(({ subject }) => subject === 'plugin of test');
const settled = async (promise: Promise<unknown>) => promise.then(String, (error: Error) => error.message);
const turn = async () => {
  for (let i = 0; i < 10; i += 1) await Promise.resolve();
};

describe('a shared wait', () => {
  it('runs once for all who wait, and one who leaves takes nobody along', async () => {
    const { wait, runs } = hanging();
    const leaving = new AbortController();
    const first = settled(wait.join(leaving.signal));
    const second = settled(wait.join());
    await turn();
    leaving.abort(new Error('left'));
    expect(await first).toBe('left');
    expect(runs).toHaveLength(1);
    expect(runs[0]?.signal.aborted).toBe(false);
    runs[0]?.answer('token');
    expect(await second).toBe('token');
    expect(wait.isRunning).toBe(false);
  });

  it('ends at its limit for all, aborts its work, and starts again for whoever asks then', async () => {
    const { wait, runs } = hanging();
    const first = settled(wait.join());
    await turn();
    vi.advanceTimersByTime(60_000);
    expect(await first).toBe('not within 60000');
    expect(runs[0]?.signal.aborted).toBe(true);
    runs[0]?.fail(new Error('killed'));
    await turn();
    void settled(wait.join());
    await turn();
    expect(runs).toHaveLength(2);
  });

  it('does not start work again that does not obey: the error comes at once', async () => {
    const { wait, runs } = hanging();
    void settled(wait.join());
    await turn();
    vi.advanceTimersByTime(60_000);
    await turn();
    expect(await settled(wait.join())).toBe('not within 60000');
    expect(runs).toHaveLength(1);
  });

  it('lets a run go on that nobody waits for, without keeping the process alive', async () => {
    const { wait, runs } = hanging();
    const leaving = new AbortController();
    const first = settled(wait.join(leaving.signal));
    await turn();
    const holder = { ref: vi.fn(), unref: vi.fn() };
    runs[0]?.hold(holder);
    expect(holder.unref).not.toHaveBeenCalled();
    leaving.abort(new Error('left'));
    await first;
    expect(holder.unref).toHaveBeenCalledOnce();
    expect(runs[0]?.signal.aborted).toBe(false);
    const second = settled(wait.join());
    expect(holder.ref).toHaveBeenCalledOnce();
    runs[0]?.answer('slow token');
    expect(await second).toBe('slow token');
    expect(runs).toHaveLength(1);
  });

  it('without a limit ends when nobody waits any more', async () => {
    const open = new SharedWait<string>({
      subject: 'asks a person',
      limit: () => undefined,
      late: () => new Error('late'),
      work: (run) =>
        new Promise((_resolve, reject) => {
          run.signal.addEventListener('abort', () => reject(run.signal.reason as Error));
        }),
    });
    const leaving = new AbortController();
    const only = settled(open.join(leaving.signal));
    await turn();
    vi.advanceTimersByTime(3_600_000);
    leaving.abort(new Error('left'));
    expect(await only).toBe('left');
    await turn();
    expect(open.isRunning).toBe(false);
  });

  it('is named after a second in probes, after five in the log, once until it answers', async () => {
    const { wait, runs } = hanging();
    const slow = vi.fn();
    const answered = vi.fn();
    const stop = outsideWaits.listen({ slow, answered });
    void settled(wait.join());
    await turn();
    expect(named()).toEqual([]);
    vi.advanceTimersByTime(4_999);
    expect(named()).toEqual([{ subject: 'plugin of test', seconds: 5 }]);
    expect(slow).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(slow).toHaveBeenCalledExactlyOnceWith({ subject: 'plugin of test', seconds: 5 });
    vi.advanceTimersByTime(55_000);
    runs[0]?.fail(new Error('killed'));
    await turn();
    const again = settled(wait.join());
    await turn();
    vi.advanceTimersByTime(6_000);
    expect(slow).toHaveBeenCalledOnce();
    runs[1]?.answer('token');
    await again;
    expect(answered).toHaveBeenCalledExactlyOnceWith('plugin of test');
    stop();
  });
});
