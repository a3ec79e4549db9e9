import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectPackageManager } from '../../../../src/project/project/index.ts';

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
