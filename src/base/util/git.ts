import { devNull } from 'node:os';
import { runCommand, type CommandEnd, type RunOptions } from './exec.ts';

/**
 * Settings that stop git from running commands that a repository configures. A downloaded clone contains its author's configuration, which
 * names commands (for ssh, hooks, a file monitor, a pager) and remotes from which missing objects are fetched.
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
 * Runs git to read a repository on this machine. Missing objects are not fetched: git 2.45 and later does not try to fetch them. For
 * earlier versions every transport is forbidden, even a transport that the repository allows in its configuration.
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
