// The documents name paths, scripts and commands; all of them must be there.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const folders = (path: string) =>
  readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const quoted = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

/** `src/cli/commands/<command>.ts` stands for what lies in that folder. */
const isThere = (path: string): boolean => existsSync(join(root, path.replace(/[^/]*[<*].*$/, '')));

describe('the map of CONTRIBUTING.md', () => {
  const words = quoted(read('CONTRIBUTING.md')).flatMap((code) => code.split(' '));
  const paths = words.filter((word) => /^(?:src|test|docs|scripts|templates|bench)\//.test(word));

  test.each([...new Set(paths)])('%s is there', (path) => {
    expect(isThere(path)).toBe(true);
  });

  test('has a row for each wing', () => {
    for (const { name } of folders(join(root, 'src'))) {
      expect(
        paths.some((path) => path.startsWith(`src/${name}/`)),
        name,
      ).toBe(true);
    }
  });

  test('names scripts of package.json', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read('CONTRIBUTING.md').matchAll(/npm run ([a-z0-9:-]+)/g)].map(
      ([, name = '']) => name,
    );
    expect(named.length).toBeGreaterThan(3);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });
});

test('docs/architecture.md names files that are there', () => {
  const files = quoted(read('docs/architecture.md')).filter((code) => /^[a-z]+\/[^ ]+\.ts$/.test(code));
  expect(files.length).toBeGreaterThan(3);
  const folder = (file: string): string => (file.startsWith('test/') ? root : join(root, 'src'));
  for (const file of files) expect(existsSync(join(folder(file), file)), file).toBe(true);
});

describe.each(folders(join(root, 'src')).map(({ name }) => `src/${name}`))('README.md of %s', (wing) => {
  const text = read(`${wing}/README.md`);

  test('has at most 40 lines and a diagram', () => {
    expect(text.split('\n').length - 1).toBeLessThanOrEqual(40);
    expect(text).toContain('```mermaid');
  });

  test('names files and folders that are there', () => {
    const named = quoted(text).filter((code) => /^[a-z-]+(?:\/[a-z-]+)*(?:\/|\.ts)$/.test(code));
    expect(named.length).toBeGreaterThan(1);
    const inside = readdirSync(join(root, wing), { recursive: true, encoding: 'utf8' }).map(
      (path) => `/${path}`,
    );
    const isNamed = (name: string): boolean =>
      isThere(name) ||
      isThere(`src/${name}`) ||
      inside.some((path) => path.endsWith(`/${name.replace(/\/$/, '')}`));
    expect(named.filter((name) => !isNamed(name))).toEqual([]);
  });
});

describe('the wings of docs/architecture.md', () => {
  const rows = [
    ...read('docs/architecture.md').matchAll(/^\| `([a-z0-9-]+)` +\|([^|]+)\|[^|]+\|([^|]+)\|$/gm),
  ];
  const { forbidden } = createRequire(import.meta.url)('../../../.dependency-cruiser.cjs') as {
    forbidden: readonly { name: string; comment?: string }[];
  };
  const names = (path: string): string[] =>
    folders(join(root, path))
      .map(({ name }) => name)
      .sort();

  test('have a row each', () => {
    expect(rows.map(([, wing]) => wing).sort()).toEqual(names('src'));
  });

  test('may import what the linter lets them', () => {
    for (const [, wing = '', , allowed = ''] of rows) {
      const rule = forbidden.find(({ name }) => name === `wing-${wing}`)?.comment;
      if (rule === undefined) expect(allowed, wing).toContain('everything');
      else {
        const checked = rule.replace(/^.* may import only /, '').split(', ');
        expect(quoted(allowed), wing).toEqual(checked.filter((one) => one !== 'itself'));
      }
    }
  });

  test('have the rooms that the linter orders', () => {
    for (const [, wing = '', rooms = ''] of rows) {
      const ordered = forbidden.filter(({ name }) => name.startsWith(`room-${wing}-`));
      expect(quoted(rooms), wing).toEqual(ordered.map(({ name }) => name.slice(`room-${wing}-`.length)));
      if (ordered.length > 0) expect(quoted(rooms).toSorted(), wing).toEqual(names(`src/${wing}`));
    }
  });
});

test.each(['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/crd.md'])(
  'the links of %s lead to files',
  (document) => {
    const targets = [...read(document).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(
      ([, target = '']) => target,
    );
    for (const target of targets) expect(existsSync(join(root, document, '..', target)), target).toBe(true);
  },
);
