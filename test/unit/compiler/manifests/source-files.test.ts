import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { sourceFiles } from '../../../../src/compiler/manifests/source-files.ts';
import { projectFolder, type ProjectFolder } from './project-folder.ts';

let folder: ProjectFolder | undefined;
afterEach(() => folder?.remove());

test('sources only: no tests, declarations, dependencies, build output and hidden folders; links are followed, but not in circles', () => {
  const names = [
    ...['b.ts', 'a/deep/c.mts', 'a/x.cts'],
    ...[
      'a.test.ts',
      'a.spec.ts',
      'types.d.ts',
      'script.js',
      'view.tsx',
      'dist/out.ts',
      'node_modules/p/i.ts',
      '.hidden/h.ts',
      '__tests__/t.ts',
    ],
  ];
  folder = projectFolder(
    Object.fromEntries([...names.map((name) => [`src/${name}`, '']), ['shared/s.ts', '']]),
  );
  symlinkSync(join(folder.dir, 'src'), join(folder.dir, 'src/a/loop'));
  symlinkSync(join(folder.dir, 'shared'), join(folder.dir, 'src/shared'));
  symlinkSync(join(folder.dir, 'shared/s.ts'), join(folder.dir, 'src/linked.ts'));
  symlinkSync(join(folder.dir, 'nowhere'), join(folder.dir, 'src/broken'));
  const root = join(folder.dir, 'src');
  expect(sourceFiles(root)).toEqual(
    ['a/deep/c.mts', 'a/x.cts', 'b.ts', 'linked.ts', 'shared/s.ts'].map((name) => join(root, name)),
  );
});

test('no folder, no files', () => {
  folder = projectFolder();
  expect(sourceFiles(join(folder.dir, 'none'))).toEqual([]);
});

test('files that will be there count as if they were: sources below the folder, each once', () => {
  folder = projectFolder({ 'src/a.ts': '' });
  const { dir } = folder;
  const planned = [
    'src/a.ts',
    'src/api/b.ts',
    'src/b.test.ts',
    'src/dist/c.ts',
    'src/.hidden/d.ts',
    'package.json',
    'e.ts',
    'src2/f.ts',
  ].map((name) => join(dir, name));
  expect(sourceFiles(join(dir, 'src'), planned)).toEqual([join(dir, 'src/a.ts'), join(dir, 'src/api/b.ts')]);
  expect(sourceFiles(join(dir, 'src2'), planned)).toEqual([join(dir, 'src2/f.ts')]);
});
