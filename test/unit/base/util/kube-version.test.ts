import { expect, test } from 'vitest';
import { newerFirst } from '../../../../src/base/util/kube-version.ts';

test('versions are ranked as the API server ranks them', () => {
  const ranked = [
    'v10',
    'v2',
    'v1',
    'v11beta2',
    'v10beta3',
    'v3beta1',
    'v12alpha1',
    'v11alpha2',
    'foo1',
    'foo10',
  ];
  expect([...ranked].reverse().sort(newerFirst)).toEqual(ranked);
});
