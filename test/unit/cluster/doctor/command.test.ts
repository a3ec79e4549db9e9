// `op-sdk doctor` as a command: its table, its json, its exit codes.
import { describe, expect, test } from 'vitest';
import type { CheckResult } from '../../../../src/cluster/doctor/diagnose.ts';
import { explanations } from '../../../../src/cli/explanations/explanations.ts';
import { runCli } from '../../../helpers/run-cli.ts';
import { treeOf } from '../../../helpers/tree.ts';
import { doctorFixture } from './fixture.ts';

const { home, project, tools } = doctorFixture();

/** Without a network: whatever is asked of a registry ends at a proxy that is not there. */
const environment = (cwd: string) => ({ HOME: cwd, PATH: tools(), HTTPS_PROXY: 'http://127.0.0.1:1' });

describe('the command', () => {
  test('outside of a project and without a cluster all is skipped but this machine', async () => {
    const cwd = home();
    const run = await runCli(['doctor'], { cwd, env: environment(cwd) });
    expect(run.code, run.stdout).toBe(0);
    expect(run.stdout.split('\n').filter((line) => /^(ok|warning|problem)/.test(line))).toEqual([
      'ok       node              Node 20.19.0',
    ]);
    expect(run.stdout).toMatch(/^skipped {2}project +this folder has no PROJECT file/m);
    expect(run.stdout).toMatch(/^skipped {2}cluster +no cluster is configured/m);
    expect(run.stderr).toMatch(/^1 ok, 0 warnings, 0 problems, \d+ skipped\n$/);
    expect(treeOf(cwd)).toEqual({});
  });

  test('tells problems with their fixes, exits 1, and writes nothing', async () => {
    const cwd = project({ 'node_modules/vitest': undefined, 'package-lock.json': undefined });
    const before = treeOf(cwd, []);
    const run = await runCli(['doctor', '--quiet'], { cwd, env: environment(cwd) });
    expect(run.code).toBe(1);
    expect(run.stdout).toContain(
      `problem  dependencies      1 of 7 packages are not installed: vitest [cluster/dependencies-missing]
                           fix: npm install
`,
    );
    expect(run.stdout).toMatch(/^warning {2}package-manager .*\[cluster\/lock-file\]$/m);
    expect(run.stdout).toMatch(/^warning {2}registry .*\[cluster\/no-registry-credentials\]$/m);
    expect(run.stdout).not.toMatch(/^(ok|skipped)/m);
    expect(run.stderr).toBe('');
    expect(treeOf(cwd, [])).toEqual(before);
  });

  test('-o json has every check, and the findings as everywhere', async () => {
    const cwd = project({ 'config/rbac/role.yaml': (text) => text.replace('- watch', '- get') });
    const run = await runCli(['doctor', '-o', 'json'], { cwd, env: environment(cwd) });
    expect(run.code).toBe(1);
    const document = JSON.parse(run.stdout) as {
      ok: boolean;
      result: { checks: CheckResult[]; summary: object };
      warnings: object[];
      errors: object[];
    };
    expect(document.ok).toBe(false);
    expect(document.errors).toMatchObject([
      { code: 'manifests/out-of-date', fix: ['op-sdk generate manifests'] },
    ]);
    expect(document.warnings).toMatchObject([{ code: 'cluster/no-registry-credentials' }]);
    expect(document.result.summary).toMatchObject({ warnings: 1, problems: 1 });
    for (const { status, code } of document.result.checks) {
      if (status === 'warning' || status === 'problem') expect(explanations).toHaveProperty([code ?? '']);
    }
  });

  test('finds the credentials where docker keeps them', async () => {
    const cwd = project({
      '.docker/config.json': '{ "auths": { "registry.example.com": { "auth": "YTpi" } } }',
    });
    const run = await runCli(['doctor'], { cwd, env: environment(cwd) });
    expect(run.stdout).toMatch(/^ok +registry +there are credentials for registry\.example\.com$/m);
    expect(run.stdout).not.toContain('YTpi');
  });

  test('a kubeconfig that does not exist is a problem', async () => {
    const cwd = home();
    const run = await runCli(['doctor', '--kubeconfig', 'nothing'], {
      cwd,
      env: environment(cwd),
    });
    expect(run.code).toBe(1);
    expect(run.stdout).toMatch(/^problem {2}cluster .*\[kube\/kubeconfig-unreadable\]$/m);
  });
});
