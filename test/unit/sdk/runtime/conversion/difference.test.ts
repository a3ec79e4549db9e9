import { describe, expect, it } from 'vitest';
import { differenceOf, restore } from '../../../../../src/sdk/runtime/conversion/difference.ts';

/** What becomes of `is`, which implied `was`, when the edit implies `now`. */
const merge = (was: unknown, is: unknown, now: unknown): unknown => {
  const difference = differenceOf(was, is);
  return difference === undefined ? now : restore(difference, now);
};

describe('an edit of an object', () => {
  it('holds at its place, and leaves what was kept elsewhere', () => {
    expect(merge({ a: 1, b: 1 }, { a: 1, b: 2, c: 3 }, { a: 5, b: 1 })).toEqual({ a: 5, b: 2, c: 3 });
    expect(merge({ b: 1 }, { b: 2 }, { b: 7 })).toEqual({ b: 7 });
    expect(merge({ a: { x: 1 } }, { a: { x: 1, y: 2 } }, {})).toEqual({});
    expect(merge({ a: { x: 1 } }, { a: { x: 1, y: 2 } }, { a: null })).toEqual({ a: null });
  });

  it('meets a field that was not shown: both are kept, the edit where they meet', () => {
    expect(merge({}, { log: { format: 'json', level: 'a' } }, { log: { level: 'b' } })).toEqual({
      log: { format: 'json', level: 'b' },
    });
  });

  it('does not bring back a field that converting adds', () => {
    expect(merge({ a: 1, added: {} }, { a: 1 }, { a: 2, added: {} })).toEqual({ a: 2 });
    expect(merge({ a: 1, added: 1 }, { a: 1 }, { a: 1, added: 2 })).toEqual({ a: 1, added: 2 });
  });
});

describe('an edit of a list', () => {
  const udp = (port: number) => ({ port, protocol: 'UDP' });
  const was = [{ port: 1 }, { port: 2 }, { port: 3 }];
  const is = [udp(1), udp(2), udp(3)];

  it('of equal length changes items at their places', () => {
    expect(merge(was, is, [{ port: 1 }, { port: 9 }, { port: 3 }])).toEqual([udp(1), udp(9), udp(3)]);
  });

  it('that removes an item takes nothing from its neighbours', () => {
    expect(merge(was, is, [{ port: 1 }, { port: 3 }])).toEqual([udp(1), udp(3)]);
    expect(merge(was, is, [])).toEqual([]);
  });

  it('that adds and moves items leaves the others what they had', () => {
    expect(merge(was, is, [{ port: 0 }, ...was])).toEqual([{ port: 0 }, ...is]);
    expect(merge(was, is, [...was, { port: 4 }])).toEqual([...is, { port: 4 }]);
    expect(merge(was, is, [{ port: 3 }, { port: 1 }, { port: 2 }])).toEqual([udp(3), udp(1), udp(2)]);
  });

  it('that removes one item and changes another gives the changed one nothing of another', () => {
    expect(merge(was, is, [{ port: 1 }, { port: 9 }])).toEqual([udp(1), { port: 9 }]);
  });

  it('finds items again by their name', () => {
    const named = (name: string, more: object) => ({ name, ...more });
    expect(
      merge(
        [named('a', { size: 1 }), named('b', { size: 1 })],
        [named('a', { size: 1, kept: 1 }), named('b', { size: 1, kept: 2 })],
        [named('c', { size: 1 }), named('b', { size: 2 })],
      ),
    ).toEqual([named('c', { size: 1 }), named('b', { size: 2, kept: 2 })]);
  });

  it('leaves items that were not shown behind those that they followed', () => {
    expect(
      merge(
        [{ p: 2 }],
        [
          { p: 1, x: 1 },
          { p: 2, x: 1 },
          { p: 3, x: 1 },
        ],
        [{ p: 0 }, { p: 2 }],
      ),
    ).toEqual([{ p: 1, x: 1 }, { p: 0 }, { p: 2, x: 1 }, { p: 3, x: 1 }]);
    expect(merge(['a', 'c'], ['a', 'b', 'c'], ['a', 'd'])).toEqual(['a', 'b', 'd']);
    expect(merge(['a', 'c'], ['a', 'b', 'c'], ['c'])).toEqual(['c', 'b']);
  });

  it('that brings an item of a name which was not shown makes one of the two', () => {
    expect(merge(undefined, [{ name: 'a', kept: 1 }], [{ name: 'a', size: 2 }])).toEqual([
      { name: 'a', kept: 1, size: 2 },
    ]);
    expect(merge(['a'], ['a', 'b'], ['a', 'b'])).toEqual(['a', 'b']);
  });

  it('of many items takes no time that grows with the square of their number', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({ port: index }));
    const kept = many.map(({ port }) => udp(port));
    const edited = many.map(({ port }) => ({ port: port + 100_000 }));
    const started = performance.now();
    expect(merge(many, kept, edited)).toHaveLength(20_000);
    // A square takes minutes; this takes a fraction of a second.
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
