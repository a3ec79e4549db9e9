import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JSONSchemaProps } from '../../../../src/compiler/schema/index.ts';
import { parseCel } from '../../../../src/compiler/schema/tags/cel.ts';
import { misfit, patternMatches, patternProblem } from '../../../../src/kubernetes/objects/index.ts';
import { coerce, parseNumber } from '../../../../src/compiler/schema/tags/values.ts';

const string: JSONSchemaProps = { type: 'string' };
const int32: JSONSchemaProps = { type: 'integer', format: 'int32' };
const intOrString: JSONSchemaProps = { 'x-kubernetes-int-or-string': true };

describe('a default is read by the declared type', () => {
  test.each([
    ['10', string, '10'],
    ['10', int32, 10],
    ['10', intOrString, 10],
    ['10%', intOrString, '10%'],
    ['true', string, 'true'],
    ['true', { type: 'boolean' }, true],
    ['two words', string, 'two words'],
    ['"with \\"quotes\\""', string, 'with "quotes"'],
    ["'single'", string, 'single'],
    ["it's", string, "it's"],
    ['""', string, ''],
    ['"null"', string, 'null'],
    ['null', { type: 'string', nullable: true }, null],
    ['["a"]', { type: 'array', items: string }, ['a']],
    ['{"a": 1}', { type: 'object' }, { a: 1 }],
    ['-1e3', { type: 'number' }, -1000],
  ] as [string, JSONSchemaProps, unknown][])('%s', (text, schema, value) => {
    expect(coerce(schema, text)).toEqual({ value });
  });

  test.each([
    ['', string],
    ['null', string],
    ['null', int32],
    ['"open', string],
    ['"a" b', string],
    ['`code`', string],
    ['first\nsecond', string],
    ['50%\nsecond', intOrString],
    ['ten', int32],
    ['yes', { type: 'boolean' }],
    ['a, b', { type: 'array', items: string }],
  ] as [string, JSONSchemaProps][])('%j is refused', (text, schema) => {
    expect(coerce(schema, text)).toHaveProperty('problem');
  });

  test('any string survives in double quotes', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(coerce(string, JSON.stringify(text))).toEqual({ value: text });
      }),
    );
  });

  test('any JSON survives where its type is known', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (list) => {
        expect(coerce({ type: 'array', items: { type: 'integer' } }, JSON.stringify(list))).toEqual({
          value: list,
        });
      }),
    );
  });
});

test('numbers are JSON numbers, nothing else', () => {
  expect(['1', '-1', '1.5', '1e3'].map(parseNumber)).toEqual([1, -1, 1.5, 1000]);
  expect(
    ['', ' ', '0x10', '1_000', '.5', '1.', 'Infinity', 'NaN', '+1', '1,000'].filter(
      (text) => parseNumber(text) !== undefined,
    ),
  ).toEqual([]);
});

describe('misfit', () => {
  const schema: JSONSchemaProps = {
    type: 'object',
    required: ['name', 'defaulted'],
    properties: {
      name: { type: 'string', minLength: 2, maxLength: 3, pattern: '^[a-zä😀]+$' },
      defaulted: { type: 'string', default: 'x' },
      count: { ...int32, minimum: 0, exclusiveMinimum: true, maximum: 10, multipleOf: 5 },
      list: { type: 'array', items: string, minItems: 1, maxItems: 2, 'x-kubernetes-list-type': 'set' },
      mode: { type: 'string', enum: ['a', 'b'] },
      map: { type: 'object', additionalProperties: { type: 'boolean' }, maxProperties: 1 },
      any: { 'x-kubernetes-preserve-unknown-fields': true },
      port: intOrString,
      maybe: { type: 'string', nullable: true },
    },
  };
  const value = (fields: object) => ({ name: 'ab', ...fields }) as never;

  test.each([
    {},
    { name: '😀😀😀' },
    { count: 5, list: ['a', 'b'], mode: 'b', map: { x: true }, any: { x: [1] }, port: '80%', maybe: null },
    { port: 80 },
  ])('%j fits', (fields) => {
    expect(misfit(schema, value(fields))).toBeUndefined();
  });

  test.each([
    [{ name: 'a' }, 'minLength'],
    [{ name: 'abcd' }, 'maxLength'],
    [{ name: 'AB' }, 'pattern'],
    [{ name: 5 }, 'name'],
    [{ name: undefined }, 'name'],
    [{ name: null }, 'null'],
    [{ count: 0 }, 'minimum'],
    [{ count: 15 }, 'maximum'],
    [{ count: 3 }, 'multiple'],
    [{ count: 1.5 }, 'integer'],
    [{ count: 2 ** 40 }, 'int32'],
    [{ list: [] }, 'minItems'],
    [{ list: ['a', 'b', 'c'] }, 'maxItems'],
    [{ list: ['a', 'a'] }, 'twice'],
    [{ list: [1] }, 'list[0]'],
    [{ mode: 'c' }, 'none of'],
    [{ map: { x: 1 } }, 'map.x'],
    [{ map: { x: true, y: true } }, 'maxProperties'],
    [{ port: 1.5 }, 'integer'],
    [{ unknown: 1 }, 'unknown'],
  ])('%j does not', (fields, part) => {
    expect(misfit(schema, JSON.parse(JSON.stringify(value(fields))))).toContain(part);
  });
});

describe('patterns', () => {
  test.each(['^a$', '\\d+', '(?<name>a)', '\\p{L}', '(?i)a', 'a{1000}'])('%s is RE2', (pattern) => {
    expect(patternProblem(pattern)).toBeUndefined();
  });

  test.each(['(?=a)', '(?!a)', '(?<=a)b', '(a)\\1', 'a{1001}', '(', '[b-a]', 'a**'])(
    '%s is not',
    (pattern) => {
      expect(patternProblem(pattern)).toEqual(expect.any(String));
    },
  );

  test('a pattern matches anywhere in the text, as on the server', () => {
    expect(patternMatches('b', 'abc')).toBe(true);
    expect(patternMatches('^b', 'abc')).toBe(false);
  });
});

describe('@cel', () => {
  test.each([
    ['self > 1', { rule: 'self > 1' }],
    ['self > 1 : "too small"', { rule: 'self > 1', message: 'too small' }],
    ['self.a ? self.b : self.c', { rule: 'self.a ? self.b : self.c' }],
    ['self == (self.a ? "b" : "c")', { rule: 'self == (self.a ? "b" : "c")' }],
    ['self.x == "a : b" : "a \\"quoted\\" text"', { rule: 'self.x == "a : b"', message: 'a "quoted" text' }],
    ['self.all(k,\n  k != "")', { rule: 'self.all(k, k != "")' }],
    ["{'a': 1}[self] == 1", { rule: "{'a': 1}[self] == 1" }],
    [
      '{"rule": "self != oldSelf", "optionalOldSelf": true}',
      { rule: 'self != oldSelf', optionalOldSelf: true },
    ],
  ])('%s', (text, value) => {
    expect(parseCel(text)).toEqual({ value });
  });

  test.each([
    '',
    '{"rule": 1}',
    '{"rule": ""}',
    '{"rule": "a\\nb"}',
    '{"rule": "self", "reason": "x"}',
    '{"rule": "self"',
  ])('%s is refused', (text) => {
    expect(parseCel(text)).toHaveProperty('problem');
  });
});
