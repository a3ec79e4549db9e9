import fc from 'fast-check';
import { expect, test } from 'vitest';
import { freezeAndMeasure } from '../../../../src/sdk/runtime/deep-freeze.ts';
import { runs } from '../../../helpers/thorough.ts';

const isFrozenDeeply = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every(isFrozenDeeply));

/** Characters that JSON writes as they are, in one byte. */
const plain = fc.constantFrom(...'abcXYZ0189 -./:');

test('freezes JSON deeply and measures its text', () => {
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: 'large', stringUnit: plain }), (value) => {
      expect(freezeAndMeasure(value)).toBe(JSON.stringify(value).length);
      expect(isFrozenDeeply(value)).toBe(true);
      // Parts that are frozen already count too.
      expect(freezeAndMeasure(value)).toBe(JSON.stringify(value).length);
    }),
    { numRuns: runs(2000) },
  );
});

test.each([
  ['{}', 2],
  ['[]', 2],
  ['{"a":[],"b":{}}', 15],
  ['[null,true,false,-1.5,1e+21]', 28],
  // A character counts as one, however it is written.
  ['{"text":"ä\\n🚀"}', 15],
])('%s', (text, size) => {
  expect(freezeAndMeasure(JSON.parse(text))).toBe(size);
});

test('fields without a value do not count', () => {
  expect(freezeAndMeasure({ a: 1, data: undefined })).toBe('{"a":1}'.length);
});
