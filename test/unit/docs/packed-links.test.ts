// Documents of the package are read on a registry's page and in node_modules: what they link to must be there, too.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

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

/** The relative targets of links, without those in code. Pictures of the guides are left out of the package on purpose. */
function targetsIn(path: string): readonly string[] {
  const prose = readFileSync(join(root, path), 'utf8')
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/`[^`\n]*`(?!\])/g, '');
  const inline = [...prose.matchAll(/(!?)\[[^\]]*\]\(([^)\s]+)[^)]*\)/g)]
    .filter(([, mark, target = '']) => !(mark === '!' && target.startsWith('images/')))
    .map(([, , target = '']) => target);
  const named = [...prose.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)].map(([, target = '']) => target);
  return [...inline, ...named]
    .filter((target) => !/^(?:[a-z][a-z\d+.-]*:|#)/i.test(target))
    .map((target) => target.replace(/#.*$/, ''));
}

test('documents are found', () => expect(documents.length).toBeGreaterThan(30));

test.each(documents)('%s links only to what the package contains', (path) => {
  const dead = targetsIn(path).filter((target) => {
    const resolved = posix.normalize(posix.join(posix.dirname(path), target)).replace(/\/$/, '');
    return !existsSync(join(root, resolved)) || !isPacked(resolved);
  });
  expect(dead).toEqual([]);
});
