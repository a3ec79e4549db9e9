import { expect, test } from 'vitest';
import { fnv1a } from '../../../../src/project/scaffold/sets/bundle.ts';

// Vectors of the function's authors (test_fnv.c).
test.each([
  ['', '811c9dc5'],
  ['a', 'e40c292c'],
  ['foobar', 'bf9cf968'],
])('the FNV-1a hash of %j is %s', (text, hash) => expect(fnv1a(text)).toBe(hash));
