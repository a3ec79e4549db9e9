import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import { pathExists } from './fs.ts';
import { runCommand, type CommandEnd, type RunOptions } from './exec.ts';

/**
 * Settings that stop git from running commands that a repository configures. A repository that came as an archive contains its author's
 * configuration, which names commands (for ssh, hooks, a file monitor, a pager) and remotes from which missing objects are fetched.
 */
const settings: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false',
  'core.hooksPath': devNull,
  'core.pager': 'cat',
  'core.sshCommand': 'false',
  'core.gitProxy': '',
  'credential.helper': '',
  'fetch.bundleURI': '',
};

type GitOptions = Pick<RunOptions, 'cwd' | 'env' | 'signal'>;

/**
 * Runs git to read a repository on this machine. Missing objects are not fetched: git 2.45 and later does not try to fetch them. For
 * earlier versions every transport is forbidden, even a transport that the repository allows in its configuration.
 * @param more further settings
 */
export function readWithGit(
  args: readonly string[],
  { env = process.env, ...options }: GitOptions,
  more: Readonly<Record<string, string>> = {},
): Promise<CommandEnd> {
  const set = Object.entries({ ...settings, ...more }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return runCommand('git', ['--no-pager', ...set, ...args], {
    ...options,
    env: {
      ...env,
      GIT_NO_LAZY_FETCH: '1',
      // List of allowed protocols. `none` is not a protocol, so all protocols are forbidden. This variable takes precedence over any
      // configuration.
      GIT_ALLOW_PROTOCOL: 'none',
      GIT_PROTOCOL_FROM_USER: '0',
      GIT_TERMINAL_PROMPT: '0',
      GIT_SSH_COMMAND: 'false',
      GIT_OPTIONAL_LOCKS: '0',
      // Callers compare the output with English texts.
      LC_ALL: 'C',
    },
  });
}

/** Returns true if the output of git shows that an object is missing from a partial clone and would have been fetched. */
export function isPartialClone({ output }: Pick<CommandEnd, 'output'>): boolean {
  return /promisor remote|lazy fetch|transport '[^']*' not allowed|could not fetch [0-9a-f]{7,}/i.test(
    output,
  );
}

/** State of a folder in its repository. */
export type WorkingTree =
  | { readonly kind: 'none' }
  /** Paths that differ from the last commit, as git prints them. Empty if there are none. */
  | { readonly kind: 'read'; readonly changed: readonly string[] }
  /** The repository exists, and git cannot read it. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/**
 * Reads which files of a folder have changes that are not committed. Runs no filter that the repository itself configures; filters of the
 * user and of the machine, such as those of Git LFS, are run. Files inside of submodules are not read, since git would read the
 * configuration of each.
 */
export async function readWorkingTree(options: GitOptions): Promise<WorkingTree> {
  const filters = await ownFilters(options);
  if ('failed' in filters) return unreadable(filters.failed, options.cwd);
  const args = ['status', '--porcelain', '--untracked-files=normal', '--ignore-submodules=dirty', '--', '.'];
  const end = await readWithGit(args, options, filters.blanked);
  if (end.exitCode !== 0) return unreadable(end, options.cwd);
  const lines = end.stdout.split('\n').filter((line) => line !== '');
  return { kind: 'read', changed: lines.map((line) => line.slice(3)) };
}

/** Returns `none` only for a folder without a repository: git refuses repositories of other users and broken ones, too. */
async function unreadable({ output, startError }: CommandEnd, cwd: string): Promise<WorkingTree> {
  const isOutside = startError === 'ENOENT' || output.includes('not a git repository');
  if (isOutside && !(await isBelowRepository(cwd))) return { kind: 'none' };
  const [line = ''] = output.split('\n').filter((each) => /^(?:fatal|error): /.test(each));
  return { kind: 'unreadable', reason: startError ?? line.replace(/^\w+: /, '') };
}

async function isBelowRepository(folder: string): Promise<boolean> {
  if (await pathExists(join(folder, '.git'))) return true;
  return dirname(folder) !== folder && isBelowRepository(dirname(folder));
}

/**
 * Returns git settings that override the filters of the repository: with the filters of the user or the machine or, if these have none,
 * with no filter.
 */
async function ownFilters(
  options: GitOptions,
): Promise<{ readonly blanked: Readonly<Record<string, string>> } | { readonly failed: CommandEnd }> {
  const args = ['config', '--includes', '--show-scope', '-z', '--get-regexp', String.raw`^filter\.`];
  const end = await readWithGit(args, options);
  // The exit code 1 without output means that no filter is configured.
  if (end.exitCode === 1 && end.output === '') return { blanked: {} };
  if (end.exitCode !== 0) return { failed: end };
  const fields = end.stdout.split('\0');
  const outer = new Map<string, string>();
  const own = new Set<string>();
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [key = '', ...value] = fields[index + 1]?.split('\n') ?? [];
    if (fields[index] === 'local' || fields[index] === 'worktree') own.add(key);
    else outer.set(key, value.join('\n'));
  }
  const unnamed = [...own].find((key) => key.includes('='));
  // On the command line of git, the name of a setting ends at the first `=`.
  if (unnamed !== undefined)
    return {
      failed: { ...end, exitCode: 128, output: `fatal: the filter ${unnamed} cannot be switched off` },
    };
  const blanked: Record<string, string> = {};
  for (const key of own) {
    const isRequired = key.endsWith('.required');
    blanked[key] = outer.get(key) ?? (isRequired ? 'false' : '');
  }
  return { blanked };
}
