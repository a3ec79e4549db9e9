// Documents of the package are read on a registry's page and in node_modules: what they link to must be there, too, or an address.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { withPackedLinks } from '../../../scripts/lib/packed-links.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly files: readonly string[];
};
/** npm packs these whatever `files` says. */
const always = ['README.md', 'LICENSE', 'package.json'];

const isBelow = (path: string, entry: string): boolean => path === entry || path.startsWith(`${entry}/`);
const isLeftOut = (path: string): boolean =>
  files.some((entry) => entry.startsWith('!') && isBelow(path, entry.slice(1)));
const isPacked = (path: string): boolean =>
  always.includes(path) || (files.some((entry) => isBelow(path, entry)) && !isLeftOut(path));

function markdownBelow(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .filter((path) => path.endsWith('.md') && !path.includes('node_modules/') && isPacked(path));
}

const documents = ['README.md', 'CHANGELOG.md', ...markdownBelow('docs'), ...markdownBelow('examples')];

const page = 'https://git.example.com/team/opsdk';
const address = (path: string, isPicture: boolean): string => `${page}/${isPicture ? 'raw' : 'blob'}/${path}`;

/** The targets of links, without those in code. */
function targetsIn(markdown: string): readonly string[] {
  const prose = markdown.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`(?!\])/g, '');
  const inline = [...prose.matchAll(/\[[^\]]*\]\(([^)\s]+)[^)]*\)/g)];
  const named = [...prose.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)];
  return [...inline, ...named]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '');
}

test('documents are found', () => expect(documents.length).toBeGreaterThan(30));

describe.each(documents)('%s', (path) => {
  const text = readFileSync(join(root, path), 'utf8');
  const fileOf = (target: string): string =>
    posix.normalize(posix.join(posix.dirname(path), target)).replace(/\/$/, '');

  test('links to files that are there', () => {
    const relative = targetsIn(text).filter((target) => !/^[a-z][a-z\d+.-]*:/i.test(target));
    expect(relative.filter((target) => !existsSync(join(root, fileOf(target))))).toEqual([]);
  });

  test('links only to files of the package, and to addresses, once it is packed', () => {
    const packed = withPackedLinks(text, { path, isPacked, address });
    const relative = targetsIn(packed).filter((target) => !/^[a-z][a-z\d+.-]*:/i.test(target));
    expect(relative.filter((target) => !isPacked(fileOf(target)))).toEqual([]);
  });
});

test.each([
  ['[guide](docs/dev.md#hello)', '[guide](docs/dev.md#hello)'],
  ['[how](CONTRIBUTING.md#words)', `[how](${page}/blob/CONTRIBUTING.md#words)`],
  ['[`how`](CONTRIBUTING.md "title")', `[\`how\`](${page}/blob/CONTRIBUTING.md "title")`],
  ['![page](docs/images/dev.png)', `![page](${page}/raw/docs/images/dev.png)`],
  ['[how]: CONTRIBUTING.md', `[how]: ${page}/blob/CONTRIBUTING.md`],
  ['[away](https://semver.org) [here](#words)', '[away](https://semver.org) [here](#words)'],
  ['`[a](CONTRIBUTING.md)`', '`[a](CONTRIBUTING.md)`'],
  [
    '```md\n[a](CONTRIBUTING.md)\n```\n[a](src)',
    `\`\`\`md\n[a](CONTRIBUTING.md)\n\`\`\`\n[a](${page}/blob/src)`,
  ],
])('%j becomes %j', (text, packed) => {
  expect(withPackedLinks(text, { path: 'README.md', isPacked, address })).toBe(packed);
});
