import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renamesSince } from '../../../../src/project/upgrade/index.ts';
import { repositoryRoot } from '../../../helpers/source-files.ts';

const table = ['1.1.0', '1.2.0', '2.0.0'].map((version) => ({
  version,
  module: 'opsdk',
  from: `before${version}`,
  to: `since${version}`,
}));
let root = '';

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-renames-')));
  mkdirSync(join(root, 'templates'));
  writeFileSync(join(root, 'templates/api-renames.json'), JSON.stringify(table));
});
afterAll(() => rmSync(root, { recursive: true }));

test('the renames after one version and up to another are those that the newer package lists', async () => {
  expect(await renamesSince('1.1.0', { root, version: '1.3.0' })).toEqual([table[1]]);
  expect(await renamesSince('1.0.0', { root, version: '2.0.0' })).toEqual(table);
  expect(await renamesSince('2.0.0', { root, version: '2.0.0' })).toEqual([]);
});

test('a package without the list has no renames', async () => {
  const version = '9.0.0';
  expect(await renamesSince('1.0.0', { root: join(root, 'templates'), version })).toEqual([]);
});

test('the list of this package is ordered by versions', async () => {
  const versions = (await renamesSince('0.0.0', { root: repositoryRoot, version: '999.0.0' })).map(
    ({ version }) => version,
  );
  const numeric = new Intl.Collator('en', { numeric: true });
  expect(versions).toEqual([...versions].sort((a, b) => numeric.compare(a, b)));
});
