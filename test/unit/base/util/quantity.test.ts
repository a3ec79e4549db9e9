import { expect, test } from 'vitest';
import { milliValue } from '../../../../src/base/util/quantity.ts';

test.each<[string | number, bigint]>([
  ['250m', 250n],
  ['0.1', 100n],
  ['1', 1000n],
  [2, 2000n],
  ['1Ki', 1_024_000n],
  ['1.5Gi', 1_610_612_736_000n],
  ['2k', 2_000_000n],
  ['1e3', 1_000_000n],
  ['1E2', 100_000n],
  ['1E', 1_000_000_000_000_000_000_000n],
  ['.5', 500n],
  ['5.', 5000n],
  ['-1', -1000n],
  // Rounded up, as Go's MilliValue does.
  ['1u', 1n],
  ['100n', 1n],
  ['0', 0n],
])('%s is %d thousandths', (quantity, expected) => {
  expect(milliValue(quantity)).toBe(expected);
});

test.each(['', '.', 'x', '1 Gi', '1KI', '1e', '--1'])("'%s' is not a quantity", (text) => {
  expect(() => milliValue(text)).toThrow(TypeError);
});
