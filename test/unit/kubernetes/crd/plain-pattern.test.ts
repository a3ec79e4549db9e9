import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { isPlainPattern } from '../../../../src/kubernetes/objects/formats.ts';
import { runs } from '../../../helpers/thorough.ts';

describe('a pattern that most schemas could have is plain:', () => {
  test.each([
    String.raw`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`,
    String.raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`,
    String.raw`^(?:0|[1-9]\d{0,2}):?/\w+\s*$`,
    '',
  ])('%s', (pattern) => {
    expect(isPlainPattern(pattern)).toBe(true);
    expect(() => RE2JS.compile(pattern)).not.toThrow();
  });
});

describe('nothing is said of', () => {
  test.each([
    ...['a**', '*a', '(', ')', '(?=a)', '(?P<a>b)', '[z-a]', '[a', 'a{2,1}', 'a{1001}', '(a{100}){100}'],
    ...[String.raw`\1`, String.raw`\p{Foo}`, String.raw`\q`, 'é', 'a{', `(${'a'.repeat(500)})`, '^*'],
  ])('%s', (pattern) => {
    expect(isPlainPattern(pattern)).toBe(false);
  });
});

test('RE2 takes whatever is plain', () => {
  const pieces = [
    ...['a', '-', '.', '^', '$', '|', '(', '(?:', ')', '*', '+', '?', '??', '{2}', '{,3}', '{3,}', '{0,40}'],
    ...['{2,1}', '[a-z]', '[^-a]', '[]', '[9-0]', '[a-Z]', String.raw`[\d-]`, String.raw`\d`, String.raw`\.`],
    ...[
      String.raw`\b`,
      String.raw`\z`,
      String.raw`\x`,
      '{',
      '}',
      '[',
      ']',
      '"',
      '`',
      '\\',
      ',',
      ':',
      'é',
      '\n',
    ],
    ...['--', '&&', '[:alpha:]', '[a-]', '[!-/]', '[--a]', '[ -~]'],
  ];
  const pattern = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 2 })), { maxLength: 12 })
    .map((all) => all.join(''));
  fc.assert(
    fc.property(pattern, (text) => {
      if (isPlainPattern(text)) RE2JS.compile(text);
    }),
    { numRuns: runs(20_000) },
  );
});
