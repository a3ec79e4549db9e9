// Unit tests; they need no cluster and no binaries.
import { expect, it } from 'vitest';
import { isOurs } from '../../../src/controllers/parts/gadgets.ts';

it('works on objects that have the label, and on no others', () => {
  expect(isOurs({ labels: { 'external.example.com/managed': 'true' } })).toBe(true);
  expect(isOurs({ labels: { 'external.example.com/managed': 'false' } })).toBe(false);
  expect(isOurs({})).toBe(false);
});
