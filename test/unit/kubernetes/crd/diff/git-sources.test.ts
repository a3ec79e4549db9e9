// `git:REF:PATH` as a side of `op-sdk crd diff`.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../../../../helpers/run-cli.ts';

const golden = join(import.meta.dirname, '../../../../golden/crd-diff/enum');
const expected = readFileSync(join(golden, 'diff.txt'), 'utf8');

const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 12\n';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'op-sdk-diff-'));
  const git = (...args: readonly string[]): void => {
    const identity = ['user.name=Test', 'user.email=test@example.com', 'commit.gpgsign=false'];
    execFileSync('git', [...identity.flatMap((each) => ['-c', each]), ...args], {
      cwd: join(root, 'repository'),
      stdio: 'pipe',
    });
  };
  mkdirSync(join(root, 'repository/config/crd/bases'), { recursive: true });
  git('init', '--quiet', '--initial-branch=main');
  cpSync(join(golden, 'old.yaml'), join(root, 'repository/config/crd/bases/sites.yaml'));
  git('add', '.');
  git('commit', '--quiet', '-m', 'one');
  git('tag', 'v1.0.0');
  cpSync(join(golden, 'new.yaml'), join(root, 'repository/config/crd/bases/sites.yaml'));
  // A path that looks like an option, and one in the form of a pathspec.
  cpSync(join(golden, 'old.yaml'), join(root, 'repository/--output=x.yaml'));
  git('add', '--', '.');
  git('commit', '--quiet', '-m', 'two');
  const repository = join(root, 'repository');
  mkdirSync(join(repository, 'links'));
  symlinkSync('../config/crd/bases/sites.yaml', join(repository, 'links/sites.yaml'));
  symlinkSync('../config/crd/bases', join(repository, 'links/bases'));
  symlinkSync('notes.md', join(repository, 'links/README.md'));
  mkdirSync(join(repository, 'harmless'));
  symlinkSync('notes.md', join(repository, 'harmless/README.md'));
  cpSync(join(golden, 'old.yaml'), join(repository, 'harmless/sites.yaml'));
  mkdirSync(join(repository, 'lfs'));
  writeFileSync(join(repository, 'lfs/sites.yaml'), pointer);
  git('add', '--', '.');
  git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},modules/shared`);
  git('commit', '--quiet', '-m', 'three');
  git('tag', 'links');
  git('reset', '--hard', '--quiet', 'HEAD~1');
  mkdirSync(join(root, 'elsewhere'));
  const other = readFileSync(join(golden, 'new.yaml'), 'utf8').replaceAll(
    'web.example.com',
    'other.example.com',
  );
  writeFileSync(join(root, 'elsewhere/other.yaml'), other);
});
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

// Not inside of another repository, wherever temporary folders are.
const diff = (args: readonly string[], folder = 'repository') =>
  runCli(['crd', 'diff', ...args], {
    cwd: join(root, folder),
    env: { ...process.env, GIT_CEILING_DIRECTORIES: root, GITHUB_WORKSPACE: undefined },
  });

test.each([
  ['git:v1.0.0', 'git:main'],
  ['git:main~1', 'config/crd/bases'],
  ['git:v1.0.0:config/crd', 'git:HEAD:config/crd/bases/sites.yaml'],
  ['git:main:--output=x.yaml', 'git:HEAD'],
])('%s and %s', async (old, now) => {
  expect(await diff([old, now])).toEqual({ code: 1, stdout: expected, stderr: '' });
});

test('PATH is relative to the folder of the command', async () => {
  const { stdout } = await diff(['git:v1.0.0:bases', 'git:main:bases/sites.yaml'], 'repository/config/crd');
  expect(stdout).toBe(expected);
});

test('annotations name the files of a commit as they are in the checkout', async () => {
  const { stdout } = await diff(['git:v1.0.0', 'git:main', '-o', 'github']);
  expect(stdout).toContain('::error file=config/crd/bases/sites.yaml,line=');
  const removed = await diff(['git:v1.0.0', '../elsewhere/other.yaml', '-o', 'github']);
  expect(removed.stdout).toContain('::error file=config/crd/bases/sites.yaml,line=');
});

describe('what cannot be read', () => {
  test.each([
    ['git:nowhere', "unknown commit, branch or tag 'nowhere'", 'fix: fetch it: git fetch origin nowhere'],
    ['git:origin/main', "unknown commit, branch or tag 'origin/main'", 'fetch-depth: 0'],
    ['git:v1.0.0..main', "unknown commit, branch or tag 'v1.0.0..main'", 'fix: fetch it'],
    ['git:main:nowhere', "main has no file and no folder 'nowhere'", 'git ls-tree -r --name-only main'],
    ['git:main:../x', "main has no file and no folder '../x'", 'PATH is relative to the folder'],
    ['git:main:--all', "main has no file and no folder '--all'", 'PATH is relative to the folder'],
  ])('%s', async (name, message, fix) => {
    const { code, stdout, stderr } = await diff([name, 'config/crd/bases']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`error[diff/git-failed]: ${name} cannot be read: ${message}`);
    expect(stderr).toContain(fix);
  });

  test.each(['git:', 'git::config', 'git:--output=x', 'git:-c', 'git:main:'])(
    '%s is wrong usage',
    async (name) => {
      const { code, stderr } = await diff([name, 'config/crd/bases']);
      expect(code).toBe(2);
      expect(stderr).toContain('error[cli/invalid-value]: expected git:REF or git:REF:PATH');
    },
  );

  test.each([
    ['links', ['links/sites.yaml is a symbolic link', 'links/bases is a symbolic link']],
    ['links/sites.yaml', ['links/sites.yaml is a symbolic link']],
    ['links/bases', ['links/bases is a symbolic link']],
    ['modules', ['modules/shared is a submodule']],
  ])('what stands for something else: %s', async (path, messages) => {
    const { code, stdout, stderr } = await diff([`git:links:${path}`, 'config/crd/bases']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    for (const message of messages) expect(stderr).toContain(`error[diff/git-failed]: links:${message}`);
    expect(stderr.match(/error\[/g)).toHaveLength(messages.length);
  });

  test('a link that leads to no definition is passed over', async () => {
    expect(await diff(['git:links:harmless', 'config/crd/bases'])).toMatchObject({
      stdout: expected,
      stderr: '',
    });
  });

  test('a pointer of Git LFS, in a commit or not', async () => {
    writeFileSync(join(root, 'elsewhere/pointer.yaml'), pointer);
    const { code, stderr } = await diff(['git:links:lfs', '../elsewhere/pointer.yaml']);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'error[diff/git-failed]: links:lfs/sites.yaml: expected the content of the file, got a Git LFS pointer to it',
    );
    expect(stderr).toContain(
      'error[diff/git-failed]: ../elsewhere/pointer.yaml: expected the content of the file, got a Git LFS pointer to it',
    );
  });

  test('an odd name of a commit is in no command', async () => {
    const { stderr } = await diff(['git:main^{tree}:nowhere', 'config/crd/bases']);
    expect(stderr).toContain('git ls-tree -r --name-only REF\n');
  });

  test('a folder that is in no repository', async () => {
    const file = join(root, 'elsewhere/new.yaml');
    writeFileSync(file, readFileSync(join(golden, 'new.yaml')));
    const { code, stderr } = await diff(['git:main', 'new.yaml'], 'elsewhere');
    expect(code).toBe(1);
    expect(stderr).toContain('elsewhere is not in a git repository\n  fix: run op-sdk in a checkout');
  });
});
