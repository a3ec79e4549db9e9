import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keepLineEnds, mergeText } from '../../../../src/project/scaffold/merge-text.ts';

describe('line ends', () => {
  test('stay where they are, and new lines end as most do', () => {
    const edited = 'a\nb\r\nc\nd\n';
    expect(mergeText({ base: 'a\nb\nc\nd\n', edited, generated: 'a\nb\nc\nnew\nd\n' }).text).toBe(
      'a\nb\r\nc\nnew\nd\n',
    );
    expect(keepLineEnds('a\r\nb\r\nc\n', 'new\na\nb\nc\n')).toBe('new\r\na\r\nb\r\nc\n');
    expect(keepLineEnds('a\r\nb', 'a\nb\nc\n')).toBe('a\r\nb\r\nc\r\n');
    expect(keepLineEnds('a', 'a\nb\n')).toBe('a\nb\n');
  });

  test('of marks are those of most lines', () => {
    const { text, conflicts } = mergeText({
      base: 'a\nb\n',
      edited: 'a\r\nmine\nx\r\n',
      generated: 'a\ntheirs\n',
    });
    expect(conflicts).toBe(1);
    expect(text).toBe('a\r\n<<<<<<< edited\r\nmine\nx\r\n=======\r\ntheirs\r\n>>>>>>> op-sdk\r\n');
  });

  const end = fc.constantFrom('\n', '\r\n');

  test('of edited lines stay in every merge', () => {
    const numbers = fc.uniqueArray(fc.nat(20), { maxLength: 12 });
    fc.assert(
      fc.property(
        numbers,
        numbers,
        numbers,
        fc.array(end, { minLength: 12, maxLength: 12 }),
        (a, b, c, ends) => {
          const edited = b.map((line, index) => `${line}${ends[index] ?? ''}`);
          const [base, generated] = [a, c].map((lines) => lines.map((line) => `${line}\n`).join(''));
          const { text } = mergeText({
            base: base ?? '',
            edited: edited.join(''),
            generated: generated ?? '',
          });
          const merged = text.match(/[^\n]*\n/g) ?? [];
          expect(merged.join('')).toBe(text);
          const windows = edited.filter((line) => line.endsWith('\r\n')).length;
          const usual = windows > edited.length - windows ? '\r\n' : '\n';
          const counts = new Map<string, number>();
          for (const line of merged) counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1);
          for (const line of merged) {
            const former = edited.find((each) => each.trim() === line.trim());
            // Both sides of a conflict may have the line.
            if (former !== undefined && counts.get(line.trim()) === 1) expect(line).toBe(former);
            else if (former === undefined) expect(line.endsWith('\r\n') ? '\r\n' : '\n').toBe(usual);
          }
        },
      ),
    );
  });

  test('and all else stay where nothing is new', () => {
    const text = fc.array(fc.tuple(fc.constantFrom('a', 'b', ''), end)).map((lines) => lines.flat().join(''));
    fc.assert(
      fc.property(text, text, (edited, base) => {
        expect(mergeText({ base, edited, generated: base })).toEqual({ text: edited, conflicts: 0 });
      }),
    );
  });
});
