import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonDifference } from '../../../../../src/sdk/runtime/webhook/admission/json-difference.ts';

/** Carries out a patch, as RFC 6902 says. */
function patched(document: unknown, operations: ReturnType<typeof jsonDifference>): unknown {
  const root = { root: structuredClone(document) };
  for (const operation of operations) {
    const steps = ['root', ...operation.path.split('/').slice(1)].map((step) =>
      step.replaceAll('~1', '/').replaceAll('~0', '~'),
    );
    const last = steps.pop() ?? '';
    let parent: unknown = root;
    for (const step of steps) {
      expect(Object.hasOwn(parent as object, step), operation.path).toBe(true);
      parent = (parent as Record<string, unknown>)[step];
    }
    if (Array.isArray(parent)) {
      const index = Number(last);
      expect(index).toBeLessThan(parent.length + (operation.op === 'add' ? 1 : 0));
      if (operation.op === 'add') parent.splice(index, 0, structuredClone(operation.value));
      else if (operation.op === 'remove') parent.splice(index, 1);
      else parent[index] = structuredClone(operation.value);
      continue;
    }
    const fields = parent as Record<string, unknown>;
    if (operation.op !== 'add') expect(Object.hasOwn(fields, last), operation.path).toBe(true);
    if (operation.op === 'remove') Reflect.deleteProperty(fields, last);
    else
      Object.defineProperty(fields, last, {
        value: structuredClone(operation.value),
        ...{ enumerable: true, configurable: true, writable: true },
      });
  }
  return root.root;
}

const json = fc.jsonValue({ maxDepth: 4 });
/** Small values of few names, so that two of them have parts in common. */
const alike = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(0, 1, 'a', '', null, true),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(
      fc.constantFrom('a', 'b', '~', '/', '~1', '', '0', '__proto__', 'constructor'),
      tie('value'),
    ),
  ),
})).value;

describe('the difference of two JSON values', () => {
  test.each([
    ['of different values', json],
    ['of values that are much alike', alike],
  ])('turns one into the other (%s)', (_name, values) => {
    fc.assert(
      fc.property(values, values, (before, after) => {
        const operations = jsonDifference(before, after);
        expect(JSON.stringify(sorted(patched(before, operations)))).toBe(JSON.stringify(sorted(after)));
      }),
    );
  });

  test('of equal values is empty, whatever the order of their fields', () => {
    expect(jsonDifference({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 })).toEqual([]);
  });

  test('leaves out what both have', () => {
    const before = { kept: { deep: [1, 2] }, list: [{ name: 'a', v: 1 }, { name: 'b' }], gone: 1 };
    const after = { kept: { deep: [1, 2] }, list: [{ name: 'a', v: 2 }, { name: 'b' }], new: [{}] };
    expect(jsonDifference(before, after)).toEqual([
      { op: 'remove', path: '/gone' },
      { op: 'replace', path: '/list/0/v', value: 2 },
      { op: 'add', path: '/new', value: [{}] },
    ]);
  });

  test('an item that is put in front, or taken out, is one operation', () => {
    expect(jsonDifference(['b', 'c'], ['a', 'b', 'c'])).toEqual([{ op: 'add', path: '/0', value: 'a' }]);
    expect(jsonDifference(['a', 'b', 'c'], ['a', 'c'])).toEqual([{ op: 'remove', path: '/1' }]);
  });

  test('escapes the names of fields', () => {
    expect(jsonDifference({}, { 'a/b~c': 1 })).toEqual([{ op: 'add', path: '/a~1b~0c', value: 1 }]);
  });

  test('takes undefined for absent, and a Date for its text, as JSON does', () => {
    const date = new Date(0);
    expect(jsonDifference({ a: 1, b: 1 }, { a: undefined, b: date, c: { d: undefined, e: date } })).toEqual([
      { op: 'remove', path: '/a' },
      { op: 'replace', path: '/b', value: '1970-01-01T00:00:00.000Z' },
      { op: 'add', path: '/c', value: { e: '1970-01-01T00:00:00.000Z' } },
    ]);
  });

  test.each([NaN, Infinity, 1n, () => 1, Symbol('s'), new Map([['a', 1]]), [undefined]])(
    'refuses what JSON cannot say: %o',
    (value) => {
      for (const before of [{}, { a: {} }, { a: [] }])
        expect(() => jsonDifference(before, { a: value })).toThrow(/default set \/a.*expected a JSON value/);
    },
  );
});

/** The same with fields in order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, sorted(item)]);
}
