import { expect, test } from 'vitest';
import { inParallel } from '../../../../src/base/util/in-parallel.ts';

test('work in parallel keeps the order and a bound', async () => {
  let running = 0;
  let most = 0;
  const results = await inParallel([...Array(50).keys()], async (item) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((done) => setImmediate(done));
    running -= 1;
    return item * 2;
  });
  expect(results).toEqual([...Array(50).keys()].map((item) => item * 2));
  expect(most).toBe(8);
  expect(await inParallel([], () => Promise.resolve(1))).toEqual([]);
});

test('after a failure nothing begins, and what is under way ends first', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const stop = new AbortController();
  const work = async (item: number): Promise<void> => {
    begun.push(item);
    if (item === 1) throw new Error('the first');
    await new Promise((done) => stop.signal.addEventListener('abort', done, { once: true }));
    await new Promise((done) => setImmediate(done));
    ended.push(item);
    throw new Error('a consequence');
  };
  const failed = inParallel([0, 1, 2, 3, 4, 5], work, { width: 3, onFailure: (error) => stop.abort(error) });
  await expect(failed).rejects.toThrow('the first');
  expect(begun).toEqual([0, 1, 2]);
  expect(ended).toEqual([0, 2]);
  expect(String(stop.signal.reason)).toContain('the first');
});
