// Unit tests; they need no cluster and no binaries.
import { expect, it } from 'vitest';
import { isOurs } from '../../../src/controllers/apps/deployment.ts';

it('works on objects that have the label, and on no others', () => {
  expect(isOurs({ labels: { 'core.example.com/managed': 'true' } })).toBe(true);
  expect(isOurs({ labels: { 'core.example.com/managed': 'false' } })).toBe(false);
  expect(isOurs({})).toBe(false);
});
