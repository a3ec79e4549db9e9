// What is published, and how.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const src = join(root, 'src');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  files: readonly string[];
  publishConfig: Readonly<Record<string, unknown>>;
};

test('the package is published with provenance, for everybody', () => {
  expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
});

test('it holds what the documents name: examples, guides, templates', () => {
  expect(manifest.files).toEqual(expect.arrayContaining(['bin', 'dist', 'docs', 'examples', 'templates']));
  for (const path of manifest.files.filter((file) => !/^!|^dist\b/.test(file)))
    expect(existsSync(join(root, path)), path).toBe(true);
});

/** The files that an export can reach, relative to src. */
const reachedFiles = ((): readonly string[] => {
  const reached = new Set<string>();
  const follow = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+\.ts)'/g))
      follow(resolve(dirname(file), path));
  };
  const builtIn = readdirSync(join(src, 'sdk/k8s/generated'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join('sdk/k8s/generated', path));
  for (const entry of ['index.ts', 'testing.ts', 'testing/vitest.ts', 'tracing.ts', ...builtIn])
    follow(join(src, entry));
  return [...reached].map((file) => relative(src, file).split(sep).join('/'));
})();

/** The folders in a folder of src that no export can reach: the command line, which is bundled, holds them. */
function unreachedIn(folder: string): readonly string[] {
  return readdirSync(join(src, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => (folder === '' ? name : `${folder}/${name}`))
    .filter((path) => !reachedFiles.some((file) => file.startsWith(`${path}/`)))
    .sort();
}

test('it leaves out exactly those wings, and rooms of others, that no export can reach', () => {
  const wings = unreachedIn('');
  const others = readdirSync(src, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !wings.includes(entry.name))
    .map(({ name }) => name)
    .sort();
  expect(manifest.files.filter((file) => file.startsWith('!dist/'))).toEqual([
    `!dist/{${wings.join(',')}}/**`,
    ...others.flatMap(unreachedIn).map((room) => `!dist/${room}/**`),
  ]);
});

test('of these wings it holds what is started or read as a file', () => {
  const needed = unreachedIn('').flatMap((room) =>
    readdirSync(join(src, room), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.[jt]s$/.test(path))
      .flatMap((path) =>
        // Programs are started by their URL; they are JavaScript, and import some.
        [
          ...read(`src/${room}/${path}`).matchAll(
            path.endsWith('.ts') ? /new URL\(['`](\.\/[^'`]+)['`]/g : /from '(\.\/[^']+\.js)'/g,
          ),
        ].map(([, file = '']) => join('dist', room, dirname(path), file.replace('${extension}', '.js'))),
      ),
  );
  const unpacked = manifest.files.findIndex((file) => file.startsWith('!dist/{'));
  const again = manifest.files.slice(unpacked + 1).filter((file) => file.startsWith('dist/'));
  expect(needed.length).toBeGreaterThan(3);
  const matches = (file: string, pattern: string): boolean =>
    new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`).test(file);
  for (const file of needed)
    expect(
      again.some((pattern) => matches(file, pattern)),
      file,
    ).toBe(true);
  for (const pattern of again)
    expect(
      needed.some((file) => matches(file, pattern)),
      pattern,
    ).toBe(true);
});

test('the lock file pins every dependency by its hash, and names no registry', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Readonly<Record<string, { resolved?: string; integrity?: string; link?: boolean }>>;
  };
  const installed = Object.entries(packages).filter(([path]) => path.startsWith('node_modules/'));
  expect(installed.length).toBeGreaterThan(50);
  for (const [path, { resolved, integrity }] of installed) {
    expect(resolved, path).toBeUndefined();
    expect(integrity, path).toMatch(/^sha512-/);
  }
});
