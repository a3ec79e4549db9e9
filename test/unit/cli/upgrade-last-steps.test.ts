import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CliContext } from '../../../src/cli/command.ts';
import { runFollowUps } from '../../../src/cli/actions/upgrade/last-steps.ts';

let cwd = '';
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-follow-up-')));
});
afterAll(() => rmSync(cwd, { recursive: true }));

/** A context whose messages are kept. */
function contextWith(env: Readonly<Record<string, string>>) {
  const lines: string[] = [];
  const report = { step: () => undefined, info: (line: string) => void lines.push(line) };
  const signal = new AbortController().signal;
  const context = { cwd, signal, report, env: { ...process.env, ...env } } as unknown as CliContext;
  return { context, lines };
}

test('a step after an upgrade by `npm exec --package` runs without its package', async () => {
  const { context, lines } = contextWith({
    npm_config_package: '/tmp/opsdk.tgz',
    npm_config_offline: 'true',
  });
  await runFollowUps(context, ['env']);
  expect(lines.filter((line) => /^npm_config_(?:package|offline)=/.test(line))).toEqual([
    'npm_config_offline=true',
  ]);
});

test('a step that fails names itself and those that are left', async () => {
  const { context } = contextWith({});
  await expect(runFollowUps(context, ['false', 'env'])).rejects.toThrow(/`false` failed[^]*`false && env`/);
});
