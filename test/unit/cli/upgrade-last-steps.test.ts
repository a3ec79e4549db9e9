import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CliContext } from '../../../src/cli/command.ts';
import { refuseConflictsLeft, runFollowUps } from '../../../src/cli/actions/upgrade/last-steps.ts';

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

test('a further version is refused while files have marks of the last upgrade', async () => {
  const left = { version: '1.1.0', conflicts: ['Makefile'] };
  writeFileSync(join(cwd, 'Makefile'), 'a\n>>>>>>> op-sdk\n');
  await expect(refuseConflictsLeft(cwd, left)).rejects.toMatchObject({
    findings: [
      {
        code: 'upgrade/conflict',
        message: expect.stringContaining('the upgrade to op-sdk 1.1.0 is to be finished first') as string,
        where: { file: 'Makefile' },
      },
    ],
  });
  writeFileSync(join(cwd, 'Makefile'), 'a\n');
  await refuseConflictsLeft(cwd, left);
});
