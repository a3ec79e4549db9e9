import { devNull } from 'node:os';
import { runCommand, type CommandEnd, type RunOptions } from './exec.ts';

/**
 * Settings under which git runs nothing that a repository names: the configuration of a clone is that of whoever packed it, and names
 * commands (for ssh, hooks, a monitor of files, a pager) and remotes that are asked for missing objects.
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

/**
 * Runs git to read what is in a repository on this machine. Missing objects are not fetched: from git 2.45 on git does not try, and an
 * earlier one finds every transport forbidden, even those that the repository allows by its configuration.
 */
export function readWithGit(
  args: readonly string[],
  { env = process.env, ...options }: Pick<RunOptions, 'cwd' | 'env' | 'signal'>,
): Promise<CommandEnd> {
  const set = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return runCommand('git', ['--no-pager', ...set, ...args], {
    ...options,
    env: {
      ...env,
      GIT_NO_LAZY_FETCH: '1',
      // The names of those that are allowed; there is none of this name. It counts more than any configuration.
      GIT_ALLOW_PROTOCOL: 'none',
      GIT_PROTOCOL_FROM_USER: '0',
      GIT_TERMINAL_PROMPT: '0',
      GIT_SSH_COMMAND: 'false',
      GIT_OPTIONAL_LOCKS: '0',
      // Of what git says, some is looked for.
      LC_ALL: 'C',
    },
  });
}

/** Tells from what git says whether an object is missing from a partial clone, and would have been fetched. */
export function isPartialClone({ output }: Pick<CommandEnd, 'output'>): boolean {
  return /promisor remote|lazy fetch|transport '[^']*' not allowed|could not fetch [0-9a-f]{7,}/i.test(
    output,
  );
}
