// An operator of a StatefulSet that follows a version of op-sdk with other templates: it compiles, and passes its own tests, as before.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../scripts/lib/run.mjs';
import { OpsdkVersion } from '../helpers/opsdk-versions.ts';
import { ProjectInGit } from '../helpers/project-in-git.ts';
import { repositoryRoot } from '../helpers/source-files.ts';
import { isThorough } from '../helpers/thorough.ts';

const example = join(repositoryRoot, 'examples/redis-enterprise');

let scratch = '';
beforeAll(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-upgrade-stateful-')));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Scaffolds the project of the example by an old version, and copies what its authors have written. */
function projectOf(old: OpsdkVersion): ProjectInGit {
  const project = new ProjectInGit(join(scratch, 'redis-enterprise'));
  mkdirSync(join(project.folder, 'node_modules'), { recursive: true });
  for (const name of ['@types', 'eslint', 'prettier', 'typescript', 'typescript-eslint', 'vitest'])
    symlinkSync(join(repositoryRoot, 'node_modules', name), join(project.folder, 'node_modules', name));
  old.installIn(project.folder);
  const kind = '--group app --version v1alpha1 --kind RedisEnterpriseCluster --plural redisearchclusters';
  old.done(
    project.folder,
    'init --domain redislabs.com --license none --skip-install --opsdk ^1.0.0',
    `create api ${kind}`,
  );
  for (const path of ['src/api', 'src/cluster', 'src/controllers', 'test', 'config/samples'])
    cpSync(join(example, path), join(project.folder, path), { recursive: true });
  old.done(project.folder, 'generate manifests');
  project.git('init', '--quiet');
  project.commit('operator');
  return project;
}

async function passes({ folder }: ProjectInGit): Promise<void> {
  for (const script of ['typescript/bin/tsc', 'vitest/vitest.mjs run --project unit']) {
    const [file = '', ...args] = script.split(' ');
    const program = [join(folder, 'node_modules', file), ...args];
    const { code, output } = await run(process.execPath, program, { cwd: folder, capture: 'all' });
    expect(code, `${script}\n${output}`).toBe(0);
  }
}

test.skipIf(!isThorough)(
  'an operator of a StatefulSet compiles and passes its tests after an upgrade',
  async () => {
    const old = new OpsdkVersion(join(scratch, 'old'), '1.0.0');
    const next = new OpsdkVersion(join(scratch, 'next'), '1.1.0')
      .edit('templates/init/src/main.ts.hbs', (text) =>
        text.replace('// Reads the command line', '// Version 1.1.0 reads the command line'),
      )
      .edit('templates/init/tsconfig.json.hbs', (text) =>
        text.replace('"compilerOptions": {', '"compilerOptions": {\n    "allowUnreachableCode": false,'),
      )
      .edit('templates/init/config/manager/manager.yaml.hbs', (text) => `# Version 1.1.0\n${text}`)
      .edit(
        'templates/controller/src/controllers/__group__/__kind__.ts.hbs',
        (text) => `${text}// Version 1.1.0\n`,
      );
    const project = projectOf(old);
    await passes(project);
    const upgraded = next.run(project.folder, ['upgrade', '--skip-install', '-o', 'json']);
    expect(upgraded.code, upgraded.stderr).toBe(0);
    expect(project.status()).toEqual([
      ' M PROJECT',
      ' M config/manager/manager.yaml',
      ' M package.json',
      ' M src/controllers/app/redis-enterprise-cluster.ts',
      ' M src/main.ts',
      ' M tsconfig.json',
    ]);
    const controller = 'src/controllers/app/redis-enterprise-cluster.ts';
    const merged = project.read(controller);
    expect(merged).toContain('\n});\n// Version 1.1.0\n');
    expect(merged.replace('// Version 1.1.0\n', '')).toBe(readFileSync(join(example, controller), 'utf8'));
    expect(project.read('src/main.ts')).toMatch(/redisEnterpriseCluster[^]*Version 1\.1\.0 reads/);
    next.installIn(project.folder);
    await passes(project);
    const again = next.run(project.folder, ['upgrade', '--check']);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('the scaffolds of op-sdk 1.1.0')]);
  },
);
