import * as fc from 'fast-check';
import semver from 'semver';
import { describe, expect, test } from 'vitest';
import {
  intervalsOf,
  parseVersionRange,
  compareSemver,
  parseSemver,
  type SemanticVersion,
} from '../../../../src/olm/catalog/versions/range.ts';

const number = fc.integer({ min: 0, max: 3 });
const pre = fc.constantFrom('', '-alpha', '-alpha.1', '-alpha.beta', '-2', '-11', '-rc.1', '+b');
const text = fc.tuple(number, number, number, pre).map(([a, b, c, end]) => `${a}.${b}.${c}${end}`);

function version(of: string): SemanticVersion {
  const parsed = parseSemver(of);
  if (parsed === undefined) throw new TypeError(of);
  return parsed;
}

function isIn(range: string, of: string): boolean {
  const parsed = parseVersionRange(range);
  if (parsed === undefined) throw new TypeError(range);
  return intervalsOf(parsed, [version(of)]).length > 0;
}

describe('versions', () => {
  test('have the order of Semantic Versioning', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareSemver(version(a), version(b)))).toBe(semver.compare(a, b));
      }),
    );
  });

  test('may have numbers of any size', () => {
    expect(
      compareSemver(version('1.0.18446744073709551615'), version('1.0.18446744073709551614')),
    ).toBeGreaterThan(0);
  });

  test('are in ranges by each of their parts', () => {
    const operator = fc.constantFrom('', '=', '==', '!', '!=', '>', '>=', '<', '<=');
    const part = fc.tuple(operator, text);
    fc.assert(
      fc.property(
        fc.array(fc.array(part, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
        fc.array(text),
        (range, texts) => {
          const sorted = texts.map(version).sort(compareSemver);
          const parsed = parseVersionRange(
            range.map((all) => all.map(([sign, of]) => sign + of).join(' ')).join(' || '),
          );
          const intervals = intervalsOf(parsed ?? [], sorted);
          const holds = (sign: string, order: number): boolean =>
            sign.startsWith('!')
              ? order !== 0
              : (order === 0 && sign !== '<' && sign !== '>') ||
                (order < 0 && sign.startsWith('<')) ||
                (order > 0 && sign.startsWith('>'));
          for (const [index, each] of sorted.entries()) {
            const expected = range.some((all) =>
              all.every(([sign, of]) => holds(sign, compareSemver(each, version(of)))),
            );
            expect(intervals.some(([from, to]) => from <= index && index < to)).toBe(expected);
          }
        },
      ),
    );
  });

  // Seen with github.com/blang/semver/v4.
  test.each([
    ['1.2.x', '1.2.9', true],
    ['1.2.x', '1.3.0', false],
    ['1.x', '1.9.0', true],
    ['1.x.x', '1.0.9', true],
    ['1.x.x', '1.1.0', false],
    ['>1.2.x', '1.2.9', false],
    ['>1.2.x', '1.3.0', true],
    ['<=1.2.x', '1.2.9', true],
    ['!=1.2.x', '1.1.0', false],
    ['>= 1.0.0 <2.0.0', '2.0.0-rc.1', true],
  ])('%s and %s: %s', (range, of, expected) => {
    expect(isIn(range, of)).toBe(expected);
  });

  test.each(['', '^1.0.0', '~1', '1', '>=1.0', `>=1.0.0 ${'<9.0.0 '.repeat(500)}`])(
    '%j is not a range',
    (range) => {
      expect(parseVersionRange(range)).toBeUndefined();
    },
  );
});
