import { expect, test } from 'vitest';
import { type CrdChange, conversionNote } from '../../../../../src/kubernetes/crd/diff/change.ts';
import type { Definition } from '../../../../../src/kubernetes/crd/diff/definition.ts';

const definition = (name: string, strategy: string, versions: number) =>
  ({ name, conversion: { strategy }, versions: Array.from({ length: versions }) }) as unknown as Definition;
const change = (crd: string, more: Partial<CrdChange>) =>
  ({ crd, code: 'field-added', ...more }) as CrdChange;

test('changed schemas under conversion by webhook ask for the test of the conversion', () => {
  const now = [definition('a', 'Webhook', 2), definition('b', 'None', 2), definition('c', 'Webhook', 1)];
  const all = now.map(({ name }) => change(name, { version: 'v1' }));
  expect(conversionNote(all, now)).toBe(
    'a: a webhook converts between the versions, which this comparison does not see. Test the conversion: expectRoundTrip of opsdk/testing.',
  );
  expect(conversionNote([change('a', {})], now)).toBeUndefined();
  expect(conversionNote([change('a', { version: 'v1', code: 'documentation' })], now)).toBeUndefined();
});
