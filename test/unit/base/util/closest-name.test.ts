import { expect, test } from 'vitest';
import { closestName } from '../../../../src/base/util/terminal-words.ts';

test.each([
  ['minimun', ['maximum', 'minimum'], 'minimum'],
  ['Get', ['get', 'list'], 'get'],
  ['gett', ['get', 'list'], 'get'],
  ['namespaced', ['Namespaced', 'Cluster'], 'Namespaced'],
  ['replica', ['replicas', 'revision'], 'replicas'],
  ['x', ['replicas'], undefined],
  ['completely', ['different'], undefined],
  ['', ['a'], 'a'],
  ['a', [], undefined],
])('%j among %j is %j', (word, candidates, expected) => {
  expect(closestName(word, candidates)).toBe(expected);
});

test('of equals the first', () => {
  expect(closestName('cat', ['bat', 'hat'])).toBe('bat');
});
