// `op-sdk edit`: settings of a project change by splices, and what cannot be changed is said.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Finding } from '../../../src/base/errors/index.ts';
import { runCli, type CliRun } from '../../helpers/run-cli.ts';
import { treeOf } from '../../helpers/tree.ts';

let scratch = '';
let template = '';

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-edit-'));
  template = join(scratch, 'cache-operator');
  mkdirSync(template);
  await done(template, 'init --domain example.com --skip-install --opsdk ^0.1.0 --owner Ada');
  await done(template, 'create api --group cache --version v1 --kind Redis');
  await done(
    template,
    'create api --group cache --version v1 --kind Region --namespaced=false --controller=false',
  );
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function project(): string {
  const folder = mkdtempSync(join(scratch, 'project-'));
  cpSync(template, folder, { recursive: true });
  return folder;
}

const read = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8');

function change(folder: string, path: string, edit: (text: string) => string): void {
  const before = read(folder, path);
  writeFileSync(join(folder, path), edit(before));
  expect(read(folder, path)).not.toBe(before);
}

async function done(folder: string, command: string): Promise<CliRun> {
  const run = await runCli(command.split(' '), { cwd: folder });
  expect(run.code, run.stderr).toBe(0);
  return run;
}

async function refused(folder: string, command: string): Promise<readonly Finding[]> {
  const before = treeOf(folder);
  const run = await runCli([...command.split(' '), '-o', 'json'], { cwd: folder });
  expect(run.code, run.stdout).not.toBe(0);
  expect(treeOf(folder)).toEqual(before);
  return (JSON.parse(run.stdout) as { errors: Finding[] }).errors;
}

describe('edit --namespaced', () => {
  test('does not count as an edit of somebody: the kind can be deleted without --force', async () => {
    const folder = project();
    await done(folder, 'edit --namespaced');
    await done(folder, 'delete api --group cache --kind Redis --sources');
    change(folder, 'config/rbac/cache_region_viewer_role.yaml', (text) => `${text}# ours\n`);
    await done(folder, 'edit --namespaced=false');
    const [finding] = await refused(folder, 'delete api --group cache --kind Region --sources');
    expect(finding?.code).toBe('scaffold/file-edited');
  });

  test('binds a Role, and back again leaves the project as it was', async () => {
    const folder = project();
    const before = treeOf(folder);
    await done(folder, 'edit --namespaced');
    expect(read(folder, 'PROJECT')).toContain('\nnamespaced: true\n');
    expect(read(folder, 'config/rbac/role.yaml')).toContain('\nkind: Role\n');
    expect(read(folder, 'config/rbac/role_binding.yaml')).toMatch(
      /\nkind: RoleBinding\n(.*\n)*  kind: Role\n/,
    );
    expect(read(folder, 'config/rbac/cache_redis_viewer_role.yaml')).toContain('\nkind: Role\n');
    expect(read(folder, 'config/rbac/cache_region_viewer_role.yaml')).toContain('\nkind: ClusterRole\n');
    expect(read(folder, 'config/manager/manager.yaml')).toContain(
      `        - name: WATCH_NAMESPACE
          valueFrom:
            fieldRef:
              fieldPath: metadata.namespace
        ports:
`,
    );
    await done(folder, 'generate manifests --check');
    const edited = treeOf(folder);
    await done(folder, 'edit --namespaced');
    expect(treeOf(folder)).toEqual(edited);
    await done(folder, 'edit --namespaced=false');
    expect(treeOf(folder)).toEqual(before);
  });

  test('undoes what init --namespaced wrote', async () => {
    const folder = join(mkdtempSync(join(scratch, 'fresh-')), 'cache-operator');
    mkdirSync(folder);
    await done(folder, 'init --domain example.com --skip-install --opsdk ^0.1.0 --owner Ada --namespaced');
    await done(folder, 'edit --namespaced=false');
    for (const path of [
      'config/manager/manager.yaml',
      'config/rbac/role.yaml',
      'config/rbac/role_binding.yaml',
    ])
      expect(read(folder, path), path).toBe(
        read(template, path).replace(/rules:\n(.*\n)*/, path.endsWith('role.yaml') ? 'rules: []\n' : '$&'),
      );
  });

  test('keeps edits of the same files', async () => {
    const folder = project();
    change(folder, 'config/manager/manager.yaml', (text) =>
      text.replace(
        '        env:\n',
        '        env:\n        # mine\n        - { name: MINE, value: "1" } # too\n',
      ),
    );
    change(folder, 'config/rbac/role_binding.yaml', (text) => `# mine\n${text}- kind: User\n  name: me\n`);
    const before = treeOf(folder);
    await done(folder, 'edit --namespaced');
    expect(read(folder, 'config/manager/manager.yaml')).toContain(
      '        # mine\n        - { name: MINE, value: "1" } # too\n',
    );
    expect(read(folder, 'config/rbac/role_binding.yaml')).toMatch(
      /^# mine\n(.*\n)*- kind: User\n {2}name: me\n$/,
    );
    await done(folder, 'edit --namespaced=false');
    expect(treeOf(folder)).toEqual(before);
  });

  test('says all that cannot be edited, and what to write', async () => {
    const folder = project();
    change(folder, 'config/rbac/role_binding.yaml', (text) =>
      text.replace(/name: manager-role$/m, 'name: mine'),
    );
    rmSync(join(folder, 'config/manager/manager.yaml'));
    const findings = await refused(folder, 'edit --namespaced');
    expect(findings).toMatchObject([
      { code: 'project/cannot-edit', where: { file: 'config/rbac/role_binding.yaml' } },
      { code: 'project/cannot-edit', where: { file: 'config/manager/manager.yaml' } },
    ]);
    expect(findings[0]?.fix?.join()).toContain('kind: RoleBinding');
    expect(findings[1]?.fix?.join()).toContain('fieldPath: metadata.namespace');
  });

  test('leaves a WATCH_NAMESPACE of others, and says where it is', async () => {
    const folder = project();
    change(folder, 'config/manager/manager.yaml', (text) =>
      text.replace('        env:\n', '        env:\n        - name: WATCH_NAMESPACE\n          value: a,b\n'),
    );
    const before = read(folder, 'config/manager/manager.yaml');
    await done(folder, 'edit --namespaced');
    const { stderr } = await done(folder, 'edit --namespaced=false');
    expect(read(folder, 'config/manager/manager.yaml')).toBe(before);
    const line = before.split('\n').findIndex((each) => each.includes('WATCH_NAMESPACE')) + 1;
    expect(stderr).toContain('warning[project/watch-namespace-kept]');
    expect(stderr).toContain(`config/manager/manager.yaml:${line}`);
  });

  test('makes roles of kinds that come later namespaced too', async () => {
    const folder = project();
    await done(folder, 'edit --namespaced');
    await done(folder, 'create api --group cache --version v1 --kind Queue');
    expect(read(folder, 'config/rbac/cache_queue_editor_role.yaml')).toContain('\nkind: Role\n');
    await done(folder, 'create api --group core --version v1 --kind Node --resource=false');
    const role = read(folder, 'config/rbac/role.yaml');
    expect(role.match(/^kind: .*$/gm)).toEqual([
      'kind: ClusterRole',
      'kind: Role',
      'kind: ClusterRoleBinding',
    ]);
    expect(role.split('---\n')[0]).toContain('  - nodes\n');
    expect(role.split('---\n')[1]).not.toContain('  - nodes\n');
    await done(folder, 'generate manifests --check');
  });
});

describe('edit --license and --owner', () => {
  test('change the header of new files and the licence of the package', async () => {
    const folder = project();
    await done(folder, 'edit --license none');
    expect(read(folder, 'hack/boilerplate.txt')).toBe('Copyright Ada.\n');
    expect(JSON.parse(read(folder, 'package.json'))).toMatchObject({ license: 'UNLICENSED' });
    await done(folder, 'edit --owner Grace');
    expect(read(folder, 'hack/boilerplate.txt')).toBe('Copyright Grace.\n');
    await done(folder, 'edit --license apache2 --owner Ada');
    expect(read(folder, 'hack/boilerplate.txt')).toBe(read(template, 'hack/boilerplate.txt'));
    expect(read(folder, 'package.json')).toBe(read(template, 'package.json'));
    expect(read(folder, 'src/main.ts')).toContain('// Copyright Ada.\n');
  });

  test('replace a header of others by force only, and keep it', async () => {
    const folder = project();
    writeFileSync(join(folder, 'hack/boilerplate.txt'), 'Our own words.\n');
    change(folder, 'package.json', (text) => text.replace('Apache-2.0', 'MIT'));
    expect(await refused(folder, 'edit --owner Grace')).toMatchObject([{ code: 'cli/missing-value' }]);
    expect(await refused(folder, 'edit --license apache2')).toMatchObject([{ code: 'scaffold/file-exists' }]);
    const { stderr } = await done(folder, 'edit --license none --owner Grace --force');
    expect(read(folder, 'hack/boilerplate.txt')).toBe('Copyright Grace.\n');
    expect(read(folder, 'hack/boilerplate.txt.orig')).toBe('Our own words.\n');
    expect(JSON.parse(read(folder, 'package.json'))).toMatchObject({ license: 'MIT' });
    expect(stderr).toContain('package.json keeps its "license"');
  });
});

describe('edit', () => {
  test('--multigroup is recorded', async () => {
    const folder = project();
    const before = treeOf(folder);
    await done(folder, 'edit --multigroup=false');
    expect(read(folder, 'PROJECT')).not.toContain('multigroup');
    await done(folder, 'edit --multigroup');
    expect(treeOf(folder)).toEqual(before);
  });

  test('reports everything that is wrong with the flags at once', async () => {
    expect(await refused(project(), 'edit --dry-run')).toMatchObject([{ code: 'cli/missing-value' }]);
    const run = await runCli(['edit', '--license', 'mit', '--owner', 'a\nb', '-o', 'json'], {
      cwd: project(),
    });
    const { errors } = JSON.parse(run.stdout) as { errors: Finding[] };
    expect(errors.map(({ where }) => (where as { flag: string }).flag)).toEqual(['--owner', '--license']);
  });

  test('--dry-run writes nothing', async () => {
    const folder = project();
    const before = treeOf(folder);
    await done(folder, 'edit --namespaced --license none --dry-run');
    expect(treeOf(folder)).toEqual(before);
  });
});
