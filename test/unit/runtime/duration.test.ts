import { expect, it } from 'vitest';
import { requeueAfter } from '../../../src/index.ts';
import { durationMs } from '../../../src/runtime/duration.ts';

it.each([
  [1500, 1500],
  ['500ms', 500],
  ['30s', 30_000],
  ['1h30m', 5_400_000],
  ['1.5h', 5_400_000],
  ['7d', 604_800_000],
  [-5, -5],
])('%s is %s ms', (text, milliseconds) => {
  expect(durationMs(text)).toBe(milliseconds);
});

it.each(['', '30', 's', '1h 30m', '-5s', '1y', NaN, Infinity])('%s is not a duration', (text) => {
  expect(() => durationMs(text)).toThrow(/runtime\/invalid-duration/);
});

it('gives requeueAfter its milliseconds', () => {
  expect(requeueAfter('1m')).toEqual({ requeueAfter: 60_000 });
});
