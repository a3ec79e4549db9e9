import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeDesired } from '../../../../../src/sdk/runtime/client/merge-desired.ts';
import { runs } from '../../../../helpers/thorough.ts';

/** Few keys and values, so that two random objects have much in common. Some keys are those that every object inherits. */
const key = fc.constantFrom('a', 'b', 'c', 'toString', 'constructor', 'hasOwnProperty');
const leaf = fc.constantFrom<unknown>(null, true, 0, 1, '', 'x');
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(key, tie('json'), { maxKeys: 4 }),
  ),
}));
const object = fc.dictionary(key, json, { maxKeys: 4 });

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value has all that is desired: the fields of objects, and lists item by item. */
function has(value: unknown, desired: unknown): boolean {
  if (desired === undefined) return true;
  if (Array.isArray(desired)) {
    if (!Array.isArray(value) || value.length !== desired.length) return false;
    return desired.every((item, index) => has(value[index], item));
  }
  if (!isFields(desired)) return Object.is(value, desired);
  if (!isFields(value)) return false;
  // A missing field is not an empty object.
  return Object.entries(desired).every(
    ([name, part]) => part === undefined || (Object.hasOwn(value, name) && has(value[name], part)),
  );
}

/** Some part of a value: fields left out or undefined at any depth, lists whole. */
function partOf(value: unknown): fc.Arbitrary<unknown> {
  if (Array.isArray(value)) return fc.tuple(...value.map((item) => partOf(item)));
  if (!isFields(value)) return fc.constant(value);
  const fields = Object.entries(value).map(([name, part]) =>
    fc.oneof(
      partOf(part).map((chosen): [string, unknown][] => [[name, chosen]]),
      fc.constant<[string, unknown][]>([]),
      fc.constant<[string, unknown][]>([[name, undefined]]),
    ),
  );
  return fc.tuple(...fields).map((chosen) => Object.fromEntries(chosen.flat()));
}

const withPart = object.chain((current) => partOf(current).map((desired) => ({ current, desired })));

describe('what exists, with what is desired put over it', () => {
  test('has all that is desired', () => {
    fc.assert(
      fc.property(object, object, (current, desired) => {
        expect(has(mergeDesired(current, desired), desired)).toBe(true);
      }),
      { numRuns: runs(5000) },
    );
  });

  test('keeps the fields that are not desired, and neither argument is changed', () => {
    fc.assert(
      fc.property(object, object, (current, desired) => {
        const before = structuredClone({ current, desired });
        const merged = mergeDesired(current, desired) as Fields;
        for (const [name, value] of Object.entries(current)) {
          if (!Object.hasOwn(desired, name)) expect(merged[name]).toBe(value);
        }
        expect(Object.keys(merged).sort()).toEqual(
          [...new Set([...Object.keys(current), ...Object.keys(desired)])].sort(),
        );
        expect({ current, desired }).toEqual(before);
      }),
      { numRuns: runs(5000) },
    );
  });

  test('is itself what exists if that has all that is desired, and only then', () => {
    fc.assert(
      fc.property(withPart, ({ current, desired }) => {
        expect(mergeDesired(current, desired)).toBe(current);
      }),
      { numRuns: runs(5000) },
    );
    fc.assert(
      fc.property(object, object, (current, desired) => {
        expect(mergeDesired(current, desired) === current).toBe(has(current, desired));
      }),
      { numRuns: runs(5000) },
    );
  });

  test('does not change when the same is put over it again', () => {
    fc.assert(
      fc.property(object, object, (current, desired) => {
        const merged = mergeDesired(current, desired);
        expect(mergeDesired(merged, desired)).toBe(merged);
        // Also where nobody has kept the identity of its parts.
        const stored = structuredClone(merged);
        expect(mergeDesired(stored, desired)).toBe(stored);
      }),
      { numRuns: runs(5000) },
    );
  });
});

test('a list of another length, or with an item that lacks something, is replaced as a whole', () => {
  const current = { items: [{ name: 'a', port: 1, protocol: 'TCP' }] };
  expect(mergeDesired(current, { items: [{ name: 'a', port: 1 }] })).toBe(current);
  expect(mergeDesired(current, { items: [{ name: 'a', port: 2 }] })).toEqual({
    items: [{ name: 'a', port: 2 }],
  });
  expect(mergeDesired(current, { items: [] })).toEqual({ items: [] });
  expect(mergeDesired(current, { items: [{ name: 'a' }, { name: 'b' }] })).toEqual({
    items: [{ name: 'a' }, { name: 'b' }],
  });
});
