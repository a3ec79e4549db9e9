import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatFinding, isOpSdkError } from '../../../../src/base/errors/index.ts';
import { judgeCatalog } from '../../../../src/olm/catalog/index.ts';
import { bundleOf, catalogFile, channelOf, foundIn, inCatalog, packageOf } from './catalog-files.ts';

/** What is said of a catalogue, whether it is refused or judged. */
async function said(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  return inCatalog(files, async (folder) => {
    try {
      const { errors } = await judgeCatalog({ path: folder, shown: 'catalog' });
      return errors.map((finding) => formatFinding(finding)).join('\n');
    } catch (error) {
      if (!isOpSdkError(error)) throw error;
      return error.findings.map((finding) => formatFinding(finding)).join('\n');
    }
  });
}

const repeated = (times: number, text: (index: number) => string): string =>
  Array.from({ length: times }, (_each, index) => text(index)).join('');

describe('hostile catalogues are refused', () => {
  const cases: readonly (readonly [string, () => string, RegExp])[] = [
    [
      'a channel of a million entries',
      () => `schema: olm.channel\nentries:\n${repeated(1_000_000, (index) => `- name: a${index}\n`)}`,
      /io\/too-large/,
    ],
    [
      'a channel of a million entries in JSON',
      () =>
        `{"schema": "olm.channel", "entries": [${repeated(1_000_000, (index) => `{"name":"a${index}"},`)}{}]}`,
      /io\/too-large/,
    ],
    ['a million documents', () => repeated(1_000_000, () => '{"schema":"x"}'), /more than 50000 documents/],
    [
      'a million documents that are not JSON',
      () => repeated(1_000_000, () => '{"schema":}'),
      /more than 100 findings/,
    ],
    ['lists in lists', () => `{"schema":"x","a":${'['.repeat(1_000_000)}`, /io\/too-large/],
    [
      'a document of many megabytes',
      () => `schema: x\na: "${'b'.repeat(9 * 1024 * 1024)}"\n`,
      /8388608 bytes/,
    ],
    [
      'aliases of aliases',
      () =>
        `schema: x\na0: &a0 [b]\n${repeated(30, (index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]\n`)}`,
      /io\/too-large/,
    ],
    ['bytes that are not text', () => '\u0000\u0001', /catalog\/no-schema|io\//],
  ];

  test.each(cases)('%s', async (_what, text, expected) => {
    expect(await said({ 'catalog.yaml': text() })).toMatch(expected);
  });

  test('a channel of very many entries that all replace one another, and ranges over all of them', async () => {
    const names = Array.from({ length: 2000 }, (_each, index) => `demo.v1.${index}.0`);
    const entries = names.map((name, index) => ({
      name,
      replaces: names[(index + 1) % names.length],
      skipRange: `<1.${index}.5 || >1.${index}.7`,
    }));
    const { found } = await foundIn(
      catalogFile(
        packageOf(),
        channelOf([...entries, { name: 'head', replaces: names[0] }]),
        channelOf(entries, { name: 'other' }),
        ...names.map((_name, index) => bundleOf(`1.${index}.0`)),
        bundleOf('2.0.0', { name: 'head' }),
      ),
    );
    expect(found.map((each) => each.split(' ')[0])).toEqual(['io/too-large', 'catalog/no-head']);
  });

  test('folders in folders, links out of the catalogue, and very long lines of .indexignore', async () => {
    await inCatalog({ 'catalog.yaml': 'schema: x\n' }, async (folder) => {
      symlinkSync('/etc/hostname', join(folder, 'link.yaml'));
      const { errors } = await judgeCatalog({ path: folder, shown: 'catalog' });
      expect(errors).toMatchObject([
        { code: 'catalog/unexpected-file', where: { file: 'catalog/link.yaml' } },
      ]);
      mkdirSync(join(folder, 'a/'.repeat(40)), { recursive: true });
      await expect(judgeCatalog({ path: folder, shown: 'catalog' })).rejects.toMatchObject({
        code: 'io/too-large',
      });
    });
    expect(await said({ '.indexignore': `${'*a'.repeat(1000)}\n` })).toMatch(/io\/too-large/);
  });
});

describe('.indexignore', () => {
  test.each<readonly [string, readonly string[]]>([
    ['*.md', ['a/b.yaml', 'a/keep.yaml', 'c.yaml', 'd/a/b.yaml']],
    ['a/', ['c.md', 'c.yaml']],
    ['/a', ['c.md', 'c.yaml', 'd/a/b.yaml']],
    ['a/*\n!a/keep.yaml', ['a/keep.yaml', 'c.md', 'c.yaml', 'd/a/b.yaml']],
    ['**/b.yaml', ['a/keep.yaml', 'c.md', 'c.yaml']],
    ['# c.md\n\\#c\nc.[a-m]?', ['a/b.yaml', 'a/keep.yaml', 'c.yaml', 'd/a/b.yaml']],
    ['c.[!a-m]*', ['a/b.yaml', 'a/keep.yaml', 'c.md', 'd/a/b.yaml']],
  ])('%j', async (rules, kept) => {
    const files = ['a/b.yaml', 'a/keep.yaml', 'c.md', 'c.yaml', 'd/a/b.yaml'];
    await inCatalog(Object.fromEntries(files.map((file) => [file, 'a: b\n'])), async (folder) => {
      writeFileSync(join(folder, '.indexignore'), rules);
      const { errors } = await judgeCatalog({ path: folder, shown: '.' });
      const named = errors.flatMap(({ code, where }) =>
        code === 'catalog/no-schema' && where !== undefined && 'file' in where ? [where.file.slice(2)] : [],
      );
      expect(named).toEqual(kept);
    });
  });
});
