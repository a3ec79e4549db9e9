import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  commandRecord,
  detectPackageManager,
  loadProject,
  newProjectFile,
} from '../../../../src/project/project/index.ts';
import {
  archiveAt,
  installedPackage,
  installPackage,
  planProjectUpgrade,
} from '../../../../src/project/upgrade/index.ts';

let root = '';
beforeEach(() => (root = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-packages-')))));
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

test.each(['', '{', '{ "name": "opsdk" }', '{ "name": "opsdk", "version": "new" }', 'null'])(
  'an installed op-sdk whose package.json is %j is none',
  async (text) => {
    write('operator/node_modules/opsdk/package.json', text);
    expect(await installedPackage(join(root, 'operator'))).toBeUndefined();
    write('node_modules/opsdk/package.json', '{ "name": "opsdk", "version": "1.2.3" }');
    expect(await installedPackage(join(root, 'operator'))).toEqual({
      root: join(root, 'node_modules/opsdk'),
      version: '1.2.3',
    });
  },
);

test.each(['latest', '1.x', '^1.0.0', '1.0.0', 'tgz'])('a file named %s is not an archive', async (name) => {
  write(name, '');
  expect(await archiveAt(root, name)).toBeUndefined();
});

test.each(['opsdk-1.0.0.tgz', 'opsdk.tar.gz', './latest', 'packed/latest'])(
  '%s is an archive if the file exists',
  async (name) => {
    expect(await archiveAt(root, name)).toBeUndefined();
    expect(await archiveAt(root, write(name, ''))).toBe(join(root, name));
    expect(await archiveAt(root, name)).toBe(join(root, name));
  },
);

test.each([
  ['packed', './packed', 'expected an archive, got the folder ./packed'],
  ['x', './missing.tgz', 'the archive ./missing.tgz does not exist'],
  ['x', '', 'expected a version or the path of an archive, got ""'],
])('beside the folder %s, %j is refused', async (folder, wanted, message) => {
  mkdirSync(join(root, folder));
  const install = installPackage(wanted, {
    ...{ project: root, manager: detectPackageManager({}), folder: join(root, 'to'), env: process.env },
    ...{ signal: new AbortController().signal, where: { flag: '--to' } },
  });
  await expect(install).rejects.toMatchObject({ findings: [{ code: 'upgrade/no-package', message }] });
});

test('an upgrade that fails with one version waits for the other one', async () => {
  const run = commandRecord('init', { domain: 'example.com' }, 'npm');
  const project = { domain: 'example.com', projectName: 'web', cliVersion: '1.0.0', run, templates: {} };
  write('operator/PROJECT', newProjectFile(project));
  write('base/bin/op-sdk.js', 'process.exit(1);');
  const ended = JSON.stringify(join(root, 'ended'));
  write(
    'next/bin/op-sdk.js',
    `setTimeout(() => { require('node:fs').writeFileSync(${ended}, ''); process.exit(1); }, 500);`,
  );
  const upgrade = planProjectUpgrade({
    project: await loadProject(join(root, 'operator')),
    base: { root: join(root, 'base'), version: '1.0.0' },
    isExact: true,
    target: { root: join(root, 'next'), version: '1.1.0', spec: '^1.1.0' },
    folder: join(root, 'copies'),
    env: process.env,
    signal: new AbortController().signal,
    sources: new Map(),
  });
  await expect(upgrade).rejects.toThrow('op-sdk 1.0.0 cannot scaffold this project again');
  expect(existsSync(join(root, 'ended'))).toBe(true);
});
