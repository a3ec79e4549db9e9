import { statSync } from 'node:fs';
import { expect, inject, test } from 'vitest';

test('the packed package has at most 2.5 MiB', () => {
  const { tarball } = inject('packed') ?? expect.fail('no packed package: run with --project e2e');
  expect(statSync(tarball).size).toBeLessThanOrEqual(2.5 * 1024 * 1024);
});
