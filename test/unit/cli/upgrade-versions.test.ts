import { expect, test } from 'vitest';
import { isTag } from '../../../src/cli/actions/upgrade/versions.ts';

test.each(['latest', 'next', 'release-1.x', 'v2-beta'])('%s is a tag of the registry', (wanted) => {
  expect(isTag(wanted)).toBe(true);
});

test.each(['1.2.3', 'v1.2.3', '1', '1.x', '^1.2.0', '>=1 <2', 'opsdk-1.4.0.tgz', './opsdk.tar.gz', 'a/b'])(
  '%s is none',
  (wanted) => {
    expect(isTag(wanted)).toBe(false);
  },
);
