import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  readEntry,
  writeEntry,
  type CacheEntry,
} from '../../../../../src/compiler/manifests/cache/through-cache.ts';

const entry: CacheEntry = {
  identity: 'package',
  key: '{"projectDir":"/p"}',
  observations: { texts: { '/p/a.ts': 'x', '/p/b.ts': null }, files: {}, folders: {}, links: {}, lists: {} },
  value: { files: [{ content: 'kind: ä\n' }], kinds: 1 },
};
const text = writeEntry(entry);

test('an entry is read as it was written', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      // Through JSON, as the file is: it has no negative zero.
      expect(readEntry(writeEntry({ ...entry, value }))).toEqual(
        JSON.parse(JSON.stringify({ ...entry, value })),
      );
    }),
  );
});

test('a truncated entry is none', () => {
  fc.assert(
    fc.property(fc.nat({ max: text.length - 1 }), (length) => readEntry(text.slice(0, length)) === undefined),
  );
});

test('an entry with one other character is none, though it may be correct JSON', () => {
  fc.assert(
    fc.property(fc.nat({ max: text.length - 1 }), fc.string({ minLength: 1, maxLength: 1 }), (at, other) => {
      fc.pre(text[at] !== other);
      return readEntry(text.slice(0, at) + other + text.slice(at + 1)) === undefined;
    }),
  );
});

test('garbage, nothing, and entries of other versions are none', () => {
  expect(readEntry('')).toBeUndefined();
  expect(readEntry(text.replace('op-sdk-manifests 1', 'op-sdk-manifests 0'))).toBeUndefined();
  fc.assert(fc.property(fc.string(), (garbage) => readEntry(garbage) === undefined));
});
