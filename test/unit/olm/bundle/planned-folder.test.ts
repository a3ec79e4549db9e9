import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runCli, type CliRun } from '../../../helpers/run-cli.ts';
import { projectFolder, type ProjectFolder } from '../../compiler/manifests/project-folder.ts';
import { goldenObjects } from './objects.ts';

const folders: ProjectFolder[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

function project(): ProjectFolder {
  const folder = projectFolder({ 'objects.yaml': goldenObjects('nginx-operator') });
  folder.write('PROJECT', folder.read('PROJECT').replace('sample', 'nginx-operator'));
  folders.push(folder);
  return folder;
}

const run = ({ dir }: ProjectFolder): Promise<CliRun> =>
  runCli(['generate', 'bundle', '--version', '0.0.1', '-f', 'objects.yaml'], { cwd: dir });

test.each(['bundle', 'bundle/metadata'])(
  '%s may be a link to another folder of the project',
  async (link) => {
    const folder = project();
    mkdirSync(join(folder.dir, 'elsewhere'));
    mkdirSync(join(folder.dir, link, '..'), { recursive: true });
    symlinkSync(join(folder.dir, 'elsewhere'), join(folder.dir, link));
    const { code, stderr } = await run(folder);
    expect(code, stderr).toBe(0);
    const file = link === 'bundle' ? 'elsewhere/metadata/annotations.yaml' : 'elsewhere/annotations.yaml';
    expect(folder.read(file)).toContain('nginx-operator');
  },
);

test('a link to nothing is refused', async () => {
  const folder = project();
  symlinkSync('nowhere', join(folder.dir, 'bundle'));
  const { code, stderr } = await run(folder);
  expect(code).toBe(1);
  expect(stderr).toContain('scaffold/outside-project');
});

test('a pipe in the folder is passed over', async () => {
  const folder = project();
  mkdirSync(join(folder.dir, 'bundle'));
  execFileSync('mkfifo', [join(folder.dir, 'bundle', 'pipe')]);
  const { code, stderr } = await run(folder);
  expect(code, stderr).toBe(0);
});
