import { expect, test } from 'vitest';
import { inParallel } from '../../../src/util/in-parallel.ts';

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
