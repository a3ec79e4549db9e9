import type { RuleCase } from './compare.ts';
import {
  integer,
  keyed,
  listOf,
  mapOf,
  numbers,
  object,
  pair,
  pairs,
  rules,
  text,
  texts,
  transitions,
} from './rule-case.ts';

/** Rules about changes, and the fields of a rule. */
export const rulesWithFields: readonly RuleCase[] = [
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
