import fc from 'fast-check';
import { expect, test } from 'vitest';
import { patternMatches, patternProblem } from '../../../../src/kubernetes/objects/index.ts';
import {
  templatePattern,
  templateText,
  type TemplatePart,
} from '../../../../src/compiler/schema/template-pattern.ts';

const text = fc.string({ maxLength: 6, unit: 'grapheme' });
const number = fc.double({ noNaN: true, noDefaultInfinity: true });

/** A part of a template, and one of the texts that it stands for. */
const part: fc.Arbitrary<{ part: TemplatePart; sample: string }> = fc.oneof(
  text.map((value) => ({ part: { text: value }, sample: value })),
  text.map((sample) => ({ part: { any: 'string' } as const, sample })),
  number.map((value) => ({ part: { any: 'number' } as const, sample: `${value}` })),
  fc.bigInt().map((value) => ({ part: { any: 'bigint' } as const, sample: `${value}` })),
);
const template = fc.array(part, { minLength: 1, maxLength: 4 });

test('a pattern matches what its template literal can be', () => {
  fc.assert(
    fc.property(fc.array(template, { minLength: 1, maxLength: 3 }), (templates) => {
      const pattern = templatePattern(templates.map((parts) => templateText(parts.map((item) => item.part))));
      expect(patternProblem(pattern)).toBeUndefined();
      for (const parts of templates) {
        const sample = parts.map((item) => item.sample).join('');
        expect(patternMatches(pattern, sample), `${pattern} and ${sample}`).toBe(true);
      }
    }),
  );
});

test('a pattern of literals matches these only', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), text, (literals, other) => {
      const pattern = templatePattern(literals.map((literal) => templateText([{ text: literal }])));
      expect(patternMatches(pattern, other)).toBe(literals.includes(other));
    }),
  );
});

test.each([
  ['5', true],
  ['-1.5', true],
  ['1e+21', true],
  ['', false],
  ['five', false],
  ['0x10', false],
  ['1 ', false],
  ['NaN', false],
])('%j is a number in a template: %s', (sample, expected) => {
  expect(patternMatches(templatePattern([templateText([{ any: 'number' }])]), sample)).toBe(expected);
});

test('the order of the texts does not matter', () => {
  const texts = [
    templateText([{ text: 'a' }, { any: 'number' }]),
    templateText([{ text: 'b' }]),
    templateText([{ text: 'a5' }]),
  ];
  expect(templatePattern(texts)).toBe(templatePattern(texts.toReversed()));
  // Covered by the first.
  expect(templatePattern(texts)).not.toContain('a5');
});
