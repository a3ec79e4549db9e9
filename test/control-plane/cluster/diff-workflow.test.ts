// The workflow of the guide: its command is run as the shell of a runner would, with what op-sdk says about a real cluster.
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { jsonListOf, jsonMapOf, jsonTextOf } from '../../../src/base/util/json-map.ts';
import { sharedControlPlane, uniqueName } from '../../helpers/control-plane.ts';
import { readGuide } from '../../helpers/guide.ts';
import { runCli, type CliRun } from '../../helpers/run-cli.ts';

const root = join(import.meta.dirname, '../../..');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'op-sdk-diff-workflow-'));
  return () => rm(folder, { recursive: true });
});

async function scriptOfGuide(): Promise<string> {
  const path = '.github/workflows/deploy-diff.yaml';
  const guide = readGuide(await readFile(join(root, 'docs/deploy.md'), 'utf8'));
  const file = guide.find((step) => step.kind === 'file' && step.path === path);
  const value: unknown = parse(file?.kind === 'file' ? file.content : '');
  expect(jsonMapOf(value)['on']).toBe('pull_request');
  const job = jsonMapOf(jsonMapOf(jsonMapOf(value)['jobs'])['deploy-diff']);
  expect(job['runs-on']).toBe('ubuntu-latest');
  const steps = jsonListOf(job['steps']).map(jsonMapOf);
  const step = steps.find(({ run }) => jsonTextOf(run).includes('op-sdk diff'));
  expect(Object.keys(jsonMapOf(step?.['env']))).toEqual(['DEPLOY_KUBECONFIG']);
  return jsonTextOf(step?.['run']);
}

/** Runs the script with an op-sdk that writes its arguments down and ends as `ended`. */
async function runScript(
  script: string,
  kubeconfig: string,
  ended: Pick<CliRun, 'code' | 'stdout'>,
): Promise<{ readonly code: number | null; readonly args: readonly string[]; readonly summary: string }> {
  await writeFile(join(folder, 'stdout'), ended.stdout);
  await writeFile(join(folder, 'summary.md'), '');
  const npx = `npx() { shift 2; printf '%s\\0' "$@" > args; cat stdout; return ${ended.code}; }`;
  const { status } = spawnSync(
    'bash',
    ['--noprofile', '--norc', '-eo', 'pipefail', '-c', `${npx}\n${script}`],
    {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        DEPLOY_KUBECONFIG: kubeconfig,
        RUNNER_TEMP: folder,
        GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
      },
    },
  );
  return {
    code: status,
    args: (await readFile(join(folder, 'args'), 'utf8')).split('\0').slice(0, -1),
    summary: await readFile(join(folder, 'summary.md'), 'utf8'),
  };
}

test('shows what a deploy would change, and fails only where that cannot be found out', async () => {
  const plane = await sharedControlPlane();
  const script = await scriptOfGuide();
  const cwd = join(folder, 'project');
  await cp(join(root, 'test/golden/projects/empty'), cwd, { recursive: true });
  // Namespaces and cluster roles are for the whole cluster, which other tests use too.
  const unique = uniqueName('flow');
  const file = join(cwd, 'config/default/kustomization.yaml');
  const text = await readFile(file, 'utf8');
  const named = text
    .replace(/^namespace: .*$/m, `namespace: ${unique}`)
    .replace(/^namePrefix: .*$/m, `namePrefix: ${unique}-`);
  await writeFile(file, named);
  const kubeconfig = await readFile(plane.kubeconfig, 'utf8');

  const { args } = await runScript(script, kubeconfig, { code: 0, stdout: '' });
  expect(args).toEqual(['diff', '--kubeconfig', join(folder, 'kubeconfig')]);
  const shown = await runCli(args, { cwd });
  expect([shown.code, shown.stderr]).toEqual([1, '']);
  const differs = await runScript(script, kubeconfig, shown);
  expect(differs.code).toBe(0);
  expect(differs.summary).toBe(`~~~~diff\n${shown.stdout}~~~~\n`);
  expect(differs.summary).toContain(`\n+  name: ${unique}-controller-manager\n`);

  const image = 'registry.example.com/team/operator:v1';
  const connection = ['--kubeconfig', plane.kubeconfig];
  expect((await runCli(['deploy', '--no-wait', '--image', image, ...connection], { cwd })).code).toBe(0);
  const same = await runScript(script, kubeconfig, await runCli(args, { cwd }));
  expect([same.code, same.summary]).toEqual([0, 'A deploy would change nothing.\n']);

  const manager = join(cwd, 'config/manager/kustomization.yaml');
  const before = await readFile(manager, 'utf8');
  const next = await runCli(['diff', '--image', image.replace('v1', 'v2'), ...connection], { cwd });
  expect([next.code, next.stderr]).toEqual([1, '']);
  expect(next.stdout).toContain(`-        image: ${image}\n+        image: ${image.replace('v1', 'v2')}\n`);
  expect(next.stdout).toMatch(/\n1 changed, \d+ unchanged\n$/);
  expect(await readFile(manager, 'utf8')).toBe(before);

  await writeFile(file, `${named}\nunknown: field\n`);
  const broken = await runCli(args, { cwd });
  expect(broken.code).toBe(3);
  expect((await runScript(script, kubeconfig, broken)).code).toBe(3);
  await writeFile(file, named);
  const gone = await runCli(['undeploy', '--yes', '--no-wait', ...connection], { cwd });
  expect(gone.code, gone.stderr).toBe(0);
});
