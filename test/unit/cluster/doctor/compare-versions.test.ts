import { expect, test } from 'vitest';
import { compareVersions } from '../../../../src/cluster/doctor/check.ts';

test.each([
  ['20.19.0', '20.19.0', 0],
  ['20.9.0', '20.19.0', -1],
  ['v1.36.3+k3s1', '1.36.3', 0],
  ['1.36', '1.36.0', 0],
  ['1.0.0-rc.1', '1.0.0', -1],
  ['2.0.0', '10.0.0', -1],
])('version %s compared with %s', (a, b, expected) => {
  expect(Math.sign(compareVersions(a, b))).toBe(expected);
  expect(Math.sign(compareVersions(b, a))).toBe(expected === 0 ? 0 : -expected);
});
