import { expect, test } from 'vitest';
import { defaultVersion, parseVersion } from '../../../src/testing/assets/version.ts';

test.each(['1.36.3', 'v1.36.3'])('%s', (text) => {
  expect(parseVersion(text)).toBe('1.36.3');
});

test('the default is a version', () => {
  expect(parseVersion(defaultVersion)).toBe(defaultVersion);
});

test.each(['', '1.36', 'latest', '1.36.x', '01.36.3', '1.36.3-rc.1', ' 1.36.3', '1.36.3/..', 'vv1.36.3'])(
  'refuses %j',
  (text) => {
    expect(() => parseVersion(text)).toThrow(expect.objectContaining({ code: 'testenv/invalid-version' }));
  },
);
