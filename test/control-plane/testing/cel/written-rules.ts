import type { Json, Schema } from '../../../../src/kubernetes/objects/index.ts';
import type { ValidationRule } from '../../../../src/kubernetes/objects/index.ts';
import type { RuleCase } from './compare.ts';

const text: Schema = { type: 'string', maxLength: 60 };
const integer: Schema = { type: 'integer' };
const number: Schema = { type: 'number' };
const flag: Schema = { type: 'boolean' };
const listOf = (items: Schema, more: Partial<Schema> = {}): Schema => ({
  type: 'array',
  maxItems: 5,
  items,
  ...more,
});
const object = (properties: Record<string, Schema>, more: Partial<Schema> = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});
const mapOf = (values: Schema): Schema => ({
  type: 'object',
  maxProperties: 5,
  additionalProperties: values,
});
const formatted = (format: string): Schema => ({ ...text, format });

type Rule = string | ValidationRule;

function rules(
  schema: Schema,
  written: Rule | readonly Rule[],
  values: readonly Json[],
  updates: readonly (readonly [Json, Json])[] = [],
): RuleCase {
  const list = (Array.isArray(written) ? written : [written]) as readonly Rule[];
  const validations = list.map((rule) => (typeof rule === 'string' ? { rule } : rule));
  return {
    name: validations
      .map(({ rule, messageExpression = '' }) => `${rule} ${messageExpression}`.trim())
      .join('; '),
    schema: { ...schema, 'x-kubernetes-validations': validations },
    values,
    updates,
  };
}

const texts = [
  '',
  'a',
  'abc',
  'Hello, world',
  'aXbXc',
  '  x ',
  'äöü€😀',
  '10.0.0.1',
  '1.2.3',
  'https://a.example:8080/p/q?x=1&y=2#f',
];
const numbers = [-1, 0, 1, 2, 7, 100];
const pair = object({ a: integer, b: integer, name: { ...text, maxLength: 10 }, on: flag });
const pairs = [
  {},
  { a: 1 },
  { a: 1, b: 2 },
  { a: 2, b: 1 },
  { a: 0, b: 0, name: 'x', on: true },
  { name: 'abc', on: false },
];
const set = listOf(text, { 'x-kubernetes-list-type': 'set' });
const keyed = listOf(object({ name: text, port: integer }, { required: ['name'] }), {
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
});
const lists = [[], ['a'], ['b', 'a'], ['a', 'b', 'c'], ['', 'x']];
const keyedLists = [
  [],
  [{ name: 'a', port: 1 }],
  [{ name: 'a', port: 2 }, { name: 'b' }],
  [{ name: 'b' }, { name: 'a', port: 2 }],
];

const quantities = [
  '1',
  '0',
  '-1',
  '1k',
  '1Ki',
  '500m',
  '1000m',
  '0.5',
  '1.0',
  '1e3',
  '1E',
  '0.5Gi',
  '12345678901234567890',
  'x',
  '',
  '1 Gi',
  '1kk',
  '.5',
  '5.',
];
const addresses = [
  '10.0.0.1',
  '127.0.0.1',
  '::1',
  '2001:db8::1',
  '2001:DB8:0:0:0:0:0:1',
  'fe80::1',
  'fe80::1%eth0',
  '::ffff:1.2.3.4',
  '0.0.0.0',
  '224.0.0.1',
  '169.254.1.1',
  '256.1.1.1',
  '01.2.3.4',
  'ff02::1',
  '2001:db8:0:0:1:0:0:1',
  '',
  'x',
];
const networks = [
  '10.0.0.0/8',
  '10.1.2.3/8',
  '0.0.0.0/0',
  '2001:db8::/32',
  '10.0.0.0/33',
  '10.0.0.0',
  '10.0.0.0/08',
  '::ffff:1.2.3.4/96',
  '',
];
const urls = [
  'https://a.example:8080/p/q?x=1&y=2&x=3',
  'http://[::1]:80/',
  'http://[::1]',
  '/path',
  'path',
  '',
  '*',
  'mailto:a@b',
  'https://u:p@h/a%20b',
  'http://a b/',
  'http://h:x/',
  'HTTP://UP/',
  'https://h?q',
  'http://h/%zz',
  'https://h/ä?a=%41+b',
];
const versions = [
  '1.2.3',
  'v1.2.3',
  '1.2',
  '01.2.3',
  '1.2.3-rc.1',
  '1.2.3-rc.1+b.2',
  '1.2.3-01',
  '1.2.3+',
  '2.0.0',
  '',
  'x',
  '1.2.x',
  '1.10.0',
];
const times = [
  '2024-01-31T12:30:45Z',
  '2024-02-29T23:59:59.123456789Z',
  '2024-12-31T00:00:00+02:00',
  '1969-12-31T23:59:59.5Z',
  '2024-02-30T00:00:00Z',
  'x',
];
const durations = ['1s', '1h30m', '-5m', '90s', '100ms', '1.5h', '0', 'x', '2 days'];
const regexes = ['a+', '(?i)abc', '[', '^$', '\\d+', '(?=a)'];

const transitions: readonly (readonly [Json, Json])[] = [
  [{ a: 1 }, { a: 1 }],
  [{ a: 1 }, { a: 2 }],
  [{ a: 2 }, { a: 1 }],
  [{}, { a: 1 }],
  [{ a: 1 }, {}],
  [
    { a: 1, b: 1 },
    { a: 1, b: 2 },
  ],
];

/** Rules for each part of the language, its libraries and the fields of a rule. */
export const writtenRules: readonly RuleCase[] = [
  rules(integer, ['self > 0', 'self % 2 == 0', '10 / self > 1', '10 % self == 0'], numbers),
  rules(
    integer,
    [
      'self * 9223372036854775807 > 0',
      '-self < 5',
      'self + 9223372036854775807 > 0',
      'self - 9223372036854775807 - 5 < 0',
    ],
    numbers,
  ),
  rules(
    number,
    [
      'self > 0.5',
      'self + 1.0 < 3.0',
      'self / 0.0 > 1.0',
      'self > 1',
      'string(self) == "1.5"',
      'int(self) == 1',
    ],
    [0, 1, 1.5, 2.75, -0.25, 1e21, 1e-7],
  ),
  rules(flag, ['self', '!self', 'self == true || string(self) == "false"'], [true, false]),
  rules(
    pair,
    ['self.a < self.b', 'has(self.a) && self.a == 1', '!has(self.name) || self.name.size() > 1', 'self.on'],
    pairs,
  ),
  rules(
    pair,
    [
      'self.a == 1 || self.b == 2',
      'self.a == 1 && self.b == 2',
      'has(self.a) ? self.a > 0 : true',
      'has(self.on) ? self.on : self.name == "abc"',
    ],
    pairs,
  ),
  rules(
    pair,
    [
      'self == self',
      'size(self.name) == 3',
      '[self.a, self.b].exists(x, x == 2)',
      '{"x": self.a}["x"] == 1',
      '{"x": 1}[self.name] == 1',
    ],
    pairs,
  ),
  rules(
    pair,
    [
      'self.?a.orValue(5) > 1',
      'self.?name.hasValue()',
      'self.?a.optMap(x, x + 1).orValue(0) == 2',
      'self.?a.or(self.?b).value() == 1',
      'optional.none().hasValue() || optional.ofNonZeroValue(0).hasValue()',
      '[?self.?a, ?self.?b].size() == 2',
      '{?"k": self.?a}.size() == 1',
      'self.?a.optFlatMap(x, optional.of(x)).hasValue()',
    ],
    pairs,
  ),
  rules(
    text,
    [
      "self.startsWith('a')",
      "self.endsWith('c')",
      "self.contains('X')",
      "self.matches('^[a-z]+$')",
      'self.size() < 5',
      "self in ['a', 'abc']",
    ],
    texts,
  ),
  rules(
    text,
    [
      "self.charAt(1) == 'b'",
      "self.indexOf('X') == 1",
      "self.indexOf('X', 2) == 3",
      "self.lastIndexOf('X') == 3",
      "self.lastIndexOf('X', 2) == 1",
      "self.indexOf('') == 0",
      "self.lastIndexOf('') == 3",
    ],
    texts,
  ),
  rules(
    text,
    [
      'self.lowerAscii() == self',
      'self.upperAscii() != self',
      "self.replace('X', '-') == self",
      "self.replace('X', '-', 1) == 'a-bXc'",
      "self.replace('', '.') == '.a.'",
      'self.trim() == self',
    ],
    texts,
  ),
  rules(
    text,
    [
      "self.split('X').size() == 3",
      "self.split('X', 2).size() == 2",
      "self.split('').size() == 3",
      "self.substring(1) == 'bc'",
      "self.substring(1, 2) == 'b'",
      "self.substring(2, 1) == ''",
    ],
    texts,
  ),
  rules(
    { ...text, maxLength: 10 },
    ['strings.quote(self) == \'"a"\'', "'%s-%d'.format([self, 5]) == 'a-5'"],
    texts,
  ),
  rules(integer, ["'%.2f|%x|%b|%o'.format([1234.5, self, 5, 8]) == '1,234.50|ff|101|10'"], [1, 255]),
  rules(
    text,
    [
      "self.find('[a-c]+') == 'a'",
      "self.findAll('[a-c]').size() == 3",
      "self.findAll('[a-c]', 1).size() == 1",
      "'abc'.matches(self)",
    ],
    [...texts, ...regexes],
  ),
  rules(
    text,
    [
      'int(self) > 5',
      'double(self) > 0.5',
      'bool(self)',
      "bytes(self) == b'abc'",
      'string(bytes(self)) == self',
      'uint(self) == 7u',
      "duration(self) > duration('1s')",
      'timestamp(self).getFullYear() == 2024',
    ],
    ['7', '0.7', 'true', 'abc', '-5', '+5', 'T', '1e3', ' 1', '99999999999999999999', ...durations, ...times],
  ),
  rules(
    set,
    [
      "self == ['b', 'a']",
      "['b', 'a'] == self",
      "self + ['a', 'z'] == ['a', 'b', 'z']",
      "size(self + ['a', 'z']) == 3",
      "'a' in self",
      'self.all(x, x.size() > 0)',
    ],
    lists,
  ),
  rules(
    keyed,
    [
      "self.exists(x, x.name == 'a' && x.port == 2)",
      'self.all(x, has(x.port))',
      'size(self + self) == size(self)',
      'self.filter(x, has(x.port)).size() == 1',
      'self[0].port == 1',
    ],
    keyedLists,
  ),
  rules(
    keyed,
    ['self == oldSelf', 'self.all(x, oldSelf.exists(y, y.name == x.name))', 'size(self + oldSelf) == 2'],
    keyedLists,
    [
      [keyedLists[2] ?? [], keyedLists[3] ?? []],
      [keyedLists[1] ?? [], keyedLists[2] ?? []],
      [[], []],
    ],
  ),
  rules(set, ['self == oldSelf', 'oldSelf.all(x, x in self)'], lists, [
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [['a'], ['a', 'b']],
    [['a', 'b'], ['a']],
  ]),
  rules(listOf(text), ['self == oldSelf', "self + oldSelf == ['a', 'b', 'b', 'a']"], lists, [
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [
      ['b', 'a'],
      ['a', 'b'],
    ],
  ]),
  rules(
    listOf(text),
    [
      "self[0] == 'a'",
      "self[5] == 'a'",
      "['a'][self.size()] == 'a'",
      'self.exists_one(x, x == "a")',
      'self.map(x, x.size() > 0, x) == self',
      'self.filter(x, x > "a").size() > 0',
    ],
    lists,
  ),
  rules(
    listOf(text),
    [
      "self.indexOf('a') == 0",
      "self.lastIndexOf('a') == 0",
      'self.isSorted()',
      "self.min() == 'a'",
      "self.max() == 'c'",
      'self.join() == "abc"',
      'self.join(",") == "a,b,c"',
    ],
    lists,
  ),
  rules(
    listOf(integer),
    [
      'self.sum() == 6',
      'self.min() == 1',
      'self.max() == 3',
      'self.isSorted()',
      'self.map(x, 6 / x).sum() > 1',
      'self.all(x, 6 / x > 0)',
      'self.exists(x, 6 / x == 6)',
      'self.exists_one(x, 6 / x == 6)',
    ],
    [[], [1], [1, 2, 3], [3, 2, 1], [0, 1], [1, 0], [0], [1, 1]],
  ),
  rules(
    listOf(integer),
    [
      'sets.contains(self, [1])',
      'sets.equivalent(self, [1, 2])',
      'sets.intersects(self, [2, 3])',
      'self.distinct().size() == self.size()',
      'self.sort() == self',
      'self.reverse()[0] == 1',
      'self.slice(0, 1) == [1]',
      '[self, [9]].flatten().size() == 3',
      'self.first().orValue(0) == 1',
      'self.last().orValue(0) == 2',
      'lists.range(3) == [0, 1, 2]',
      'self.sortBy(x, -x)[0] == 2',
    ],
    [[], [1], [1, 2], [2, 1, 1], [3]],
  ),
  rules(
    listOf(integer),
    [
      'self.all(i, v, i < v)',
      'self.exists(i, v, i == v)',
      'self.existsOne(i, v, v == 1)',
      'self.exists_one(i, v, v == 1)',
      'self.transformList(i, v, i + v).sum() > 3',
      'self.transformList(i, v, v > 1, v).size() == 1',
      'self.transformMap(i, v, v)[0] == 1',
      'self.transformMapEntry(i, v, {v: i}).size() == 2',
    ],
    [[], [1], [1, 2], [1, 1], [0, 1]],
  ),
  rules(
    mapOf(integer),
    [
      'self.all(k, self[k] > 0)',
      "'a' in self",
      "self['a'] == 1",
      'self.exists(k, v, v == 2)',
      'self.all(k, v, k != "b" || v == 2)',
      'self.transformMap(k, v, v + 1).exists(k, v, v == 2)',
      'size(self) < 2',
      'has(self.a)',
      "self == {'a': 1}",
      'self.transformList(k, v, v).sum() == 3',
    ],
    [{}, { a: 1 }, { b: 2 }, { a: 1, b: 2 }, { a: 0 }],
  ),
  rules(
    object({ 'a-b': integer, 'x.y': integer, namespace: text, 'p/q': integer, a__b: integer, if: integer }),
    [
      'self.a__dash__b == 1',
      'self.x__dot__y == 1',
      "self.__namespace__ == 'x'",
      "self.namespace == 'x'",
      'self.p__slash__q == 1',
      'self.a__underscores__b == 1',
      'self.__if__ == 1',
    ],
    [{}, { 'a-b': 1, 'x.y': 1, namespace: 'x', 'p/q': 1, a__b: 1, if: 1 }, { namespace: 'y', if: 2 }],
  ),
  rules(
    { 'x-kubernetes-int-or-string': true, maxLength: 20 },
    [
      "type(self) == int ? self > 5 : self.endsWith('%')",
      'self > 5',
      "self == '10%' || self == 10",
      'type(self) == string',
      'int(self) == 10',
      "string(self) == '10'",
    ],
    [1, 10, '10%', 'abc', '10', 0],
  ),
  rules(
    object({ m: { ...text, nullable: true }, n: listOf({ ...text, nullable: true }, {}) }),
    ['has(self.m)', "self.m == 'x'", 'self.n.exists(x, dyn(x) == null)', 'self.n.all(x, dyn(x) != null)'],
    [{}, { m: null }, { m: 'x' }, { n: [null] }, { n: ['a', null] }],
  ),
  rules(
    object(
      { known: integer, any: { 'x-kubernetes-preserve-unknown-fields': true } },
      { 'x-kubernetes-preserve-unknown-fields': true },
    ),
    ['self == oldSelf', 'has(self.known)'],
    [{}, { known: 1, other: 2 }],
    [
      [
        { known: 1, other: 1 },
        { known: 1, other: 1 },
      ],
      [
        { known: 1, other: 1 },
        { known: 1, other: 2 },
      ],
      [{ other: 1 }, { another: 1 }],
      [{ any: { x: 1 } }, { any: { x: 2 } }],
      [{ any: [1] }, { any: [1] }],
    ],
  ),
  rules(
    { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    [
      "self.kind == 'Pod'",
      "self.metadata.name == 'a'",
      "self.apiVersion.startsWith('v')",
      'has(self.metadata.generateName)',
    ],
    [
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } },
      { apiVersion: 'v1', kind: 'Pod' },
      { apiVersion: 'x/v1', kind: 'X', metadata: { generateName: 'a-' } },
    ],
  ),
  rules(
    formatted('date-time'),
    [
      "self > timestamp('2024-02-01T00:00:00Z')",
      'self.getFullYear() == 2024',
      'self.getMonth() == 0',
      'self.getDate() == 31',
      'self.getDayOfMonth() == 30',
      'self.getDayOfWeek() == 3',
      'self.getDayOfYear() == 30',
      'self.getHours() == 12',
      "self.getHours('Europe/Berlin') == 13",
      "self.getMinutes('+01:30') == 0",
      'self.getSeconds() == 45',
      'self.getMilliseconds() == 123',
      "string(self) == '2024-01-31T12:30:45Z'",
      'int(self) > 0',
      "self + duration('1h') > self",
      "self - timestamp('2024-01-01T00:00:00Z') > duration('1h')",
    ],
    times,
  ),
  rules(
    formatted('date'),
    ["self > timestamp('2024-02-01T00:00:00Z')", 'self.getDate() == 31'],
    ['2024-01-31', '2024-02-29', 'x'],
  ),
  rules(
    formatted('duration'),
    [
      "self > duration('1m')",
      'self.getHours() == 1',
      'self.getMinutes() == 90',
      'self.getSeconds() == 90',
      'self.getMilliseconds() == 100',
      "string(self) == '90s'",
      "self + self > duration('2h')",
      'self == duration("1h30m")',
    ],
    durations,
  ),
  rules(
    formatted('byte'),
    ["self == b'abc'", 'self.size() == 3', "string(self) == 'abc'", "self < b'b'"],
    ['YWJj', '', '/w==', 'x', 'YQ=='],
  ),
  rules(
    text,
    [
      'isQuantity(self)',
      "quantity(self).isGreaterThan(quantity('1'))",
      "quantity(self).isLessThan(quantity('1Ki'))",
      "quantity(self).compareTo(quantity('1k')) == 0",
      'quantity(self).isInteger()',
      'quantity(self).asInteger() == 1',
      'quantity(self).asApproximateFloat() > 0.5',
      'sign(quantity(self)) == 1',
      "quantity(self).add(quantity('1')).compareTo(quantity('2')) == 0",
      'quantity(self).sub(1).asInteger() == 0',
      "quantity(self) == quantity('1000')",
      'quantity(self).add(5).isInteger()',
    ],
    quantities,
  ),
  rules(
    text,
    [
      'isIP(self)',
      'ip(self).family() == 4',
      'ip.isCanonical(self)',
      'ip(self).isLoopback()',
      'ip(self).isUnspecified()',
      'ip(self).isGlobalUnicast()',
      'ip(self).isLinkLocalUnicast()',
      'ip(self).isLinkLocalMulticast()',
      'string(ip(self)) == self',
      "ip(self) == ip('10.0.0.1')",
      "cidr('10.0.0.0/8').containsIP(self)",
    ].map((rule) => rule),
    addresses,
  ),
  rules(
    text,
    [
      'isCIDR(self)',
      'cidr(self).prefixLength() == 8',
      "cidr(self).containsIP('10.1.1.1')",
      "cidr(self).containsIP(ip('10.1.1.1'))",
      "cidr(self).containsCIDR('10.0.0.0/16')",
      "cidr(self).containsCIDR(cidr('10.0.0.0/16'))",
      'cidr(self).masked() == cidr(self)',
      "cidr(self).ip() == ip('10.0.0.0')",
      'string(cidr(self)) == self',
    ],
    networks,
  ),
  rules(
    { ...text, maxLength: 100 },
    [
      'isURL(self)',
      "url(self).getScheme() == 'https'",
      "url(self).getHost() == 'a.example:8080'",
      "url(self).getHostname() == '::1'",
      "url(self).getPort() == '80'",
      "url(self).getEscapedPath() == '/p/q'",
      "url(self).getQuery()['x'] == ['1', '3']",
      'url(self) == url(self)',
      "url(self).getEscapedPath() == '/a%20b'",
      "url(self).getEscapedPath() == '/%C3%A4'",
    ],
    urls,
  ),
  rules(
    text,
    [
      'isSemver(self)',
      'isSemver(self, true)',
      "semver(self).isGreaterThan(semver('1.2.3-rc.1'))",
      "semver(self, true).compareTo(semver('1.2.3')) == 0",
      "semver(self).isLessThan(semver('1.10.0'))",
      'semver(self).major() == 1',
      'semver(self).minor() == 2',
      'semver(self).patch() == 3',
      "semver(self) == semver('1.2.3')",
    ],
    versions,
  ),
  rules(
    text,
    [
      ...[
        'dns1123Label',
        'dns1123Subdomain',
        'dns1035Label',
        'qualifiedName',
        'dns1123LabelPrefix',
        'dns1123SubdomainPrefix',
        'dns1035LabelPrefix',
        'labelValue',
        'uuid',
        'byte',
        'date',
        'datetime',
        'uri',
      ].map((name): ValidationRule => ({
        rule: `!format.${name}().validate(self).hasValue()`,
        messageExpression: `format.${name}().validate(self).orValue(['none'])[0]`,
      })),
      "format.named('dns1123Label').hasValue()",
      'format.named(self).hasValue()',
    ],
    [
      'abc',
      'a-',
      'A',
      'a.b',
      'a/b',
      '1a',
      '',
      '-',
      'YWJj',
      '2024-01-31',
      '2024-01-31T00:00:00Z',
      '/x',
      'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    ],
  ),
  rules(pair, 'self.a >= oldSelf.a', pairs, transitions),
  rules(pair, ['self.?a == oldSelf.?a', '!has(oldSelf.a) || has(self.a)'], pairs, transitions),
  rules(
    pair,
    [
      { rule: 'oldSelf.hasValue() || self.?a.orValue(0) > 0', optionalOldSelf: true },
      {
        rule: 'oldSelf.optMap(o, o.?a.orValue(0) <= self.?a.orValue(0)).orValue(true)',
        optionalOldSelf: true,
        message: 'a must not shrink',
      },
    ],
    pairs,
    transitions,
  ),
  rules(
    pair,
    [
      { rule: 'has(self.a)', fieldPath: '.a', message: ' a is needed ' },
      { rule: 'has(self.b)', fieldPath: '.b', reason: 'FieldValueRequired' },
      { rule: 'has(self.name)', fieldPath: '.name', reason: 'FieldValueForbidden', message: 'no name' },
      { rule: 'has(self.on)', reason: 'FieldValueDuplicate' },
    ],
    pairs,
  ),
  rules(
    pair,
    [
      { rule: 'self.a > 5', messageExpression: "self.a == 1 ? 'a is one' : 'a is small'" },
      { rule: 'self.b > 5', messageExpression: "self.name + ' has b'", message: 'fallback' },
      { rule: '!has(self.a) || self.a > 5', messageExpression: "''" },
      { rule: '!has(self.b) || self.b > 5', messageExpression: "'a\\nb'", message: 'with newline' },
      { rule: 'has(self.on)', messageExpression: "'  trimmed  '" },
    ],
    pairs,
  ),
  rules(
    integer,
    [
      { rule: 'self > 5', reason: 'FieldValueDuplicate' },
      { rule: 'self > 6', reason: 'FieldValueForbidden', message: 'too small' },
      { rule: 'self > 7', messageExpression: "'expected more than 7, got %d'.format([self])" },
    ],
    numbers,
  ),
  rules(text, [{ rule: 'self.size() > 20', reason: 'FieldValueDuplicate' }, 'self.size() > 30'], texts),
  rules(
    object({
      list: listOf(
        object(
          { n: integer },
          { 'x-kubernetes-validations': [{ rule: 'self.n > 0' }, { rule: 'has(self.n)' }] },
        ),
      ),
      keyed: {
        ...keyed,
        items: {
          ...keyed.items,
          'x-kubernetes-validations': [{ rule: 'has(self.port)' }, { rule: 'self.port >= oldSelf.port' }],
        },
      },
      map: mapOf({
        ...integer,
        'x-kubernetes-validations': [{ rule: 'self > 0' }, { rule: 'self >= oldSelf' }],
      }),
    }),
    'true',
    [{ list: [{ n: 0 }, {}] }, { map: { a: 0, b: 1 } }, { keyed: [{ name: 'a' }] }],
    [
      [{ list: [{ n: 2 }] }, { list: [{ n: 1 }] }],
      [{ map: { a: 2 } }, { map: { a: 1 } }],
      [
        { keyed: [{ name: 'a', port: 2 }] },
        {
          keyed: [
            { name: 'b', port: 1 },
            { name: 'a', port: 1 },
          ],
        },
      ],
    ],
  ),
];
