// Repositories are often those of strangers: reading from one runs nothing that its configuration names.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../../../helpers/run-cli.ts';

const timeout = 300_000;
const root = mkdtempSync(join(tmpdir(), 'op-sdk-hostile-clone-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
const git = (cwd: string, ...args: readonly string[]): unknown =>
  execFileSync('git', [...identity, ...args], { cwd, stdio: 'pipe' });

const role = (verb: string): string => `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: reader
rules:
- apiGroups: ['']
  resources: [secrets]
  verbs: [${verb}]
`;

const origin = join(root, 'origin');
beforeAll(() => {
  mkdirSync(join(origin, 'config'), { recursive: true });
  git(origin, 'init', '--quiet', '--initial-branch=main');
  git(origin, 'config', 'uploadpack.allowFilter', 'true');
  for (const verb of ['get', 'list']) {
    writeFileSync(join(origin, 'config/role.yaml'), role(verb));
    git(origin, 'add', '.');
    git(origin, 'commit', '--quiet', '-m', verb);
  }
});

/** A clone without objects that are looked for, whose configuration runs a command that leaves a file. */
function partialClone(name: string, filter: string): { readonly dir: string; readonly trace: string } {
  const dir = join(root, name);
  const trace = join(root, `${name}-ran`);
  git(root, 'clone', '--quiet', '--no-checkout', `--filter=${filter}`, `file://${origin}`, dir);
  return { dir, trace };
}

const attacks: Readonly<Record<string, (run: string) => Readonly<Record<string, string>>>> = {
  ssh: (run) => ({ 'remote.origin.url': 'ssh://example.invalid/x', 'core.sshCommand': `${run} #` }),
  'ssh-allowed': (run) => ({
    'remote.origin.url': 'ssh://example.invalid/x',
    'core.sshCommand': `${run} #`,
    'protocol.allow': 'always',
    'protocol.ssh.allow': 'always',
  }),
  ext: (run) => ({ 'remote.origin.url': `ext::sh -c "${run}"`, 'protocol.ext.allow': 'always' }),
  vcs: (run) => ({
    'remote.origin.url': `sh -c "${run}"`,
    'remote.origin.vcs': 'ext',
    'protocol.ext.allow': 'always',
  }),
  proxy: (run) => ({ 'remote.origin.url': 'git://example.invalid/x', 'core.gitProxy': run }),
  upload: (run) => ({ 'remote.origin.uploadpack': `${run} #` }),
  monitor: (run) => ({
    'core.fsmonitor': run,
    'core.pager': run,
    'remote.origin.url': 'ssh://example.invalid/x',
    'core.sshCommand': run,
  }),
};

test.each(
  Object.keys(attacks).flatMap((name) => ['blob:none', 'tree:0'].map((filter) => [name, filter] as const)),
)('%s, without %s, is not run by a fetch of what is missing', { timeout }, async (name, filter) => {
  const { dir, trace } = partialClone(`${name}-${filter.replace(':', '-')}`, filter);
  for (const [key, value] of Object.entries(attacks[name]?.(`touch ${trace}`) ?? {}))
    git(dir, 'config', key, value);
  const ended = await runCli(['rbac', 'diff', 'git:main~1:config', 'git:main:config'], {
    cwd: dir,
    env: { ...process.env, GIT_SSH: join(root, 'nothing') },
  });
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('error[diff/git-failed]');
  expect(ended.stderr).toContain('partial clone');
  expect(existsSync(trace)).toBe(false);
  await runCli(['crd', 'diff', 'git:main~1:config', 'git:main:config'], { cwd: dir, env: process.env });
  expect(existsSync(trace)).toBe(false);
});

test('what is there is read, whatever the configuration names', { timeout }, async () => {
  const dir = join(root, 'whole');
  const trace = join(root, 'whole-ran');
  git(root, 'clone', '--quiet', origin, dir);
  const hooks = join(dir, 'hooks');
  mkdirSync(hooks);
  for (const key of [
    'core.fsmonitor',
    'core.pager',
    'diff.external',
    'diff.yaml.textconv',
    'filter.yaml.smudge',
  ])
    git(dir, 'config', key, `touch ${trace}`);
  writeFileSync(join(dir, '.gitattributes'), '*.yaml diff=yaml filter=yaml\n');
  git(dir, 'config', 'core.hooksPath', hooks);
  const { code, stdout } = await runCli(['rbac', 'diff', 'git:main~1:config', 'git:main:config'], {
    cwd: dir,
    env: process.env,
  });
  expect([code, stdout]).toEqual([1, expect.stringContaining('ClusterRole reader')]);
  expect(existsSync(trace)).toBe(false);
});
