import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FindingList } from '../../../src/base/errors/index.ts';
import { folderEntries } from '../../../src/images/index.ts';
import { tempFolder } from './temp-folder.ts';

const folder = tempFolder();

async function refusals(): Promise<readonly string[]> {
  const findings = new FindingList();
  await folderEntries({ path: folder(), shown: 'bundle' }, ['manifests'], findings);
  return findings.all.map(({ code, message }) => `${code}: ${message}`);
}

test('a folder with more bytes than any bundle is refused, once and unread', async () => {
  mkdirSync(join(folder(), 'manifests'));
  for (const name of ['a', 'b', 'c']) {
    const path = join(folder(), 'manifests', name);
    writeFileSync(path, '');
    truncateSync(path, 20 * 1024 * 1024);
  }
  expect(await refusals()).toEqual([
    'oci/unfit-file: bundle/manifests/b is one file too many: together they have more than 33554432 bytes',
  ]);
});

test('so is one with more files', async () => {
  mkdirSync(join(folder(), 'manifests'));
  for (let index = 0; index < 5010; index++)
    writeFileSync(join(folder(), 'manifests', `${10_000 + index}`), '');
  // The folder itself is the first.
  expect(await refusals()).toEqual([
    'oci/unfit-file: bundle/manifests/14999 is one file too many: together they have more than 5000 files, folders and links',
  ]);
});
