// What is published, and how.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
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
  for (const path of manifest.files.filter((file) => file !== 'dist'))
    expect(existsSync(join(root, path)), path).toBe(true);
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
