import { expect, test } from 'vitest';
import {
  planKeys,
  readKeys,
  signingKey,
  keySecretData,
} from '../../../../../../src/sdk/runtime/webhook/conversion-key/conversion-keys.ts';

const times = { rotateAfter: 1_000_000, settle: 10_000 };
const start = 1_700_000_000_000;

test('every replica makes the first key, the leader alone the next one, and former ones stay readable', () => {
  const first = planKeys([], times, { now: start, leads: false })!;
  expect(first).toHaveLength(1);
  expect(planKeys(first, times, { now: start + times.rotateAfter, leads: false })).toBeUndefined();
  expect(planKeys(first, times, { now: start + times.rotateAfter - 1, leads: true })).toBeUndefined();
  const second = planKeys(first, times, { now: start + times.rotateAfter, leads: true })!;
  expect(second.map(({ id }) => id)).toEqual([first[0]!.id, expect.not.stringContaining(first[0]!.id)]);
  // As the other replicas read it.
  expect(readKeys(keySecretData(second))).toEqual(second);
});

test('a new key signs only when all replicas know it; the first one at once', () => {
  const first = planKeys([], times, { now: start, leads: true })!;
  expect(signingKey(first, times, start)).toBe(first[0]);
  const now = start + times.rotateAfter;
  const second = planKeys(first, times, { now, leads: true })!;
  expect(signingKey(second, times, now + times.settle - 1)).toBe(second[0]);
  expect(signingKey(second, times, now + times.settle)).toBe(second[1]);
  expect(signingKey([], times, now)).toBeUndefined();
});

test('entries of a Secret that are no keys are passed over', () => {
  const short = Buffer.alloc(31).toString('base64');
  const other = Buffer.alloc(32).toString('base64');
  expect(readKeys({ 'key-1-ab': short, 'tls.key': other, 'key-x-ab': other })).toEqual([]);
  expect(readKeys({ 'key-2-ab': other, 'key-1-ab': other }).map(({ id }) => id)).toEqual([
    'key-1-ab',
    'key-2-ab',
  ]);
});
