import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable } from '../../../../src/base/util/terminal-words.ts';

test('what a terminal obeys is written out', () => {
  expect(printable('a\u001b[31mb\u0000\u0007\u007f\u009b\r')).toBe('a\\x1b[31mb\\x00\\x07\\x7f\\x9b\\x0d');
  expect(printable('\u202egnp.exe \u2066x\u2069\u200f')).toBe('\\u202egnp.exe \\u2066x\\u2069\\u200f');
});

test('what people write stays: line breaks, tabs, all scripts, emoji of several parts', () => {
  const text = 'a\n\tä 日本 שלום 👩\u200d💻';
  expect(printable(text)).toBe(text);
});

test('whatever the text, nothing is left that moves the cursor or turns the direction', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = printable(text);
      expect(shown).not.toMatch(/(?![\n\t])\p{Cc}|\p{Bidi_Control}/u);
    }),
  );
});
