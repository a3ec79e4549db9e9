import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shownCommand } from '../../../../src/project/project/index.ts';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'shown-command-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const add = (...names: readonly string[]): void =>
  names.forEach((name) => writeFileSync(join(folder, name), ''));

describe('a command that is shown', () => {
  test.each([
    ['package-lock.json', 'npx --no op-sdk dev'],
    ['pnpm-lock.yaml', 'pnpm exec op-sdk dev'],
    ['yarn.lock', 'yarn op-sdk dev'],
    ['bun.lock', 'bun run op-sdk dev'],
  ])('is the one that the project has installed, with %s: %s', (lockFile, shown) => {
    add('PROJECT', lockFile);
    expect(shownCommand('op-sdk dev', folder, { npm_config_user_agent: 'npm/11.0.0' })).toBe(shown);
  });

  test('follows the package manager that runs, before anything was installed', () => {
    add('PROJECT');
    expect(shownCommand('op-sdk dev', folder, { npm_config_user_agent: 'pnpm/10.0.0 npm/?' })).toBe(
      'pnpm exec op-sdk dev',
    );
    expect(shownCommand('op-sdk dev', folder, {})).toBe('npx --no op-sdk dev');
  });

  test('is named alone outside of a project, where npx would fetch a package of that name', () => {
    expect(shownCommand('op-sdk testenv run', folder, {})).toBe('op-sdk testenv run');
  });

  test('stays as it is where it is not one of op-sdk', () => {
    add('PROJECT');
    expect(shownCommand('npm install', folder, {})).toBe('npm install');
    expect(shownCommand('op-sdk-other', folder, {})).toBe('op-sdk-other');
  });
});
