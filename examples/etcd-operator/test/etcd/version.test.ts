import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareVersions, upgradeProblem } from '../../src/etcd/version.ts';

test.each([
  ['3.4.23', '3.4.23'],
  ['3.4.23', '3.4.24'],
  ['3.4.23', '3.5.21'],
  ['3.5.20', '3.6.8'],
  ['3.6.8', '3.7.0'],
])('from %s to %s', (from, to) => expect(upgradeProblem(from, to)).toBeUndefined());

test.each([
  ['3.4.23', '3.6.8', 'an upgrade from 3.4.23 to 3.6.8 skips minor versions: set the version to a 3.5 first'],
  ['3.5.21', '3.4.23', 'a downgrade from 3.5.21 to 3.4.23 is not supported'],
  [
    '3.5.19',
    '3.6.8',
    'an upgrade from 3.5.19 to 3.6.8 makes voters learners again: set the version to 3.5.20 or a later 3.5 first',
  ],
  ['3.6.8', '4.0.0', 'an upgrade from 3.6.8 to 4.0.0 is not supported: the major version changes'],
  ['latest', '3.6.8', 'expected versions such as 3.6.8, got latest and 3.6.8'],
])('not from %s to %s', (from, to, problem) => expect(upgradeProblem(from, to)).toBe(problem));

const version = fc
  .tuple(fc.constant(3), fc.nat({ max: 9 }), fc.nat({ max: 30 }))
  .map((parts) => parts.join('.'));

test('the order is total, and nothing goes back', () => {
  const property = fc.property(version, version, (a, b) => {
    expect(Math.sign(compareVersions(a, b))).toBe(-Math.sign(compareVersions(b, a)) || 0);
    if (compareVersions(a, b) > 0) expect(upgradeProblem(a, b)).toMatch('downgrade');
  });
  fc.assert(property);
});
