import { expect, test } from 'vitest';
import { packageDescription } from '../../../../src/olm/bundle/package-description.ts';

const described = (opsdk: object) => packageDescription(JSON.stringify({ opsdk }, null, 2));
const messagesOf = (opsdk: object) => described(opsdk).findings.map(({ message }) => message);

test.each<[object, string]>([
  [{ keywords: [5] }, 'opsdk.keywords[0]: expected a string, got a number'],
  [{ keywords: ['a', null] }, 'opsdk.keywords[1]: expected a string, got null'],
  [{ maintainers: [null] }, 'opsdk.maintainers[0]: expected an object, got null'],
  [
    { maintainers: [{ name: 5, email: 'ada@example.com' }] },
    'opsdk.maintainers[0].name: expected a string, got a number',
  ],
  [{ maintainers: 'Ada' }, 'opsdk.maintainers: expected an array, got a string'],
  [{ displayName: 5 }, 'opsdk.displayName: expected a string, got a number'],
])('what cannot be read in %j is reported once', (opsdk, message) => {
  expect(messagesOf(opsdk)).toEqual([`${message} (in package.json)`]);
});

test('what can be read is checked', () => {
  const opsdk = { displayName: ' ', keywords: [], maintainers: [{ email: 'ada@example.com' }] };
  expect(messagesOf(opsdk)).toEqual([
    'opsdk.displayName: it is empty (in package.json)',
    'opsdk.keywords: it is empty (in package.json)',
    'opsdk.maintainers: "ada@example.com" has no name in front of a colon (in package.json)',
  ]);
});

test('a provider that is null is a provider that nobody has named', () => {
  expect(described({ displayName: 'Sample', provider: null })).toEqual({
    declared: { displayName: 'Sample' },
    derived: {},
    release: {},
    findings: [],
  });
});
