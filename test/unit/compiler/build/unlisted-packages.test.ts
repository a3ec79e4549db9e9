import { afterEach, describe, expect, test } from 'vitest';
import { buildOperator } from '../../../../src/compiler/build/index.ts';
import { formatWhere } from '../../../../src/base/errors/op-sdk-error.ts';
import { projectFolder, type ProjectFolder } from '../manifests/project-folder.ts';

const folders: ProjectFolder[] = [];
afterEach(() => folders.splice(0).forEach((folder) => folder.remove()));

const installed = {
  'node_modules/zod/package.json':
    '{ "name": "zod", "version": "1.0.0", "type": "module", "main": "index.js" }',
  'node_modules/zod/index.js': 'export const z = 1;',
  'node_modules/zod/index.d.ts': 'export declare const z: number;',
  'node_modules/zod/sub.js': 'export const sub = 1;',
  'node_modules/@scope/lib/package.json': '{ "name": "@scope/lib", "version": "1.0.0", "main": "index.js" }',
  'node_modules/@scope/lib/index.js': 'exports.lib = 1;',
  'node_modules/typed/package.json': '{ "name": "typed", "version": "1.0.0", "main": "index.js" }',
  'node_modules/typed/index.js': 'exports.typed = 1;',
};

async function warnings(
  main: string,
  packageJson: object = {},
  files: Record<string, string> = {},
  projectDir = '',
): Promise<string[]> {
  const folder = projectFolder({
    ...installed,
    [`${projectDir}package.json`]: JSON.stringify({ name: 'operator', type: 'module', ...packageJson }),
    [`${projectDir}src/main.ts`]: main,
    ...files,
  });
  folders.push(folder);
  const built = await buildOperator({ projectDir: `${folder.dir}/${projectDir}` });
  return built.warnings
    .filter(({ code }) => code === 'project/unlisted-package')
    .map(({ message, where, fix }) => {
      const [name = ''] = message.split(' ');
      return `${name} at ${where === undefined ? '' : formatWhere(where)}: ${fix?.join() ?? ''}`;
    });
}

describe('a package that is installed and not listed', () => {
  test.each([
    ['an import', `import { z } from 'zod';\nconsole.log(z);`, 'zod at src/main.ts:1:19: npm install zod'],
    ['a module of a package', `import 'zod/sub.js';`, 'zod at src/main.ts:1:8: npm install zod'],
    [
      'a package of a scope',
      `import { lib } from '@scope/lib';\nconsole.log(lib);`,
      '@scope/lib at src/main.ts:1:21: npm install @scope/lib',
    ],
    ['a dynamic import', `console.log(await import('zod'));`, 'zod at src/main.ts:1:26: npm install zod'],
    ['an export', `export { z } from 'zod';`, 'zod at src/main.ts:1:19: npm install zod'],
    [
      'an import of types',
      `import type { z } from 'zod';\nexport type Z = typeof z;`,
      'zod at src/main.ts:1:24: npm install zod',
    ],
    ['a type of a module', `export type Z = import('zod');`, 'zod at src/main.ts:1:24: npm install zod'],
  ])('%s is reported with its place', async (_, main, expected) => {
    expect(await warnings(main)).toEqual([expected]);
  });

  test('each is reported once, with the file that imports it', async () => {
    const files = { 'src/other.ts': `import { z } from 'zod';\nexport const y = z;` };
    const main = `import { y } from './other.ts';\nimport { z } from 'zod';\nconsole.log(y, z);`;
    expect(await warnings(main, {}, files)).toHaveLength(1);
  });

  test.each([
    ['pnpm-lock.yaml', 'pnpm add zod'],
    ['yarn.lock', 'yarn add zod'],
    ['bun.lock', 'bun add zod'],
  ])('is added as the package manager of %s does', async (lockFile, command) => {
    expect(await warnings(`import 'zod';`, {}, { [lockFile]: '' })).toEqual([
      `zod at src/main.ts:1:8: ${command}`,
    ]);
  });

  test('is not the only one of a value whose types are listed', async () => {
    const listed = { devDependencies: { '@types/typed': '1' } };
    expect(await warnings(`import 'typed';`, listed)).toHaveLength(1);
    expect(await warnings(`import type {} from 'typed';`, listed)).toEqual([]);
  });
});

describe('no warning for', () => {
  test.each([
    ['dependencies', { dependencies: { zod: '1' } }],
    ['devDependencies, which are bundled', { devDependencies: { zod: '1' } }],
    ['optionalDependencies', { optionalDependencies: { zod: '1' } }],
    ['peerDependencies', { peerDependencies: { zod: '1' } }],
  ])('%s', async (_, packageJson) => {
    expect(await warnings(`import 'zod';`, packageJson)).toEqual([]);
  });

  test("Node's modules, files, imports of the package itself and its own name", async () => {
    const main = `import 'node:fs';\nimport 'path';\nimport 'fs/promises';\nimport './other.ts';\nimport '#other';\nimport 'operator/other';`;
    const packageJson = {
      imports: { '#other': './src/other.ts' },
      exports: { './other': './src/other.ts' },
    };
    expect(await warnings(main, packageJson, { 'src/other.ts': 'export {};' })).toEqual([]);
  });

  test('paths of tsconfig.json', async () => {
    const tsconfig = JSON.stringify({ compilerOptions: { paths: { '@lib/*': ['./src/lib/*'] } } });
    const files = { 'tsconfig.json': tsconfig, 'src/lib/a.ts': 'export {};' };
    expect(await warnings(`import '@lib/a.ts';`, {}, files)).toEqual([]);
  });

  test('what the workspace lists, but for what a folder above lists that is none', async () => {
    const root = { dependencies: { zod: '1' } };
    const files = (json: object): Record<string, string> => ({ 'package.json': JSON.stringify(json) });
    const workspace = files({ ...root, workspaces: ['packages/*'] });
    expect(await warnings(`import 'zod';`, {}, workspace, 'packages/operator/')).toEqual([]);
    expect(await warnings(`import 'zod';`, {}, files(root), 'packages/operator/')).toHaveLength(1);
  });
});
