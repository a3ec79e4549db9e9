import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crdSchemaFields, refusedSchemaFields } from '../../../../src/kubernetes/objects/index.ts';
import { celSyntaxProblem, celNames, usesOldSelf } from '../../../../src/kubernetes/crd/cel/cel-syntax.ts';
import {
  fieldPathProblem,
  readFieldPath,
} from '../../../../src/kubernetes/crd/rules/schema/check-open-api.ts';
import { checkSchema, type Schema } from '../../../../src/kubernetes/crd/rules/schema/index.ts';
import { notStructural, structural, useless } from './structural-cases.ts';

test('every field of JSONSchemaProps is known', () => {
  expect(new Set([...crdSchemaFields, ...refusedSchemaFields]).size).toBe(44);
});

function problemsOf(field: object): string[] {
  const problems: string[] = [];
  const schema: Schema = { type: 'object', properties: { field } };
  const unknown = checkSchema(schema, {
    path: [],
    hasStatus: true,
    problem: (path, message) => problems.push(`${message} (at ${path.slice(2).join('.')})`),
  });
  return [...problems, ...unknown.map((path) => `unknown ${path.join('.')}`)];
}

test.each([...structural, ...useless])('%j is structural', (schema) => {
  expect(problemsOf(schema)).toEqual([]);
});

test.each(notStructural)('%j is not', (schema, part) => {
  expect(problemsOf(schema).join('\n')).toContain(part);
});

describe('the names in a rule', () => {
  const names = (rule: string) => celNames(rule).map(({ name, isMember }) => (isMember ? `.${name}` : name));

  test.each([
    ['self.a > 1', ['self', '.a']],
    ['has(self.?b.c)', ['has', 'self', '.b', '.c']],
    [`self.a == "self.b \\" self.c" + 'oldSelf'`, ['self', '.a']],
    [`self.matches(r"\\d+\\") && x`, ['self', '.matches', 'x']],
    [`b"x" + """a "quoted" oldSelf\n""" + y`, ['y']],
    ['self // oldSelf\n.x', ['self', '.x']],
    ['1.5 > 0x1F ? a : b', ['a', 'b']],
    [`"it's" + z`, ['z']],
  ])('%j', (rule, expected) => {
    expect(names(rule)).toEqual(expected);
  });

  test('a string never gives a name', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(names(`self == ${JSON.stringify(text)}`)).toEqual(['self']);
      }),
    );
  });

  test('oldSelf is the variable, not a field or a text', () => {
    expect(usesOldSelf('self == oldSelf')).toBe(true);
    expect(usesOldSelf('oldSelf.hasValue() || self.a')).toBe(true);
    expect(usesOldSelf('self.oldSelf == "oldSelf"')).toBe(false);
  });
});

describe('the syntax of CEL', () => {
  test.each([
    'self.a ? (self.b ? 1 : 2) : 3',
    '{"a": 1, ?"b": self.?c}.size() > [1, ?self.?d].size()',
    'self[?0].orValue(1) == (self.x ? 1 : 2)',
    `self == "a : b = c ; d"  // ( [ {`,
    `r"\\d+\\" + '''it's "fine" (''' == b'x'`,
    'self.`a-b` != -1 && !(a || b) && 5 % 2 == 1',
    '1 <= self.a && self.b >= 2',
    'self.map(k, {"key": k})[0].key == ""',
  ])('%s is CEL', (rule) => {
    expect(celSyntaxProblem(rule)).toBeUndefined();
  });

  test.each([
    ['self.all(x, x == 1', 'is not closed by `)`'],
    ['self == 1)', 'has no opening bracket before it'],
    ['[1, 2)', '`[` is closed by `)`, expected `]`'],
    ['self = 1', '=='],
    ['a & b', '&&'],
    ['a | b', '||'],
    ['self == "a', 'has no end'],
    ["self == 'a", 'has no end'],
    ['self ? 1', 'has no `:`'],
    ['(self ? 1) : 2', 'has no `:`'],
    ['self : "message"', '`:` without a `?`'],
    ['self; true', ';'],
  ])('%s is', (rule, part) => {
    expect(celSyntaxProblem(rule)).toContain(part);
  });

  test('what is inside of strings is not looked at', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(celSyntaxProblem(`self == ${JSON.stringify(text)}`)).toBeUndefined();
      }),
    );
  });
});

describe('the fieldPath of a rule', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      a: { type: 'object', properties: { 'b-c': { type: 'string' } } },
      'd.e': { type: 'string' },
      map: { type: 'object', additionalProperties: { type: 'string' } },
      list: { type: 'array', items: { type: 'object', properties: { x: { type: 'string' } } } },
    },
  };

  test.each(['.a', '.a.b-c', ".a['b-c']", "['d.e']", ".map['any']", '.map.any', '.list'])('%s', (path) => {
    expect(fieldPathProblem(path, schema)).toBeUndefined();
  });

  test.each(['a', '.', '.a.', '.b', '.a.x', '.a[0]', '.list[0].x', '.list.x', '.a.b-c.d', "['d.e", '.a..b'])(
    '%s is none',
    (path) => {
      expect(fieldPathProblem(path, schema)).toEqual(expect.any(String));
    },
  );

  test('quoted names are read back', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (names) => {
        const quoted = names.map((name) => `['${name.replace(/['\\]/g, '\\$&')}']`).join('');
        expect(readFieldPath(quoted)).toEqual(names);
      }),
    );
  });
});

describe('rules that compare with the state before', () => {
  const rule = { 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] };
  const named = {
    type: 'object',
    required: ['n'],
    properties: { n: { type: 'string' }, v: { type: 'string', ...rule } },
  };

  test.each([
    { type: 'string', ...rule },
    { type: 'array', items: { type: 'string' }, ...rule },
    { type: 'object', additionalProperties: { type: 'string', ...rule } },
    { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['n'], items: named },
  ])('%j', (schema) => {
    expect(problemsOf(schema)).toEqual([]);
  });

  test.each([
    { type: 'array', items: { type: 'string', ...rule } },
    { type: 'array', items: named },
    { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string', ...rule } },
    {
      type: 'array',
      items: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['n'],
        items: named,
      },
    },
  ])('%j is refused', (schema) => {
    expect(problemsOf(schema).join('\n')).toContain('oldSelf cannot be used');
  });
});
