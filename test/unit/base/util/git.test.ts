import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readWorkingTree, type WorkingTree } from '../../../../src/base/util/git.ts';

let root = '';
let repository = '';
let env: Record<string, string | undefined> = {};

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-git-')));
  repository = join(root, 'repository');
  mkdirSync(repository);
  env = { ...process.env, HOME: root, XDG_CONFIG_HOME: root, GIT_CONFIG_NOSYSTEM: '1' };
});
afterEach(() => rmSync(root, { recursive: true }));

const git = (...args: readonly string[]): unknown =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
    cwd: repository,
    env,
    stdio: 'pipe',
  });
const tree = (cwd = repository): Promise<WorkingTree> => readWorkingTree({ cwd, env });

/** Creates a repository with one commit. */
function commit(files: Readonly<Record<string, string>> = { 'a.txt': 'a\n' }): void {
  git('init', '--quiet');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(repository, name), text);
  git('add', '.');
  git('commit', '--quiet', '-m', 'one');
}

describe('a working tree', () => {
  test('has the changes of its folder, and new files though the repository hides them', async () => {
    commit();
    expect(await tree()).toEqual({ kind: 'read', changed: [] });
    git('config', 'status.showUntrackedFiles', 'no');
    writeFileSync(join(repository, 'a.txt'), 'b\n');
    writeFileSync(join(repository, 'new.txt'), '');
    expect(await tree()).toEqual({ kind: 'read', changed: ['a.txt', 'new.txt'] });
  });

  test('is none without a repository, with git and without', async () => {
    expect(await tree()).toEqual({ kind: 'none' });
    env['PATH'] = root;
    expect(await tree()).toEqual({ kind: 'none' });
  });

  test('is unreadable with a repository that git refuses, and without git', async () => {
    commit();
    const inner = join(repository, 'operators');
    mkdirSync(inner);
    writeFileSync(join(repository, '.git/index'), 'broken');
    expect(await tree(inner)).toEqual({ kind: 'unreadable', reason: expect.stringContaining('index') });
    env['GIT_TEST_ASSUME_DIFFERENT_OWNER'] = '1';
    expect(await tree()).toEqual({
      kind: 'unreadable',
      reason: expect.stringContaining('dubious ownership'),
    });
    delete env['GIT_TEST_ASSUME_DIFFERENT_OWNER'];
    rmSync(join(repository, '.git/HEAD'));
    expect(await tree()).toEqual({
      kind: 'unreadable',
      reason: expect.stringContaining('not a git repository'),
    });
    env['PATH'] = root;
    expect(await tree(inner)).toEqual({ kind: 'unreadable', reason: 'ENOENT' });
  });
});

describe('filters', () => {
  const ran = (): boolean => existsSync(join(root, 'ran'));
  /** Makes git read a file again whose time has changed. */
  const touch = (): void => utimesSync(join(repository, 'a.txt'), 1, 1);
  const program = (): string => `sh -c "touch ${root}/ran; cat"`;

  test.each(['clean', 'process'])('of the repository are not run: %s', async (kind) => {
    commit({ 'a.txt': 'a\n', '.gitattributes': '*.txt filter=Own.x\n' });
    git('config', `filter.Own.x.${kind}`, program());
    git('config', 'filter.Own.x.required', 'true');
    touch();
    expect(await tree()).toEqual({ kind: 'read', changed: [] });
    expect(ran()).toBe(false);
  });

  test('of a file that the repository includes are not run', async () => {
    commit({ 'a.txt': 'a\n', '.gitattributes': '*.txt filter=own\n' });
    writeFileSync(join(repository, '.git/more'), `[filter "own"]\n\tclean = ${JSON.stringify(program())}\n`);
    git('config', 'include.path', 'more');
    touch();
    await tree();
    expect(ran()).toBe(false);
  });

  test('of the user are run, though the repository has one of the same name', async () => {
    git('config', '--global', 'filter.own.clean', `sh -c "touch ${root}/ran; tr b a"`);
    commit({ 'a.txt': 'a\n', '.gitattributes': '*.txt filter=own\n' });
    rmSync(join(root, 'ran'), { force: true });
    git('config', 'filter.own.clean', 'false');
    writeFileSync(join(repository, 'a.txt'), 'b\n');
    expect(await tree()).toEqual({ kind: 'read', changed: [] });
    expect(ran()).toBe(true);
  });

  test('with a name that cannot be given to git make the repository unreadable', async () => {
    commit({ 'a.txt': 'a\n', '.gitattributes': '*.txt filter=own=x\n' });
    git('config', 'filter.own=x.clean', program());
    touch();
    expect(await tree()).toEqual({
      kind: 'unreadable',
      reason: 'the filter filter.own=x.clean cannot be switched off',
    });
    expect(ran()).toBe(false);
  });

  test('of a submodule are not run', async () => {
    commit();
    const inner = join(repository, 'inner');
    execFileSync('git', ['clone', '--quiet', repository, inner], { env, stdio: 'pipe' });
    git('-c', 'advice.addEmbeddedRepo=false', 'add', 'inner');
    git('commit', '--quiet', '-m', 'two');
    writeFileSync(join(inner, '.gitattributes'), '*.txt filter=own\n');
    execFileSync('git', ['config', 'filter.own.clean', program()], { cwd: inner, env });
    utimesSync(join(inner, 'a.txt'), 1, 1);
    await tree();
    expect(ran()).toBe(false);
  });
});
