import { expect, test } from 'vitest';
import { waitLine } from '../../../src/testing/assets/install-assets.ts';
import { version } from './published-archive.ts';

test.each([
  [0, 'waiting for process 7, which is installing Kubernetes 1.35.2'],
  [15_040, 'waiting for process 7, which is installing Kubernetes 1.35.2 (15 s)'],
])('the wait for another installation shows its length (%d ms)', (waited, line) => {
  expect(waitLine({ pid: 7 }, version, waited)).toBe(line);
});
