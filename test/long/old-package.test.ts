// A project of op-sdk 0.1.0, which did not record its commands yet, edited to the nginx operator of that time, and upgraded to the packed
// package of today. It packs dist/: build it first.
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProgramsUnavailable } from '../../scripts/lib/go-programs.mjs';
import { nginxProjectSteps, packPackage } from '../../scripts/lib/nginx-project.mjs';
import { ensureOldPackage } from '../../scripts/lib/old-package.mjs';
import { run } from '../../scripts/lib/run.mjs';
import { ProjectInGit } from '../helpers/project-in-git.ts';

/** The last commit whose package does not record commands in PROJECT. */
const commit = 'acf839bb';

const old = await ensureOldPackage(commit).catch((error: unknown) => {
  if (error instanceof ProgramsUnavailable) return error.message;
  throw error;
});
const reason = typeof old === 'string' ? ` (${old})` : '';

const controller = 'src/controllers/operator/nginx-operator.ts';

describe.skipIf(typeof old === 'string')(`a project of ${commit}${reason}`, () => {
  let scratch = '';
  let project: ProjectInGit;
  let upgrade = '';

  /** Runs a command in the project, which must succeed. @returns its output */
  async function succeed(command: string, ...args: readonly string[]): Promise<string> {
    const { code, output } = await run(command, args, { cwd: project.folder, capture: 'all' });
    expect(code, `${command} ${args.join(' ')}\n${output}`).toBe(0);
    return output;
  }

  const exampleText = (path: string): string =>
    typeof old === 'string' ? '' : readFileSync(join(old.example, path), 'utf8');

  beforeAll(async () => {
    if (typeof old === 'string') return;
    scratch = mkdtempSync(join(realpathSync(tmpdir()), 'op-sdk-old-project-'));
    project = new ProjectInGit(join(scratch, 'nginx-operator'));
    const [init, createApi] = nginxProjectSteps({
      folder: project.folder,
      tarball: old.tarball,
      quiet: true,
    });
    await init?.action();
    await createApi?.action();
    cpSync(old.example, project.folder, { recursive: true });
    await succeed('npx', '--no', 'op-sdk', 'generate', 'manifests');
    project.edit('README.md', '\n## ', '\nAsk Jo.\n\n## ');
    project.edit('Dockerfile', 'WORKDIR /workspace', '# mine\nWORKDIR /workspace');
    project.edit('package.json', '"scripts": {', '"scripts": {\n    "mine": "echo mine",');
    project.git('init', '--quiet');
    project.commit('nginx operator');
    const packed = await packPackage(join(scratch, 'package'));
    // The new template handles errors with conditionsOf, whose import this controller has replaced: git merges that without a conflict too.
    const args = ['exec', '--yes', `--package=${packed}`, '--', 'opsdk', 'upgrade'];
    const { code, output } = await run('npm', args, { cwd: project.folder, capture: 'all' });
    expect(code, output).toBe(1);
    expect(output).toContain(`${controller}(43,24): error TS2552: Cannot find name 'conditionsOf'`);
    expect(output).toContain('error[upgrade/follow-up-failed]: `npm run typecheck` failed');
    project.edit(controller, 'import { defineController', 'import { conditionsOf, defineController');
    upgrade = output + (await succeed('npx', '--no', 'op-sdk', 'upgrade'));
    expect(upgrade).toContain('continuing the upgrade');
    const again = await succeed('npx', '--no', 'op-sdk', 'upgrade');
    expect(again).toContain('the project has the scaffolds of op-sdk');
  });
  afterAll(() => {
    if (scratch !== '') rmSync(scratch, { recursive: true, force: true });
  });

  test('keeps the edits, and reports the files of which it does not know how they were made', () => {
    for (const path of [
      'assets/nginx_deployment.yaml',
      'src/api/operator/v1alpha1/nginx-operator.ts',
      'test/controllers/operator/nginx-operator.test.ts',
    ])
      expect(project.read(path), path).toBe(exampleText(path));
    // Lines around it come from the template.
    const [desired = ''] = /^export function desiredDeployment[^]*?^}$/m.exec(exampleText(controller)) ?? [];
    expect(desired).toContain('forceRedploy');
    expect(project.read(controller)).toContain(desired);
    expect(project.read('README.md')).toContain('\nAsk Jo.\n');
    expect(project.read('Dockerfile')).toContain('\n# mine\n');
    expect(JSON.parse(project.read('package.json'))).toMatchObject({
      scripts: { mine: 'echo mine', 'test:crds': 'op-sdk crd test' },
      dependencies: { opsdk: expect.stringMatching(/^file:\.op-sdk\/opsdk-/) as unknown },
    });
    expect(project.read('PROJECT')).not.toContain('cliVersion: 0.1.0\n');
    console.log(upgrade);
    console.log(project.status().join('\n'));
  });

  test('compiles, and passes its own tests', async () => {
    await succeed('npm', 'run', 'typecheck');
    expect(await succeed('npm', 'test')).toMatch(/Tests .*\d+ passed/);
    await succeed('npx', '--no', 'op-sdk', 'generate', 'manifests', '--check');
  });
});
