import { expect, test } from 'vitest';
import { patternMatches } from '../../../../../src/kubernetes/objects/index.ts';
import { re2Pattern, type PatternSchema } from '../../../../../src/compiler/schema/library/convert-scalar.ts';

test('a pattern that RE2 knows stays as it is', () => {
  expect(re2Pattern('^[a-z]+(?:\\.[a-z]+)*$')).toEqual({ pattern: '^[a-z]+(?:\\.[a-z]+)*$' });
});

test('look-ahead at the start is said beside the pattern', () => {
  expect(re2Pattern('^(?!-)(?=.{1,9}$)[a-z-]+$')).toEqual({
    pattern: '^[a-z-]+$',
    allOf: [{ not: { pattern: '^(?:-)' } }, { pattern: '^(?:.{1,9}$)' }],
  });
});

const matches = ({ pattern = '', allOf = [] }: PatternSchema, text: string): boolean =>
  patternMatches(pattern, text) &&
  allOf.every((each) =>
    each.not === undefined
      ? patternMatches(each.pattern ?? '', text)
      : !patternMatches(each.not.pattern ?? '', text),
  );

test.each([
  /^(?!ab|c)[a-z]*$/,
  /^(?=.*\d)(?!x)[\w)]+$/,
  /^(?![)(]|\))[a-z()]*$/,
  /^(?!a(?:b|c))(?=[ab])\w+$/,
  /^(?!\.)[a-z.]+/,
])('%s matches the same texts', (expression) => {
  const schema = re2Pattern(expression.source);
  expect(schema).not.toHaveProperty('problem');
  for (const text of ['', 'a', 'ab', 'abc', 'ac', 'c', 'x1', 'a1', '1', ')a', '(a', '.a', 'a.b', 'ba'])
    expect([text, 'problem' in schema || matches(schema, text)]).toEqual([text, expression.test(text)]);
});

test.each([
  ['a look-ahead that is not at the start', '^a(?!b)'],
  ['one that is about one of several alternatives', '^(?!a)b|c'],
  ['look-behind', '(?<!a)b'],
  ['a back reference', '(a)\\1'],
])('%s is refused', (_, pattern) => {
  expect(re2Pattern(pattern)).toHaveProperty('problem');
});

test('a pattern that is too long to be compiled is refused at once', () => {
  for (const source of ['^(?=a)'.repeat(1e6), `^(?=a)${'['.repeat(1e6)}`, 'a?'.repeat(1e6)])
    expect(re2Pattern(source)).toEqual({ problem: 'it has more than 10000 characters' });
  expect(re2Pattern(`^(?=a)${'['.repeat(9000)}`)).toHaveProperty('problem');
});
