// Which expressions of CEL `op-sdk crd diff` takes for the same.
import { describe, expect, test } from 'vitest';
import { canonicalCel } from '../../../../../src/kubernetes/crd/cel/cel-syntax.ts';

describe('the same tree', () => {
  test.each([
    ["a  == '*'", 'a=="*"'],
    ['(a)&&((b))', 'a && b'],
    ['a && (b && c)', '(a && b) && c'],
    ['a+(b*c)', 'a + b*c'],
    [String.raw`self.matches('^\\d$')`, String.raw`self.matches(r"^\d$")`],
    [`"""a"b"""`, `'a"b'`],
    [String.raw`r"""a\""" + b`, String.raw`'a\\' + b`],
    [String.raw`r'''a\''' + 'b'`, String.raw`'a\\' + 'b'`],
    [String.raw`'ä\x41\101\U0001F600'`, "'äAA😀'"],
    [String.raw`b'\xff\001'`, String.raw`b"\377\x01"`],
    ['a.b.`c`', 'a.b.c'],
    ['0x10', '16'],
    ['1.50', '1.5'],
    ['1e3', '1000.0'],
    ['has(self.a) // Why.\n && x', 'has(self.a)&&x'],
    ['a // Why.\r && b', 'a'],
    ['a?b:(c?d:e)', 'a?b:c?d:e'],
    ['!!a', 'a'],
    ['-(1)', '-1'],
    ['[1,2,]', '[1, 2]'],
    ["{'a':1}", '{"a": 1}'],
    ["self.all(x, x in ['a'])", 'self.all(x,(x in ["a"]))'],
    ['self.?a.orValue(1)', 'self . ? a.orValue( 1 )'],
    ['a.B{c: 1}', 'a.B { c:1, }'],
    ['.a', '. a'],
  ])('%s and %s', (one, other) => {
    expect(canonicalCel(one)).toBe(canonicalCel(other));
    expect(canonicalCel(one)).toMatch(/^{/);
  });
});

describe('another tree', () => {
  test.each([
    ['a + (b + c)', 'a + b + c'],
    ['a - (b - c)', 'a - b - c'],
    ['(a || b) && c', 'a || b && c'],
    ['(a ? b : c) ? d : e', 'a ? b : c ? d : e'],
    ['!(a && b)', '!a && b'],
    ['1', '1.0'],
    ['1u', '1'],
    ["b'a'", "'a'"],
    ["'a '", "'a'"],
    [`"'"`, `'"'`],
    ["a == '1'", 'a == 1'],
    ['a.b()', 'b(a)'],
    ['a && b', 'b && a'],
    ['a ? b : c', 'a ? c : b'],
    ["a['b']", 'a.b'],
    ['a.?b', 'a.b'],
    ['a[?0]', 'a[0]'],
    ['[?a]', '[a]'],
    ['-a', 'a'],
    [String.raw`b'\xff'`, "b'ÿ'"],
  ])('%s and %s', (one, other) => {
    expect(canonicalCel(one)).not.toBe(canonicalCel(other));
    expect(canonicalCel(one)).toMatch(/^{/);
    expect(canonicalCel(other)).toMatch(/^{/);
  });
});

test.each(['a b', "'\\q'", '(a', 'a ? b', 'a[', '1.2.3', 'in', `${'('.repeat(300)}a${')'.repeat(300)}`])(
  'what is not CEL, or too deep, stands for itself: %s',
  (text) => {
    expect(canonicalCel(` ${text}\n`)).toBe(text);
  },
);

test.each([
  ['operators', `a${'+a'.repeat(100_000)}`],
  ['members', `a${'.a'.repeat(100_000)}`],
  ['dots', `${'.'.repeat(100_000)}a`],
])('so does a chain of %s for whose tree the stack is not deep enough', (_, text) => {
  expect(canonicalCel(` ${text}`)).toBe(text);
});
