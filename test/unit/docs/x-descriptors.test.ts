// The guide to bundles lists the x-descriptors that are known, and no others.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { knownXDescriptors } from '../../../src/compiler/schema/descriptors/x-descriptors.ts';

test('docs/bundles.md lists the known x-descriptors', () => {
  const page = readFileSync(fileURLToPath(new URL('../../../docs/bundles.md', import.meta.url)), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `urn:'));
  const listed = rows.flatMap((row) =>
    [...row.matchAll(/`(urn:[^`<]+)[^`]*`/g)].map(([, name = '']) => name),
  );
  expect(listed.toSorted()).toEqual(knownXDescriptors.toSorted());
});
