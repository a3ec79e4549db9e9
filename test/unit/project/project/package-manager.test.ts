import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectPackageManager, shownCommand } from '../../../../src/project/project/index.ts';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'package-manager-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test.each([
  ['package-lock.json', '{}', 'npm install --no-audit --no-fund --prefer-offline'],
  ['pnpm-lock.yaml', "lockfileVersion: '9.0'\n", 'pnpm install --no-frozen-lockfile'],
  ['yarn.lock', '# yarn lockfile v1\n\n\nopsdk@^1.0.0:\n  version "1.0.0"\n', 'yarn install'],
  ['yarn.lock', '# Written by Yarn.\n\n__metadata:\n  version: 8\n', 'yarn install --no-immutable'],
  ['bun.lock', '{}', 'bun install'],
])('after a change of package.json, a project with %s %j installs by: %s', (lockFile, text, command) => {
  writeFileSync(join(folder, lockFile), text);
  const { name, relock } = projectPackageManager(folder, { npm_config_user_agent: 'npm/11.0.0' });
  expect([name, ...relock].join(' ')).toBe(command);
});

test.each([
  ['package.json', '{ "workspaces": ["operators/*"] }', 'yarn.lock', 'yarn'],
  ['package.json', '{ "workspaces": { "packages": ["{operators,apps}/**"] } }', 'bun.lock', 'bun'],
  ['pnpm-workspace.yaml', 'packages: [operators/*]\n', 'pnpm-lock.yaml', 'pnpm'],
  ['package.json', '{ "workspaces": ["apps/*"] }', 'yarn.lock', 'npm'],
  ['package.json', '{', 'yarn.lock', 'npm'],
])('the lock file of a workspace decides: %s %j with %s', (file, text, lockFile, name) => {
  const project = join(folder, 'operators/cache');
  mkdirSync(project, { recursive: true });
  writeFileSync(join(folder, file), text);
  writeFileSync(join(folder, lockFile), '');
  writeFileSync(join(project, 'PROJECT'), '');
  const env = { npm_config_user_agent: 'npm/11.0.0' };
  expect(projectPackageManager(project, env).name).toBe(name);
  expect(shownCommand('op-sdk build', project, env)).toBe(
    `${projectPackageManager(project, env).exec} op-sdk build`,
  );
  writeFileSync(join(project, 'package-lock.json'), '{}');
  expect(projectPackageManager(project, env).name).toBe('npm');
});
