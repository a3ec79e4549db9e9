// What `op-sdk init --upgrade-workflow` adds to a project. `UPDATE_GOLDEN=1` writes the files.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as prettier from 'prettier';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runCli } from '../../helpers/run-cli.ts';
import { treeOf } from '../../helpers/tree.ts';

let scratch = '';
beforeAll(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-upgrade-workflow-')));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function scaffold(name: string, ...flags: readonly string[]): Promise<string> {
  const [agent = ''] = name.split(' ');
  const cwd = join(scratch, name.replace(/\W/g, '-'), 'cache-operator');
  mkdirSync(cwd, { recursive: true });
  const init = ['init', '--skip-install', '--opsdk', '^0.1.0', '--domain', 'example.com', ...flags];
  const run = await runCli(init, { cwd, env: { npm_config_user_agent: agent } });
  expect(run.code, run.stderr).toBe(0);
  return cwd;
}

test.each([
  ['npm', 'npm'],
  ['pnpm', 'pnpm/12.0.0'],
  ['yarn', 'yarn/4.0.0'],
])('the workflow of a project with %s', async (name, agent) => {
  const project = await scaffold(agent, '--upgrade-workflow');
  const workflow = readFileSync(join(project, '.github/workflows/upgrade.yaml'), 'utf8');
  await expect(workflow).toMatchFileSnapshot(join(import.meta.dirname, `${name}.yaml`));
  const style = await prettier.resolveConfig(join(project, 'package.json'), { editorconfig: false });
  expect(await prettier.format(workflow, { ...style, parser: 'yaml' })).toBe(workflow);
});

test('without the flag, a project differs in the workflow, in dependabot and in PROJECT alone', async () => {
  const [without, withIt] = await Promise.all([
    scaffold('npm plain'),
    scaffold('npm flag', '--upgrade-workflow'),
  ]);
  const [from, to] = [treeOf(without), treeOf(withIt)];
  const paths = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort();
  expect(paths.filter((path) => from[path] !== to[path])).toEqual([
    '.github/dependabot.yml',
    '.github/workflows/upgrade.yaml',
    'PROJECT',
  ]);
  const read = (path: string): string => readFileSync(join(withIt, path), 'utf8');
  await expect(read('.github/dependabot.yml')).toMatchFileSnapshot(
    join(import.meta.dirname, 'dependabot.yml'),
  );
  const { plugins } = parse(read('PROJECT')) as {
    plugins: Record<string, { commands: { command: string; flags: Record<string, unknown> }[] }>;
  };
  expect(plugins['typescript.opsdk.dev/v1']?.commands).toEqual([
    expect.objectContaining({
      command: 'init',
      flags: expect.objectContaining({ 'upgrade-workflow': true }) as unknown,
    }),
  ]);
});
