import type { RuleCase } from './compare.ts';
import { integer, listOf, lists, mapOf, object, rules, text } from './rule-case.ts';

/** Rules for lists, maps and values of several types. */
export const rulesOfLists: readonly RuleCase[] = [
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
      'self.all(self, .self.size() == 2)',
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
];
