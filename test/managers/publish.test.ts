// scripts/publish.mjs: without an address it refuses, with one it lists what a release does, and the packed packages pass publint.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { run } from '../../scripts/lib/run.mjs';

const publish = (...args: readonly string[]) =>
  run(process.execPath, ['scripts/publish.mjs', ...args, '--dry-run'], { capture: 'all' });

test('refuses without a repository and without notes, and names both', async () => {
  const { code, output } = await publish('9.9.9');
  expect(code).toBe(1);
  expect(output).toContain('- package.json names no repository');
  expect(output).toContain('- CHANGELOG.md has no heading "## 9.9.9"');
});

test('lists what it would publish', { timeout: 120_000 }, async () => {
  const { folder } = inject('managers') ?? expect.fail('run with --project managers');
  const root = join(folder, 'to-publish');
  mkdirSync(join(root, 'create-opsdk'), { recursive: true });
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const version = manifest.version.replace(/-.*/, '');
  const repository = { type: 'git', url: 'git+https://git.example.com/team/opsdk.git' };
  writeFileSync(join(root, 'package.json'), JSON.stringify({ ...manifest, repository }));
  writeFileSync(join(root, 'create-opsdk', 'package.json'), JSON.stringify({ version: manifest.version }));
  writeFileSync(join(root, 'CHANGELOG.md'), `## ${version}\n\n- Something.\n`);
  const { code, output } = await publish(version, '--root', root);
  expect(code, output).toBe(0);
  const lines = output.split('\n').filter((line) => line.startsWith('would run: '));
  expect(lines).toEqual([
    expect.stringMatching(/^would run: npm publish \S+\/opsdk-\d+\.\d+\.\d+\.tgz --access public$/),
    expect.stringMatching(/^would run: npm publish \S+\/create-opsdk-\d+\.\d+\.\d+\.tgz --access public$/),
  ]);
});
