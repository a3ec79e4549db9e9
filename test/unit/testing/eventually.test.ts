import { expect, test } from 'vitest';
import { eventually } from '../../../src/testing/index.ts';

test('gives what the check gives, as soon as it does not throw', async () => {
  let tries = 0;
  const value = await eventually(
    () => {
      if (++tries < 3) throw new Error('not yet');
      return { tries };
    },
    { interval: 1 },
  );
  expect(value).toEqual({ tries: 3 });
});

test('false means not yet, undefined means done', async () => {
  const answers = [false, false, undefined];
  expect(await eventually(() => answers.shift(), { interval: 1 })).toBeUndefined();
  expect(answers).toEqual([]);
});

test('in the end throws the last failure', async () => {
  const last = new Error('expected 1 to be 2');
  const failing = eventually(() => Promise.reject(last), { timeout: 5, interval: 1 });
  await expect(failing).rejects.toMatchObject({ code: 'testenv/eventually-timeout', cause: last });
  await expect(failing).rejects.toThrow(
    /the check did not succeed within 5 ms \(\d+ tries\); last failure: expected 1 to be 2/,
  );
});

test('a check that stays false says so', async () => {
  await expect(eventually(() => false, { timeout: 0 })).rejects.toThrow(
    'last failure: the check returned false',
  );
});

test('takes durations as text, and refuses text that is none', async () => {
  let tries = 0;
  expect(await eventually(() => (tries += 1) > 2, { timeout: '2m', interval: '1ms' })).toBe(true);
  const failing = eventually(() => false, { timeout: '5ms', interval: '1ms' });
  await expect(failing).rejects.toThrow(/the check did not succeed within 5 ms/);
  // @ts-expect-error: a unit that does not exist
  await expect(eventually(() => true, { timeout: '2 s' })).rejects.toThrow('runtime/invalid-duration');
});
