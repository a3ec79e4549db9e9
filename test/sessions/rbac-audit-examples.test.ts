// The tests of operators under `op-sdk rbac audit`: their roles are what they need. They import dist/: build it first.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../helpers/run-cli.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));
let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(realpathSync(tmpdir()), 'op-sdk-audit-examples-'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test.each([
  ['examples/nginx-operator', 'operator', ['NginxOperator']],
  ['examples/memcached-operator', 'cache', ['Memcached']],
  ['examples/namespace-sync', '', []],
  // Two kinds of its own with finalizers, Secrets that are created, updated and deleted, Events.
  ['test/operators/database-operator', 'data', ['Database', 'Account']],
] as const)('%s: nothing is forbidden, nothing is unused', async (folder, group, kinds) => {
  const name = basename(folder);
  const project = join(scratch, name);
  mkdirSync(project);
  const run = async (...argv: readonly string[]) => {
    const { code, stdout, stderr } = await runCli(argv, {
      cwd: project,
      env: { ...process.env, OPSDK_NO_CACHE: '1' },
    });
    expect(code, `${argv.join(' ')}\n${stdout}\n${stderr}`).toBe(0);
    return stdout;
  };
  await run('init', '--domain', 'example.com', '--project-name', name, '--skip-install', '--opsdk', '*');
  for (const kind of kinds)
    await run('create', 'api', '--group', group, '--version', 'v1alpha1', '--kind', kind);
  // Some are tested together with others.
  rmSync(join(project, 'test'), { recursive: true, force: true });
  cpSync(join(repository, folder), project, { recursive: true });
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(repository, join(project, 'node_modules', 'opsdk'));
  symlinkSync(join(repository, 'node_modules/vitest'), join(project, 'node_modules', 'vitest'));
  await run('generate', 'manifests');
  // One file after the other: some have nodes, whose Pods are of no use to the others.
  const files = ['--project', 'integration', '--no-file-parallelism'];
  const vitest = [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', ...files];
  const report = await run('rbac', 'audit', '--fail-on', 'unused', '-o', 'json', '--', ...vitest);
  expect(JSON.parse(report)).toMatchObject({
    ok: true,
    result: { forbidden: [], unused: [], openEnded: [], command: { exitCode: 0 } },
  });
});
