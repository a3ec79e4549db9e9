import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { cacheFolder } from '../../../../src/base/util/fs.ts';

afterEach(() => vi.unstubAllEnvs());

test('lies where XDG_CACHE_HOME says, if that is absolute, else in the home', () => {
  expect(cacheFolder({ XDG_CACHE_HOME: '/caches' }, 'part')).toBe(join('/caches', 'op-sdk', 'part'));
  const inHome = join(homedir(), '.cache', 'op-sdk', 'part');
  expect(cacheFolder({ XDG_CACHE_HOME: 'caches' }, 'part')).toBe(inHome);
  expect(cacheFolder({}, 'part')).toBe(inHome);
});

test.each(['', 'here'])('HOME=%j makes no cache of the folder that one works in', (home) => {
  vi.stubEnv('HOME', home);
  expect(isAbsolute(cacheFolder({}, 'part'))).toBe(true);
});
