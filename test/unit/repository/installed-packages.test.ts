// The size of a new project's node_modules, beside its record.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  installedSize,
  packageBytes,
  sizeFindings,
  sizeTable,
  type InstalledSize,
} from '../../helpers/installed-packages.ts';

const project = mkdtempSync(join(tmpdir(), 'op-sdk-installed-'));
afterAll(() => rmSync(project, { recursive: true }));

const record: InstalledSize = {
  node: '20',
  platform: 'linux-x64',
  totalMB: 100,
  largest: [{ name: 'typescript', MB: 60, purpose: 'compiles' }],
};
const told = { record, file: 'size.json', update: 'npm run size' };

test('the bytes of a package are those of its files, of all its copies, without packages nested in it', () => {
  const files = {
    'a/index.js': 10,
    'a/test/node_modules/fixture.js': 5,
    'a/node_modules/@s/b/index.js': 300,
    '@s/b/index.js': 4000,
    '.cache/of-a-tool': 1,
  };
  for (const [path, bytes] of Object.entries(files)) {
    const file = join(project, 'node_modules', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'x'.repeat(bytes));
  }
  const packages = ['a', 'a/node_modules/@s/b', '@s/b', 'for-another-platform'].map((path) => [
    `node_modules/${path}`,
    {},
  ]);
  writeFileSync(
    join(project, 'node_modules/.package-lock.json'),
    JSON.stringify({ packages: Object.fromEntries(packages) as unknown }),
  );
  expect(Object.fromEntries(packageBytes(project))).toEqual({ a: 15, '@s/b': 4300 });
});

test('the ten largest keep the purposes of the record', () => {
  const sizes = new Map(Array.from({ length: 11 }, (_, index) => [`p${index}`, index * 1e6] as const));
  const installed = installedSize(new Map([...sizes, ['typescript', 60e6]]), record);
  expect(installed.totalMB).toBe(115);
  expect(installed.largest.map(({ name }) => name)).toEqual([
    'typescript',
    ...['p10', 'p9', 'p8', 'p7', 'p6', 'p5', 'p4', 'p3', 'p2'],
  ]);
  expect(installed.largest[0]).toEqual({ name: 'typescript', MB: 60, purpose: 'compiles' });
  expect(sizeTable(installed)).toContain('\n   60.0  typescript                          compiles\n');
});

test('a sum up to 5 % over the record passes', () => {
  expect(sizeFindings({ ...record, totalMB: 105 }, told)).toEqual([]);
  expect(sizeFindings({ ...record, totalMB: 50 }, told)).toEqual([]);
});

test('a larger sum and a large package without a purpose fail, with what to do', () => {
  const largest = [...record.largest, { name: 'prettier', MB: 11.4, purpose: '' }];
  expect(sizeFindings({ ...record, totalMB: 105.1, largest }, told)).toEqual([
    expect.stringMatching(
      /expected at most 105\.0 MB .*got 105\.1 MB\. .*`npm run size`.* reason in the body of the commit/,
    ),
    expect.stringMatching(/^prettier, 11\.4 MB, .*say what it is for\. `npm run size` adds it to size\.json/),
  ]);
});
