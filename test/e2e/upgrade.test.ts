// Projects that follow a version of op-sdk with other templates. Both versions run as processes.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OpsdkVersion } from '../helpers/opsdk-versions.ts';
import { ProjectInGit } from '../helpers/project-in-git.ts';
import { treeOf } from '../helpers/tree.ts';

let scratch = '';
let old: OpsdkVersion;
let next: OpsdkVersion;

beforeAll(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-upgrades-')));
  old = new OpsdkVersion(join(scratch, 'old'), '1.0.0');
  next = new OpsdkVersion(join(scratch, 'next'), '1.1.0')
    .rename('templates/init/AGENTS.md.hbs', 'templates/init/GUIDE.md.hbs')
    .remove('templates/init/.devcontainer/devcontainer.json.hbs')
    .edit('templates/init/Dockerfile.hbs', (text) => `# Version 1.1.0\n${text}`)
    .edit('templates/init/package.json.hbs', (text) =>
      text.replace('"scripts": {', '"scripts": {\n    "hello": "echo hello",'),
    )
    .edit('templates/init/src/main.ts.hbs', (text) =>
      text
        .replace('// +op-sdk:scaffold:imports\n', '')
        .replace('import { permissions }', '// +op-sdk:scaffold:imports\nimport { permissions }')
        .replaceAll('operatorMain', 'runOperator'),
    )
    .edit('templates/api-renames.json', () =>
      JSON.stringify([{ version: '1.1.0', module: 'opsdk', from: 'operatorMain', to: 'runOperator' }]),
    );
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A project of the old version, all of it committed. */
function projectOf(name: string, ...commands: readonly string[]): ProjectInGit {
  const folder = join(scratch, name);
  mkdirSync(folder);
  old.done(folder, 'init --domain example.com --skip-install --opsdk ~1.0.0', ...commands);
  old.installIn(folder);
  const project = new ProjectInGit(folder);
  project.git('init', '--quiet');
  project.commit('scaffold');
  return project;
}

const nginx = 'create api --group web --version v1 --kind Nginx';

// Each command is a process, and an upgrade starts a dozen of them.
describe('op-sdk upgrade', { timeout: 1_800_000 }, () => {
  test('brings edited projects to the new version, once', () => {
    const project = projectOf('nginx-operator', nginx);
    project.edit('Dockerfile', 'WORKDIR /workspace', '# mine\nWORKDIR /workspace');
    project.edit('package.json', '"dependencies": {', '"dependencies": {\n    "left-pad": "1.3.0",');
    project.edit('src/controllers/web/nginx.ts', 'import', '// mine\nimport');
    project.edit('AGENTS.md', '\n', '\nMine.\n');
    unlinkSync(join(project.folder, 'README.md'));
    project.commit('edit');
    const before = treeOf(project.folder);

    const check = next.run(project.folder, ['upgrade', '--check', '-o', 'json']);
    expect(check.code, check.stderr).toBe(1);
    const { errors } = JSON.parse(check.stdout) as { errors: { code: string; where: { file: string } }[] };
    const changed = ['.devcontainer/devcontainer.json', 'AGENTS.md', 'Dockerfile', 'GUIDE.md', 'PROJECT'];
    expect(errors.map(({ where }) => where.file)).toEqual([...changed, 'package.json', 'src/main.ts']);
    const dry = next.run(project.folder, ['upgrade', '--dry-run']);
    expect(dry.stdout).toContain('+++ b/Dockerfile\n@@ -1,3 +1,4 @@\n+# Version 1.1.0\n');
    expect(treeOf(project.folder)).toEqual(before);

    project.write('new.txt', 'not committed');
    const dirty = next.run(project.folder, ['upgrade', '--skip-install']);
    expect([dirty.code, dirty.stderr]).toEqual([1, expect.stringContaining('upgrade/uncommitted-changes')]);
    unlinkSync(join(project.folder, 'new.txt'));

    const run = next.run(project.folder, ['upgrade', '--skip-install']);
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toContain('generate manifests');
    expect(run.stderr).toContain('renamed AGENTS.md → GUIDE.md');
    expect(project.read('GUIDE.md')).toContain('\nMine.\n');
    expect(project.status()).toEqual(
      [
        ' D .devcontainer/devcontainer.json',
        ' D AGENTS.md',
        ' M Dockerfile',
        ' M PROJECT',
        ' M package.json',
        ' M src/main.ts',
        '?? GUIDE.md',
      ].sort(),
    );
    expect(project.read('Dockerfile')).toMatch(/^# Version 1\.1\.0\n[^]*# mine\nWORKDIR/);
    expect(project.read('PROJECT')).toContain('\ncliVersion: 1.1.0\n');
    expect(JSON.parse(project.read('package.json'))).toMatchObject({
      scripts: { hello: 'echo hello' },
      dependencies: { 'left-pad': '1.3.0', opsdk: '~1.1.0' },
    });
    expect(project.read('src/main.ts')).toContain('nginx');
    expect(project.read('src/main.ts')).not.toContain('operatorMain');

    const upgraded = treeOf(project.folder);
    const again = next.run(project.folder, ['upgrade', '--check']);
    expect([again.code, again.stderr]).toEqual([
      0,
      expect.stringContaining('has the scaffolds of op-sdk 1.1.0'),
    ]);
    expect(treeOf(project.folder)).toEqual(upgraded);
    // A further kind finds the markers in their new places.
    next.done(project.folder, 'create api --group web --version v1 --kind Site');
    const back = old.run(project.folder, ['upgrade', '--check']);
    expect([back.code, back.stderr]).toEqual([1, expect.stringContaining('upgrade/older-version')]);
  });

  test('marks what both sides have changed, and renames what the sources import', () => {
    const project = projectOf('conflicts', nginx);
    project.edit('src/main.ts', 'import { permissions }', "import './mine.ts';\nimport { permissions }");
    project.write(
      'src/mine.ts',
      "import { operatorMain } from 'opsdk';\nexport const mine = [operatorMain];\n",
    );
    project.commit('edit');
    const run = next.run(project.folder, ['upgrade', '--skip-install', '-o', 'json']);
    expect(run.code, run.stderr).toBe(1);
    const { errors } = JSON.parse(run.stdout) as { errors: { code: string; where: object }[] };
    expect(errors.map(({ code, where }) => [code, where])).toEqual([
      ['upgrade/conflict', { file: 'src/main.ts' }],
    ]);
    expect(project.read('src/main.ts')).toMatch(
      /<<<<<<< edited\nimport '\.\/mine\.ts';\n[^]*>>>>>>> op-sdk\n/,
    );
    expect(project.read('src/main.ts')).not.toContain('operatorMain');
    expect(project.read('src/mine.ts')).toBe(
      "import { runOperator } from 'opsdk';\nexport const mine = [runOperator];\n",
    );
    project.commit('marks');
    const further = next.run(project.folder, ['upgrade', '--to', '1.2.0', '--skip-install']);
    expect([further.code, further.stderr]).toEqual([
      1,
      expect.stringMatching(/upgrade\/conflict[^]*src\/main\.ts[^]*1\.1\.0 is to be finished first/),
    ]);
  });

  test('follows versions, webhooks, a scope and a deleted kind', () => {
    const project = projectOf(
      'versions',
      nginx,
      'create api --group web --version v1 --kind Gone',
      'create api --group web --version v2 --kind Nginx --storage',
      'create webhook --group web --version v2 --kind Nginx --conversion --defaulting --cert-provider self-signed',
      'edit --namespaced',
      'delete api --group web --kind Gone',
    );
    expect(existsSync(join(project.folder, 'src/api/web/v1/gone.ts'))).toBe(true);
    const run = next.run(project.folder, ['upgrade', '--skip-install', '-o', 'json']);
    expect(run.code, run.stderr).toBe(0);
    const { result, warnings = [] } = JSON.parse(run.stdout) as {
      result: { files: { action: string; path: string }[] };
      warnings?: unknown[];
    };
    expect(warnings).toEqual([]);
    const touched = result.files.filter(({ action }) => action !== 'unchanged').map(({ path }) => path);
    expect(touched).toEqual([
      ...['.devcontainer/devcontainer.json', 'AGENTS.md', 'Dockerfile', 'GUIDE.md', 'PROJECT'],
      ...['package.json', 'src/main.ts'],
    ]);
    // Nothing has to be edited: the upgraded project is the one that the new version scaffolds.
    const fresh = join(scratch, 'fresh', 'versions');
    mkdirSync(fresh, { recursive: true });
    next.done(
      fresh,
      'init --domain example.com --skip-install --opsdk ~1.1.0',
      nginx,
      'create api --group web --version v1 --kind Gone',
      'create api --group web --version v2 --kind Nginx --storage',
      'create webhook --group web --version v2 --kind Nginx --conversion --defaulting --cert-provider self-signed',
      'edit --namespaced',
      'delete api --group web --kind Gone',
    );
    const own = (tree: Record<string, string>) =>
      Object.fromEntries(Object.entries(tree).filter(([path]) => !/^(?:\.git|node_modules)\//.test(path)));
    expect(own(treeOf(project.folder))).toEqual(own(treeOf(fresh)));
  });

  test('leaves files alone of which it is not known how they were made', () => {
    const project = projectOf('unknown', nginx);
    const text = project.read('PROJECT');
    const [record = ''] = /^ {4}commands:\n(?: {4}[- ].*\n)+?(?= {4}templates:)/m.exec(text) ?? [];
    expect(record).toContain('create api');
    // As a version without the record would have left it, with another hash of an edited file.
    writeFileSync(
      join(project.folder, 'PROJECT'),
      text.replace(record, '').replace(/Dockerfile: \w+/, 'Dockerfile: "0"'),
    );
    project.edit('Dockerfile', 'WORKDIR /workspace', '# mine\nWORKDIR /workspace');
    project.commit('edit');
    const run = next.run(project.folder, ['upgrade', '--skip-install', '-o', 'json']);
    expect(run.code, run.stderr).toBe(0);
    const { warnings } = JSON.parse(run.stdout) as { warnings: { code: string; where: object }[] };
    expect(warnings.map(({ code, where }) => [code, where])).toEqual([
      ['upgrade/unknown-origin', { file: 'Dockerfile' }],
    ]);
    expect(project.read('Dockerfile')).not.toContain('1.1.0');
    expect(existsSync(join(project.folder, 'GUIDE.md'))).toBe(true);
    expect(project.read('src/main.ts')).toContain('runOperator');
  });
});
