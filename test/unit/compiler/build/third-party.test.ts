import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { buildOperator, type OperatorBundle } from '../../../../src/compiler/build/index.ts';
import { projectFolder, type ProjectFolder } from '../manifests/project-folder.ts';

const folders: ProjectFolder[] = [];
afterEach(() => folders.splice(0).forEach((folder) => folder.remove()));

const manifest = (name: string, more: object = {}): string =>
  JSON.stringify({ name, version: '1.2.3', type: 'module', main: 'index.js', ...more });

const project = {
  'package.json': JSON.stringify({
    name: 'operator',
    type: 'module',
    dependencies: { alpha: '*', beta: '*' },
  }),
  'src/main.ts': `import { alpha } from 'alpha';\nimport { beta } from 'beta';\nimport 'types-only';\nconsole.log(alpha, beta);`,
  'node_modules/alpha/package.json': manifest('alpha', {
    license: 'MIT',
    repository: { url: 'git+https://example.com/alpha.git' },
  }),
  // A package may contain others that only say how their modules are read.
  'node_modules/alpha/dist/package.json': '{ "type": "module" }',
  'node_modules/alpha/index.js': `export { alpha } from './dist/alpha.js';`,
  'node_modules/alpha/dist/alpha.js': `import { gamma } from 'gamma';\nexport const alpha = gamma + 1;`,
  'node_modules/alpha/LICENSE': 'Copyright Alpha\r\nAs is.\n',
  'node_modules/alpha/NOTICE.md': 'Contains parts of others.',
  'node_modules/alpha/license-check.js': 'export {}',
  'node_modules/beta/package.json': manifest('beta', { licenses: [{ type: 'MIT' }, { type: 'ISC' }] }),
  'node_modules/beta/index.js': 'export const beta = globalThis.beta;',
  'node_modules/gamma/package.json': manifest('gamma', { license: 'SEE LICENSE IN TERMS.txt' }),
  'node_modules/gamma/index.js': 'export const gamma = globalThis.gamma;',
  'node_modules/gamma/TERMS.txt': 'Terms of Gamma.',
  'node_modules/types-only/package.json': manifest('types-only', { sideEffects: false }),
  'node_modules/types-only/index.js': 'export const unused = 1;',
  'packages/shared/package.json': manifest('shared'),
  'packages/shared/index.js': 'export const shared = globalThis.shared;',
};

async function built(
  files: Record<string, string> = {},
  change?: (dir: string) => void,
): Promise<OperatorBundle> {
  const folder = projectFolder({ ...project, ...files });
  folders.push(folder);
  change?.(folder.dir);
  return buildOperator({ projectDir: folder.dir });
}

const notices = ({ files }: OperatorBundle): string =>
  files.find(({ path }) => path === 'dist/THIRD-PARTY-NOTICES.txt')?.content ?? '';

describe('the packages of a bundle', () => {
  test('are those of which code was kept, with their licenses and imports', async () => {
    const { packages, directPackages, warnings } = await built();
    expect(packages.map(({ texts: _, ...others }) => others)).toEqual([
      {
        name: 'alpha',
        version: '1.2.3',
        license: 'MIT',
        address: 'https://example.com/alpha.git',
        imports: ['gamma@1.2.3'],
      },
      { name: 'beta', version: '1.2.3', license: '(MIT OR ISC)', imports: [] },
      { name: 'gamma', version: '1.2.3', license: 'SEE LICENSE IN TERMS.txt', imports: [] },
    ]);
    expect(directPackages).toEqual(['alpha@1.2.3', 'beta@1.2.3']);
    expect(warnings.filter(({ code }) => code === 'build/no-license')).toEqual([]);
  });

  test('are named with the texts of their licenses in a file beside the bundle', async () => {
    expect(notices(await built())).toMatchInlineSnapshot(`
      "This operator contains code of the packages below, under the licenses that they state. Written by \`op-sdk build\`.

      ================================================================================
      alpha 1.2.3
      License: MIT
      https://example.com/alpha.git

      --- LICENSE ---

      Copyright Alpha
      As is.

      --- NOTICE.md ---

      Contains parts of others.

      ================================================================================
      beta 1.2.3
      License: (MIT OR ISC)

      ================================================================================
      gamma 1.2.3
      License: SEE LICENSE IN TERMS.txt

      --- TERMS.txt ---

      Terms of Gamma.
      "
    `);
  });

  test('the file is the same for the same sources', async () => {
    expect(notices(await built())).toBe(notices(await built()));
  });

  test('a linked package of the workspace belongs to the operator', async () => {
    const bundle = await built(
      { 'src/main.ts': `import { shared } from 'shared';\nconsole.log(shared);` },
      (dir) => {
        symlinkSync(join(dir, 'packages/shared'), join(dir, 'node_modules/shared'));
      },
    );
    expect(bundle.packages).toEqual([]);
  });

  test('one without a license is reported', async () => {
    const { warnings } = await built({ 'node_modules/beta/package.json': manifest('beta') });
    expect(warnings.filter(({ code }) => code === 'build/no-license')).toMatchObject([
      { message: 'the bundle contains beta 1.2.3, which states no license' },
    ]);
  });

  test('one without a version, or without package.json, does not pass for code of the operator', async () => {
    const { packages } = await built({
      'node_modules/alpha/package.json': '{ "name": "alpha", "type": "module" }',
      'node_modules/@scope/delta/index.js': 'export const delta = globalThis.delta;',
      'src/main.ts': `import { alpha } from 'alpha';\nimport { delta } from '@scope/delta';\nconsole.log(alpha, delta);`,
    });
    expect(packages.map(({ name, version }) => `${name} ${version}`)).toEqual([
      '@scope/delta unknown',
      'alpha unknown',
      'gamma 1.2.3',
    ]);
  });

  test('a license that is a link gives away no file of this machine', async () => {
    const bundle = await built({}, (dir) => {
      writeFileSync(join(dir, 'secret.txt'), 'a secret');
      symlinkSync(join(dir, 'secret.txt'), join(dir, 'node_modules/beta/LICENSE'));
    });
    expect(notices(bundle)).not.toContain('a secret');
  });

  test('no package can write the entry of another', async () => {
    const text = notices(
      await built({
        'node_modules/beta/package.json': manifest('beta', {
          license: `MIT\n${'='.repeat(80)}\nalpha 9.9.9`,
        }),
      }),
    );
    expect(text.match(/^alpha /gm)).toHaveLength(1);
  });
});
