// `op-sdk rbac diff` against what the sources generate, and against what git has.
import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, test } from 'vitest';
import { runCli } from '../../../helpers/run-cli.ts';
import { projectFolder, type ProjectFolder } from '../../compiler/manifests/project-folder.ts';

const folders: ProjectFolder[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

const permissions = (verbs: string): string => `import { rbac } from 'opsdk';
export const permissions = rbac([{ groups: [''], resources: ['secrets'], verbs: [${verbs}] }]);
`;
const role = (name: string, verbs: string): string => `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: ${name}
rules:
- apiGroups: ['']
  resources: [secrets]
  verbs: [${verbs}]
`;

function project(files: Readonly<Record<string, string>>): ProjectFolder {
  const folder = projectFolder({ 'src/permissions.ts': permissions("'get', 'list'"), ...files });
  folders.push(folder);
  return folder;
}

const rbacDiff = ({ dir }: ProjectFolder, ...args: readonly string[]) =>
  runCli(['rbac', 'diff', ...args], { cwd: dir, env: { ...process.env, OPSDK_NO_CACHE: '1' } });

function git({ dir }: ProjectFolder, ...args: readonly string[]): void {
  const identity = [
    '-c',
    'user.name=Test',
    '-c',
    'user.email=test@example.com',
    '-c',
    'commit.gpgsign=false',
  ];
  execFileSync('git', [...identity, ...args], { cwd: dir, stdio: 'pipe' });
}

describe('without NEW', () => {
  test('the role that the sources generate is compared, and nothing is written', async () => {
    const folder = project({ 'config/rbac/role.yaml': role('manager-role', 'get') });
    expect(await rbacDiff(folder, 'config/rbac/role.yaml')).toEqual({
      code: 1,
      stdout: 'ClusterRole manager-role\n  widened   list: secrets\n\n1 permission widened, none narrowed\n',
      stderr: expect.stringContaining('warning[manifests/reads-all-secrets]') as string,
    });
    expect(folder.read('config/rbac/role.yaml')).toBe(role('manager-role', 'get'));
  });

  test('other roles of a folder are passed over, and what is not an object too', async () => {
    const folder = project({
      'config/rbac/role.yaml': role('manager-role', 'get, list'),
      'config/rbac/reader.yaml': role('reader', 'watch'),
      'config/rbac/kustomization.yaml': 'resources:\n- role.yaml\n',
    });
    const { code, stdout, stderr } = await rbacDiff(folder, 'config/rbac');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'no permissions widened, none narrowed\n' });
    expect(stderr).toContain('compared: ClusterRole manager-role; name NEW to compare all 2 objects of OLD');
  });

  test('what the sources no longer need is narrowed', async () => {
    const gone = role('manager-role-kube-public', 'watch').replace('ClusterRole', 'Role');
    const folder = project({
      'config/rbac/role.yaml': `${role('manager-role', 'get, list')}---\n${gone}`,
    });
    const { code, stdout } = await rbacDiff(folder, 'config/rbac', '--fail-on', 'any');
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining('Role manager-role-kube-public') as string,
    });
    expect(stdout).toContain('narrowed  watch: secrets');
  });

  test('an operator that became one of a namespace is compared with what it was', async () => {
    const old = role('manager-role', 'get, list').replace('ClusterRole', 'Role');
    const folder = project({ 'config/rbac/role.yaml': old });
    const { code, stdout, stderr } = await rbacDiff(folder, 'config/rbac/role.yaml');
    expect(stderr).not.toContain('diff/nothing-to-compare');
    expect(code).toBe(1);
    expect(stdout).toContain('ClusterRole manager-role\n  widened   get, list: secrets');
    expect(stdout).toContain('\nRole manager-role\n  narrowed  get, list: secrets');
  });

  test('roles with other names cannot be compared with it', async () => {
    const folder = project({ 'all.yaml': role('prefix-manager-role', 'get') });
    const { code, stderr } = await rbacDiff(folder, 'all.yaml');
    expect(code).toBe(1);
    expect(stderr).toContain('error[diff/nothing-to-compare]: OLD all.yaml has no ClusterRole manager-role');
  });
});

describe('git', () => {
  test('a commit is read without a checkout, in a folder below that of the repository too', async () => {
    const folder = project({ 'config/rbac/role.yaml': role('manager-role', 'get') });
    git(folder, 'init', '--quiet', '--initial-branch=main');
    git(folder, 'add', 'config');
    git(folder, 'commit', '--quiet', '-m', 'one');
    folder.write('config/rbac/role.yaml', role('manager-role', 'get, list, watch'));
    git(folder, 'commit', '--quiet', '-am', 'two');
    const toProject = await rbacDiff(folder, 'git:main');
    expect(toProject.stdout).toContain('  narrowed  watch: secrets\n');
    expect(toProject.code).toBe(0);
    expect((await rbacDiff(folder, 'git:main', '--fail-on', 'any')).code).toBe(1);
    const commits = await rbacDiff(folder, 'git:HEAD~1:config/rbac/role.yaml', 'git:HEAD:config/rbac');
    expect(commits.stdout).toContain('  widened   list, watch: secrets\n');
    const below = await runCli(['rbac', 'diff', 'git:HEAD~1:rbac', 'git:HEAD:rbac/role.yaml'], {
      cwd: `${folder.dir}/config`,
      env: process.env,
    });
    expect(below.stdout).toBe(commits.stdout);
  });

  test.each([
    ['git:nowhere', 'error[diff/git-failed]: git:nowhere cannot be read', 1],
    ['git:', 'error[cli/invalid-value]: expected git:REF or git:REF:PATH', 2],
    ['git:--output=x', 'error[cli/invalid-value]: expected git:REF or git:REF:PATH', 2],
  ])('%s is refused', async (name, message, code) => {
    const folder = project({});
    git(folder, 'init', '--quiet');
    const refused = await rbacDiff(folder, name);
    expect(refused.code).toBe(code);
    expect(refused.stderr).toContain(message);
  });
});

test('OLD and NEW cannot both be standard input', async () => {
  const { code, stderr } = await rbacDiff(project({}), '-', '-');
  expect(code).toBe(2);
  expect(stderr).toContain('error[diff/stdin-twice]');
});
