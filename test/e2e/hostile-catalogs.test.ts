// Catalogues that were made to do harm: each command refuses them with a code, within 300 MB of memory, and writes nothing.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { archive, imageOfLayer, tarBomb } from '../helpers/hostile-image.ts';
import { measuredRun } from '../helpers/measured-run.ts';

const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-hostile-catalogs-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const many = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_unused, index) => item(index)).join('');
const document = (value: object): string => `${JSON.stringify(value)}\n`;
const packageOf = (name: string): string => document({ schema: 'olm.package', name, defaultChannel: 'a' });
const bundleOf = (packageName: string, name: string): string =>
  document({
    ...{ schema: 'olm.bundle', name, package: packageName, image: 'example.com/bundle:1' },
    properties: [{ type: 'olm.package', value: { packageName, version: '1.0.0' } }],
  });
const cycle = (of: string, count: number): string =>
  document({
    ...{ schema: 'olm.channel', package: 'demo', name: of },
    entries: Array.from({ length: count }, (_unused, index) => ({
      name: `demo.v${index}`,
      replaces: `demo.v${(index + 1) % count}`,
    })),
  });
const big = (path: string, start: string): void => {
  writeFileSync(path, start);
  truncateSync(path, 100_000_000);
};

/** A catalogue, and what the commands say of it. */
type Case = readonly [what: string, fill: (folder: string) => void, code: RegExp];
const file = (text: () => string) => (folder: string) => writeFileSync(join(folder, 'catalog.yaml'), text());
const cases: readonly Case[] = [
  [
    'a million entries in a channel',
    file(() => `schema: olm.channel\nentries:\n${many(1_000_000, (index) => `- name: a${index}\n`)}`),
    /io\/too-large/,
  ],
  [
    'a million skipped versions',
    file(() =>
      document({
        ...{ schema: 'olm.channel', package: 'demo', name: 'a' },
        entries: [
          { name: 'demo.v1', skips: Array.from({ length: 1_000_000 }, (_unused, index) => `v${index}`) },
        ],
      }),
    ),
    /io\/too-large/,
  ],
  ['a million documents', file(() => many(1_000_000, () => '{"schema":"x"}\n')), /io\/too-large/],
  [
    '50,000 entries that replace one another in circles',
    file(() => packageOf('demo') + many(25, (index) => cycle(`c${index}`, 2000))),
    /catalog\/|io\/too-large/,
  ],
  [
    'aliases that multiply',
    file(() => `schema: x\na0: &a0 [b]\n${many(30, (i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]\n`)}`),
    /io\/too-large/,
  ],
  ['lists in lists', file(() => `{"schema":"x","a":${'['.repeat(1_000_000)}`), /io\/too-large|catalog\//],
  [
    'ranges of many parts',
    file(
      () =>
        packageOf('demo') +
        document({
          ...{ schema: 'olm.channel', package: 'demo', name: 'a' },
          entries: [{ name: 'demo.v1', skipRange: many(50_000, (index) => `<1.${index}.0 || `) }],
        }) +
        bundleOf('demo', 'demo.v1'),
    ),
    /catalog\/|io\/too-large/,
  ],
  ['a file of 100 MB', (folder) => big(join(folder, 'catalog.yaml'), 'schema: "'), /io\/|catalog\//],
  [
    'a file of 100 MB in JSON',
    (folder) => big(join(folder, 'catalog.json'), '{"schema":"'),
    /io\/|catalog\//,
  ],
  [
    'a link to an endless device',
    (folder) => symlinkSync('/dev/zero', join(folder, 'catalog.yaml')),
    /catalog\/unexpected-file/,
  ],
  [
    'a pipe',
    (folder) => execFileSync('mkfifo', [join(folder, 'catalog.yaml')]),
    /catalog\/unexpected-file|io\//,
  ],
  [
    'a link to a folder of the machine',
    (folder) => {
      writeFileSync(join(folder, 'catalog.yaml'), 'schema: x\n');
      symlinkSync('/etc', join(folder, 'etc'));
    },
    /catalog\/unexpected-file/,
  ],
  [
    'folders in folders',
    (folder) => void mkdirSync(join(folder, 'a/'.repeat(60)), { recursive: true }),
    /io\/too-large/,
  ],
  [
    'names that are paths',
    file(() => packageOf('../../escaped') + bundleOf('../../escaped', '../../../escaped')),
    /catalog\//,
  ],
  [
    'names with control characters and characters that turn the direction of text',
    file(() => packageOf('de\u0007mo\u0000\u202e') + bundleOf('de\u001b[31mmo', 'a\u2066b')),
    /catalog\//,
  ],
];

describe('a catalogue with', () => {
  test.each(cases)('%s', async (what, fill, code) => {
    const cwd = mkdtempSync(join(scratch, 'folder-'));
    mkdirSync(join(cwd, 'catalog'));
    fill(join(cwd, 'catalog'));
    for (const argv of [
      ['catalog', 'validate', 'catalog'],
      ['catalog', 'build', 'catalog', '--tag', 'example.com/a/catalog:v1', '--to', 'oci:out'],
    ]) {
      const { code: exitCode, stdout, stderr } = await measuredRun(cwd, argv);
      expect([exitCode, stdout], `${argv.join(' ')}\n${stderr.slice(0, 2000)}`).toEqual([1, '']);
      expect(stderr).toMatch(code);
    }
    // What these do not need to judge they may read; it must not do any harm.
    for (const argv of [
      ['catalog', 'list', 'catalog'],
      // Documents are printed as they are.
      ...(what.startsWith('names with') ? [] : [['catalog', 'render', 'catalog']]),
      ['catalog', 'diff', 'catalog', 'catalog'],
    ])
      expect([0, 1]).toContain((await measuredRun(cwd, argv)).code);
    expect(readdirSync(cwd)).toEqual(['catalog']);
    for (const path of [join(cwd, '../escaped'), join(scratch, '../escaped'), join(tmpdir(), 'escaped')])
      expect(existsSync(path), path).toBe(false);
  });
});

describe('an image of a catalogue with', () => {
  const labels = { 'operators.operatorframework.io.index.configs.v1': '/configs' };
  const content = Buffer.from('schema: x\n');
  const images: readonly (readonly [what: string, layer: () => Buffer | Promise<Buffer>])[] = [
    ['a path out of it', () => archive({ name: 'configs/../../escaped.yaml', content })],
    [
      'a file behind a link out of it',
      () =>
        archive({ name: 'configs', type: '2', target: scratch }, { name: 'configs/escaped.yaml', content }),
    ],
    ['2 GB in 2 MB', () => tarBomb('configs/catalog.yaml')],
  ];
  test.each(images)('%s', async (_what, layer) => {
    const folder = imageOfLayer(scratch, await layer(), labels);
    const before = readdirSync(scratch);
    for (const command of ['render', 'list', 'validate']) {
      const { code, stdout, stderr } = await measuredRun(folder, ['catalog', command, 'oci:image']);
      expect([code, stdout], stderr).toEqual([1, '']);
      expect(stderr).toMatch(/error\[(?:oci|catalog|io)\//);
    }
    expect(readdirSync(scratch)).toEqual(before);
    expect(existsSync(join(scratch, 'escaped.yaml'))).toBe(false);
  });
});
