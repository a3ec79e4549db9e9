import { expect, it } from 'vitest';
import { createNames, kindIdentifier, singular } from '../../../../src/compiler/import/names.ts';

it.each([
  ['containers', 'container'],
  ['policies', 'policy'],
  ['addresses', 'address'],
  ['matchExpressions', 'matchExpression'],
  ['statuses', 'status'],
  ['boxes', 'box'],
  ['databases', 'database'],
  ['status', undefined],
  ['dns', undefined],
  ['alias', undefined],
  ['env', undefined],
  ['items2', undefined],
])('the singular of %s is %s', (plural, expected) => {
  expect(singular(plural)).toBe(expected);
});

it('names are given once, and never those of utility types', () => {
  const names = createNames({ own: ['Object'] });
  expect(names.take('ObjectMeta')).toBe('ObjectMeta2');
  expect(names.take('ObjectSpec')).toBe('ObjectSpec');
  expect(names.take('ObjectSpec')).toBe('ObjectSpec2');
});

it('names are never those under which a file imports what its kind is called like', () => {
  const names = createNames({ own: ['Int32', 'defineResource'] });
  expect(names.take('OpsdkInt32')).toBe('OpsdkInt322');
  expect(names.take('OpsdkDefineResource')).toBe('OpsdkDefineResource2');
  expect(names.take('OpsdkInt64')).toBe('OpsdkInt64');
});

it('a kind that is not a valid name in TypeScript gets one', () => {
  expect(['Memcached', 'string', 'foo-bar', 'fooBar', '3scale'].map(kindIdentifier)).toEqual([
    'Memcached',
    'String',
    'FooBar',
    'fooBar',
    'Kind3scale',
  ]);
});
