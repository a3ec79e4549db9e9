import type { Schema, ValidationRule } from '../../../../src/kubernetes/objects/index.ts';
import type { RuleCase } from './compare.ts';

/** Calls of functions of values. `dyn` hides types from the type checker of the API server, so that only the evaluation finds them. */
const methods = [
  ...["contains(dyn('a'))", "startsWith(dyn('a'))", "endsWith(dyn('a'))", "matches('a')", "find('a')"],
  ...["findAll('a')", "findAll('a', 1)", 'charAt(dyn(0))', "indexOf(dyn('a'))", "indexOf(dyn('a'), 0)"],
  ...["lastIndexOf(dyn('a'))", "lastIndexOf('a', dyn(0))", 'lowerAscii()', 'upperAscii()', 'trim()'],
  ...["replace(dyn('a'), 'b')", "replace('a', 'b', dyn(1))", "split(dyn('a'))", "split('a', dyn(1))"],
  ...['substring(dyn(0))', 'substring(0, dyn(1))'],
  ...['isSorted()', 'sum()', 'min()', 'max()', 'join()', "join(dyn('a'))", 'reverse()', 'sort()'],
  ...['slice(dyn(0), 0)', 'flatten()', 'flatten(1)', 'first()', 'last()', 'size()'],
  ...['getFullYear()', 'getMonth()', 'getDate()', 'getDayOfMonth()', 'getDayOfWeek()', 'getDayOfYear()'],
  ...['getHours()', 'getMinutes()', 'getSeconds()', 'getMilliseconds()', "getHours(dyn('UTC'))"],
  ...["isGreaterThan(quantity('1'))", "isLessThan(semver('1.0.0'))", "compareTo(dyn(quantity('1')))"],
  ...['asInteger()', 'asApproximateFloat()', 'isInteger()', "add(dyn(quantity('1')))", 'sub(1)'],
  ...['family()', 'isUnspecified()', 'isLoopback()', 'isLinkLocalMulticast()', 'isLinkLocalUnicast()'],
  ...['isGlobalUnicast()', 'ip()', 'prefixLength()', 'masked()', "containsIP('1.1.1.1')"],
  ...["containsIP(ip('1.1.1.1'))", "containsCIDR('1.0.0.0/8')", "containsCIDR(cidr('1.0.0.0/8'))"],
  ...['getScheme()', 'getHost()', 'getHostname()', 'getPort()', 'getEscapedPath()', 'getQuery()'],
  ...['major()', 'minor()', 'patch()', "validate('a')", 'hasValue()', 'value()', 'orValue(1)'],
];

const functions = [
  ...['size', 'int', 'uint', 'double', 'bool', 'bytes', 'string', 'duration', 'timestamp', 'sign'],
  ...['quantity', 'isQuantity', 'ip', 'isIP', 'cidr', 'isCIDR', 'url', 'isURL', 'semver', 'isSemver'],
  ...['ip.isCanonical', 'format.named', 'strings.quote'],
];

/** Calls of which another argument than the first is wrong. */
const argumentsOfCalls = [
  ...["cidr('10.0.0.0/8').containsIP(dyn(self.i))", "cidr('10.0.0.0/8').containsIP(dyn(self.s))"],
  ...["cidr('10.0.0.0/8').containsCIDR(dyn(self.i))", "cidr('10.0.0.0/8').containsCIDR(dyn(self.s))"],
  ...['sets.contains(dyn(self.i), [1])', 'sets.contains([1], dyn(self.i))'],
  ...['sets.equivalent(dyn(self.i), [1])', 'sets.intersects([1], dyn(self.i))'],
  ...["matches(dyn(self.i), 'a')", 'self.s.matches(dyn(self.i))', 'self.s.contains(dyn(self.i))'],
  ...['self.s.startsWith(dyn(self.i))', 'self.s.endsWith(dyn(self.l))', 'self.s.indexOf(dyn(self.i)) == 1'],
  ...["self.s.indexOf('a', dyn(self.s)) == 1", "self.s.charAt(dyn(self.s)) == 'a'"],
  ...["self.s.replace(dyn(self.i), 'a') == 'a'", "self.s.replace('a', 'b', dyn(self.s)) == 'a'"],
  ...['self.s.split(dyn(self.i)).size() == 1', "self.s.split('a', dyn(self.s)).size() == 1"],
  ...["self.s.substring(0, dyn(self.s)) == 'a'", "self.s.find(dyn(self.i)) == 'a'"],
  ...['self.s.findAll(dyn(self.i)).size() == 1', "self.s.findAll('a', dyn(self.s)).size() == 1"],
  ...['self.l.slice(dyn(self.s), 1) == [1]', "quantity('1').add(dyn(self.s)).isInteger()"],
  ...["quantity('1').isLessThan(dyn(self.s))", "quantity('1').compareTo(dyn(self.i)) == 0"],
  ...["semver('1.0.0').isLessThan(dyn(self.s))", "semver('1.0.0').compareTo(dyn(self.i)) == 0"],
  ...['format.dns1123Label().validate(dyn(self.i)).hasValue()', 'self.t.getHours(dyn(self.i)) == 1'],
];

/** Lists whose items are of several types. */
const mixedLists = [
  ...['[dyn(self.i), dyn(self.s)].sum() == dyn(1)', '[dyn(self.i), dyn(self.s)].min() == dyn(1)'],
  ...['[dyn(self.i), dyn(self.s)].max() == dyn(1)', '[dyn(self.i), dyn(self.s)].isSorted()'],
  ...['[dyn(self.i), dyn(self.s)].sort() == [dyn(1)]', '[dyn(self.m), dyn(self.m)].isSorted()'],
  ...['[dyn(self.i), dyn(self.n)].sum() == dyn(1)', '[dyn(self.i), dyn(self.n)].min() == dyn(1.5)'],
  ...['[dyn(self.i), dyn(self.n)].isSorted()', '[dyn(self.b)].sum() == 1', '[dyn(self.s)].sum() == 1'],
  ...['[1, 2].sortBy(x, x == 1 ? dyn(1) : dyn("a")) == [1]', 'dyn(self.s).sortBy(x, x) == [1]'],
];

const operators = [
  ...['dyn(self.i) + dyn(self.s) == dyn(1)', 'dyn(self.s) < dyn(self.i)', '!dyn(self.i)'],
  ...['-dyn(self.s) == dyn(1)', 'dyn(self.i) in dyn(self.s)', 'dyn(self.i) && true'],
  ...['dyn(self.i) ? true : false', '{dyn(self.l): 1}.size() == 2'],
  ...['optional.of(1).or(dyn(self.i)).hasValue()', 'optional.of(1).optMap(x, dyn(x) + "a").hasValue()'],
];

/** Fields, items and loops of values that have none. */
const parts = [
  ...['i', 's', 'l', 'b', 't', 'd', 'n'].flatMap((name) => [
    ...[`dyn(self.${name}).a == 1`, `has(dyn(self.${name}).a)`, `dyn(self.${name}).?a.hasValue()`],
    ...[`dyn(self.${name})['a'] == 1`, `dyn(self.${name})[?'a'].hasValue()`],
  ]),
  ...['i', 's', 'b', 't', 'd', 'n'].flatMap((name) => [
    ...[`dyn(self.${name})[0] == 1`, `dyn(self.${name})[?0].hasValue()`],
    ...[`dyn(self.${name}).all(x, true)`, `dyn(self.${name}).exists(x, true)`],
    ...[`dyn(self.${name}).map(x, x) == [1]`, `dyn(self.${name}).filter(x, true) == [1]`],
    ...[`dyn(self.${name}).all(i, x, true)`, `dyn(self.${name}).transformList(i, x, x) == [1]`],
  ]),
  ...['dyn(null).a == 1', 'has(dyn(null).a)', 'dyn(null).exists(x, true)', 'dyn(b"a").exists(x, true)'],
  ...[
    'dyn(1u).exists(x, true)',
    'dyn(self.l)[1.5] == 1',
    'dyn(self.l)[true] == 1',
    'dyn(self.l)[1.0] == 2',
    'dyn(self.l)[1u] == 2',
    'dyn(self.l)[?1.0].hasValue()',
    '[1, 2][dyn(1.0)] == 2',
    '[1, 2][dyn(1u)] == 2',
  ],
];

const schema: Schema = {
  type: 'object',
  properties: {
    i: { type: 'integer' },
    s: { type: 'string', maxLength: 5 },
    l: { type: 'array', maxItems: 3, items: { type: 'integer' } },
    m: { type: 'object', maxProperties: 3, additionalProperties: { type: 'integer' } },
    b: { type: 'boolean' },
    n: { type: 'number' },
    d: { type: 'string', format: 'duration', maxLength: 5 },
    t: { type: 'string', format: 'date-time', maxLength: 30 },
  },
};
const value = { i: 7, s: 'ab', l: [1, 2], m: { a: 1 }, b: true, n: 1.5, d: '5s', t: '2024-01-31T12:30:45Z' };

const group = (name: string, rules: readonly string[]): RuleCase => {
  const validations = rules.map((rule): ValidationRule => ({ rule }));
  return { name, schema: { ...schema, 'x-kubernetes-validations': validations }, values: [value] };
};

/** Rules with values of wrong types. */
export const wrongTypes: readonly RuleCase[] = [
  ...['i', 's', 'l', 't'].map((name) =>
    group(
      `functions of self.${name}`,
      methods.map((call) => `dyn(dyn(self.${name}).${call}) == dyn(12345)`),
    ),
  ),
  ...['i', 'b', 'l', 'm', 't', 'd', 'n'].map((name) =>
    group(
      `functions with self.${name}`,
      functions.map((called) => `dyn(${called}(dyn(self.${name}))) == dyn(12345)`),
    ),
  ),
  group('arguments of functions', argumentsOfCalls),
  group('lists of several types', mixedLists),
  group('operators', operators),
  group('parts of values without parts', parts),
];
